"""Axes to draw on: made, split into panels, or taken as they are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._arrays import Array
from ._style import matplotlib_module

__all__ = ["draw_legend", "one_axes", "panels"]

Size = tuple[float, float] | None


def one_axes(ax: Any, size: Size = None) -> Any:
    """The axes given, or those of a new figure."""
    if ax is not None:
        return ax
    return matplotlib_module("pyplot").subplots(figsize=size, layout="constrained")[1]


def panels(
    ax: Any, n_rows: int, n_columns: int, size: Size = None, widths: Sequence[float] | None = None
) -> Array:
    """An array of axes of this shape: of a new figure, those given, or one axes split up.

    One Axes that is given is emptied and its place divided; that needs one made by ``subplots``.
    """
    if ax is None:
        figure = matplotlib_module("pyplot").figure(figsize=size, layout="constrained")
        return figure.subplots(n_rows, n_columns, squeeze=False, width_ratios=widths)
    if not hasattr(ax, "get_subplotspec"):
        return _as_grid(ax, n_rows, n_columns)
    if n_rows * n_columns == 1:
        return np.array([[ax]], dtype=object)
    place = ax.get_subplotspec()
    if place is None:
        raise ValueError(
            f"This picture has {n_rows} x {n_columns} panels, and one Axes can be split only if "
            "`subplots` made it. Pass such a one, an array of Axes, or ax=None."
        )
    ax.set_axis_off()
    grid = place.subgridspec(n_rows, n_columns, width_ratios=widths)
    return grid.subplots(squeeze=False)


def _as_grid(axes: Any, n_rows: int, n_columns: int) -> Array:
    """Axes given as a sequence or array, in the shape needed."""
    grid = np.asarray(axes, dtype=object)
    if grid.size != n_rows * n_columns:
        raise ValueError(
            f"This picture has {n_rows} x {n_columns} panels. Got {grid.size} axes: pass as many, "
            "or one to be split."
        )
    return grid.reshape(n_rows, n_columns)


def draw_legend(ax: Any, handles: Sequence[Any], names: Sequence[str], **settings: Any) -> Any:
    """A legend that also shows names which begin with an underscore; matplotlib hides them."""
    legend = ax.legend(handles, [f"{i}" for i in range(len(names))], **settings)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)
    return legend
