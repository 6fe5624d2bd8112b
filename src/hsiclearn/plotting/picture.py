"""Several displays side by side, written to a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .._files import replacing
from ._style import matplotlib_module
from .projection import ProjectionDisplay

__all__ = ["save_picture", "write_figure"]


def save_picture(
    displays: Mapping[str, ProjectionDisplay],
    path: str | os.PathLike[str],
    *,
    panel_size: tuple[float, float] = (5.0, 4.2),
    dpi: float = 120,
) -> Path:
    """Draw displays side by side and write them to a PNG file, whole or not at all.

    The figure is made without pyplot: no window opens and no backend is chosen.

    Parameters
    ----------
    displays : mapping of str to ProjectionDisplay
        The panels from left to right under their titles.
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
    width, height = panel_size
    size = (width * len(displays), height)
    figure = matplotlib_module("figure").Figure(figsize=size, dpi=dpi, layout="constrained")
    panels = figure.subplots(1, len(displays), squeeze=False)[0]
    for ax, (title, display) in zip(panels, displays.items(), strict=True):
        display.plot(ax=ax)
        ax.set_title(title)
        _legend_below(ax)
    return write_figure(figure, path)


def write_figure(figure: Any, path: str | os.PathLike[str]) -> Path:
    """Write a figure to a PNG file, whole or not at all; its directory is created."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        figure.savefig(file, format="png")
    return path


def _legend_below(ax: Any) -> None:
    """Move the legend out of the data, under the label of the horizontal axis."""
    handles, labels = ax.get_legend_handles_labels()
    if 0 < len(labels) <= 4:
        ax.legend(
            handles,
            labels,
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            borderaxespad=3.4,  # in font sizes: clear of the ticks and their label
            ncols=len(labels),
            frameon=False,
            handletextpad=0.1,
            columnspacing=0.8,
        )
