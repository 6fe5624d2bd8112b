"""Rows coloured by a number, those without one grey and behind the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ._axes import draw_legend
from ._density import Grid
from ._line import rug
from ._paint import Paint, Plain
from ._style import GREY_LOOK, matplotlib_module

__all__ = ["ByValue"]

_OF_COLOUR_MAPS = ("cmap", "norm", "vmin", "vmax", "plotnonfinite")


@dataclass(frozen=True)
class ByValue(Paint):
    """A real number per row, NaN where there is none: colour over two components, height over one.

    ``note`` says how many have none.
    """

    y: FloatArray
    note: str = ""
    cmap: str = "viridis"

    def points(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        known = np.isfinite(self.y)
        if self.note:
            ax.scatter(x[~known], y[~known], **{**GREY_LOOK, **_plain(style)})
        ax.scatter(x[known], y[known], c=self.y[known], **{"cmap": self.cmap, **style})

    def density(self, ax: Any, grid: Grid) -> None:
        known = np.isfinite(self.y)
        if self.note:
            Plain(GREY_LOOK["color"]).density(ax, grid.of(~known))
        part = grid.of(known)
        image = np.ma.masked_invalid(part.means(self.y[known]))
        grid.draw(ax, image, cmap=self.cmap, alpha=part.opacity(0.7))

    def line(self, ax: Any, z: FloatArray, style: dict[str, Any]) -> FloatArray | None:
        known = np.isfinite(self.y)
        height = self.y[known]
        ax.set_ylabel("y")
        counts = Plain().plane(ax, z[known], height, _plain(style))
        if self.note:
            rug(ax, z[~known], height.min() - 0.08 * (np.ptp(height) or 1.0), GREY_LOOK["color"])
            ax.autoscale()  # a density sets limits, and the rug is outside of them
            self._legend(ax, marker="|")
        return counts

    def diagonal(self, ax: Any, z: FloatArray) -> None:
        Plain().diagonal(ax, z)

    def key(self, ax: Any, n_samples: int) -> None:
        """A colour bar."""
        self._colour_bar(ax, ax)
        if self.note:
            self._legend(ax)

    def key_of_grid(self, axes: Array, n_samples: int) -> None:
        """A colour bar beside all panels."""
        self._colour_bar(axes[1, 0], axes)
        if self.note:
            self._legend(axes[0, -1], loc="upper right", borderaxespad=0.0)

    def _colour_bar(self, ax: Any, beside: Any) -> None:
        drawn = [*ax.collections, *ax.images][-1]
        bar = ax.figure.colorbar(drawn, ax=beside, label="y")
        bar.solids.set_alpha(1.0)  # of the rows, transparency says how many there are

    def _legend(self, ax: Any, marker: str = "o", **place: Any) -> None:
        """What grey means; above the axes unless another place is asked for."""
        line = matplotlib_module("lines").Line2D
        handle = line([], [], linestyle="none", color=GREY_LOOK["color"], marker=marker)
        above = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "frameon": False}
        draw_legend(ax, [handle], [self.note], **(place or above))


def _plain(style: dict[str, Any]) -> dict[str, Any]:
    """The style of points that have no colour map."""
    return {name: value for name, value in style.items() if name not in _OF_COLOUR_MAPS}
