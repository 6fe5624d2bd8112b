"""What a display is, and several of them side by side in a file."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from .._files import replacing
from ._axes import draw_legend, matplotlib_module

__all__ = ["Display", "save_picture"]


class Display(ABC):
    """A picture that can be drawn, and drawn again."""

    ax_: Any
    figure_: Any

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, or array of Axes, default=None
            Where to draw; None makes a figure. A picture of several panels splits up one Axes, or
            takes an array of as many as it has.

        Returns
        -------
        Display
            Itself.
        """
        self._draw(ax)
        return self

    @abstractmethod
    def _draw(self, ax: Any) -> None:
        """Draw, and keep ``ax_`` and ``figure_``."""


def save_picture(
    displays: Mapping[str, Display],
    path: str | os.PathLike[str],
    *,
    panel_size: tuple[float, float] = (5.0, 4.2),
    dpi: float = 120,
) -> Path:
    """Draw displays side by side and write them to a PNG file, whole or not at all.

    The figure is made without pyplot: no window opens and no backend is chosen.

    Parameters
    ----------
    displays : mapping of str to display
        The panels from left to right under their titles; any display of this package.
    path : path-like
        The file to write; its directory is created.
    panel_size : (float, float), default=(5.0, 4.2)
        Width and height of a panel in inches.
    dpi : float, default=120
        Pixels per inch.

    Returns
    -------
    Path
        The file written.
    """
    path, (width, height) = Path(path), panel_size
    size = (width * len(displays), height)
    figure = matplotlib_module("figure").Figure(figsize=size, dpi=dpi, layout="constrained")
    panels = figure.subplots(1, len(displays), squeeze=False)[0]
    for ax, (title, display) in zip(panels, displays.items(), strict=True):
        display.plot(ax=ax)
        _set_title(ax, display, title)
        _legend_below(ax)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        figure.savefig(file, format="png")
    return path


def _set_title(ax: Any, display: Display, title: str) -> None:
    """Over the axes; where a display split them, over what the first panel says itself."""
    if ax.axison:
        ax.set_title(title)
    else:
        first = display.ax_.flat[0]
        size = first.title.get_fontsize()
        first.set_title("\n".join(filter(None, (title, first.get_title()))), fontsize=size)


def _legend_below(ax: Any) -> None:
    """Move the legend out of the data, under the label of the horizontal axis."""
    legend = ax.get_legend()
    if legend is not None and len(legend.get_texts()) <= 4:
        labels = [text.get_text() for text in legend.get_texts()]
        # In font sizes: clear of the ticks and their label.
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "borderaxespad": 3.4}
        line = {"frameon": False, "handletextpad": 0.1, "columnspacing": 0.8}
        draw_legend(ax, legend.legend_handles, labels, ncols=len(labels), **below, **line)
