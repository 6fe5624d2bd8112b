"""Axes to draw on, how classes look, and the one place that imports matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from .._arrays import Array
from ..exceptions import MissingExtraError

# Okabe and Ito's palette, told apart by people with any of the common colour deficiencies; its
# yellow is left out because it fades on white. Seven colours and eight markers have no common
# factor, so the first 56 classes all look different.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
BLUE, ORANGE = COLOURS[:2]
GREY_LOOK = {"color": "#BBBBBB", "marker": "o"}  # of rows without a class or number
Size = tuple[float, float] | None


def class_style(i: int) -> dict[str, str]:
    """Colour and marker of the i-th class."""
    return {"color": COLOURS[i % len(COLOURS)], "marker": _MARKERS[i % len(_MARKERS)]}


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


def panels(ax: Any, n_rows: int, n_columns: int, size: Size) -> Array:
    """An array of axes of this shape: of a new figure, those given, or one axes split up.

    One Axes that is given is emptied and its place divided; that needs one made by ``subplots``.
    """
    if ax is None:
        figure = matplotlib_module("pyplot").figure(figsize=size, layout="constrained")
        return figure.subplots(n_rows, n_columns, squeeze=False)
    shape = f"This picture has {n_rows} x {n_columns} panels"
    if not hasattr(ax, "get_subplotspec") or n_rows * n_columns == 1:
        grid = np.asarray(ax, dtype=object)
        if grid.size != n_rows * n_columns:
            raise ValueError(f"{shape}. Got {grid.size} axes: pass as many, or one to be split.")
        return grid.reshape(n_rows, n_columns)
    place = ax.get_subplotspec()
    if place is None:
        raise ValueError(
            f"{shape}, and one Axes can be split only if `subplots` made it. Pass such a one, an "
            "array of Axes, or ax=None."
        )
    ax.set_axis_off()
    return place.subgridspec(n_rows, n_columns).subplots(squeeze=False)


def draw_legend(ax: Any, handles: Sequence[Any], names: Sequence[str], **settings: Any) -> Any:
    """A legend that also shows names which begin with an underscore; matplotlib hides them."""
    legend = ax.legend(handles, [f"{i}" for i in range(len(names))], **settings)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)
    return legend
