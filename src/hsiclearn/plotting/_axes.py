"""Axes to draw on, how classes look, and the one place that imports matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from .._arrays import Array
from ..exceptions import MissingExtraError

__all__ = [
    "BLUE",
    "GREY_LOOK",
    "ORANGE",
    "class_style",
    "draw_legend",
    "matplotlib_module",
    "one_axes",
    "panels",
    "require_matplotlib",
]

# Okabe and Ito's palette, told apart by people with any of the common colour deficiencies; its
# yellow is left out because it fades on white. Seven colours and eight markers have no common
# factor, so the first 56 classes all look different.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
BLUE, ORANGE = _COLOURS[:2]
GREY_LOOK = {"color": "#BBBBBB", "marker": "o"}  # of rows without a class or number
Size = tuple[float, float] | None


def class_style(i: int) -> dict[str, str]:
    """Colour and marker of the i-th class."""
    return {"color": _COLOURS[i % len(_COLOURS)], "marker": _MARKERS[i % len(_MARKERS)]}


def require_matplotlib() -> None:
    """An error that says what to install, where matplotlib is missing."""
    try:
        import_module("matplotlib")
    except ModuleNotFoundError as error:
        raise MissingExtraError("matplotlib", "plot", "Plotting") from error


def matplotlib_module(name: str) -> Any:
    """``matplotlib.<name>``, or an error that says what to install."""
    require_matplotlib()
    return import_module(f"matplotlib.{name}")


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
