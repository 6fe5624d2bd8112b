"""How classes look, and the one place that imports matplotlib."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..exceptions import MissingExtraError

__all__ = ["BLUE", "GREY_LOOK", "ORANGE", "class_style", "matplotlib_module", "require_matplotlib"]

# Okabe and Ito's palette, told apart by people with any of the common colour deficiencies; its
# yellow is left out because it fades on white. Seven colours and eight markers have no common
# factor, so the first 56 classes all look different.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
BLUE, ORANGE = _COLOURS[:2]
GREY_LOOK = {"color": "#BBBBBB", "marker": "o"}  # of rows without a class or number


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
