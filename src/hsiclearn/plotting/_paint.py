"""How rows are drawn: as points, as a density, or along a line; alike, or by a number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ._axes import BLUE, GREY_LOOK, draw_legend, matplotlib_module
from ._density import Grid, draw_histograms, rug, whole_range

DENSITY_FROM = 200_000  # rows; above, points hide each other and take seconds to draw
RASTER_FROM = 20_000  # rows; above, a vector file of points is slow to open
_OWN_COLOUR = ("c", "color", "facecolor", "facecolors")
_OF_COLOUR_MAPS = ("cmap", "norm", "vmin", "vmax", "plotnonfinite")


def point_style(n_samples: int) -> dict[str, Any]:
    """Smaller and fainter points where there are more of them."""
    n = max(n_samples, 1)
    return {
        "s": float(np.clip(24.0 * (600.0 / n) ** 0.4, 3.0, 34.0)),
        "alpha": float(np.clip(0.85 * (1000.0 / n) ** 0.25, 0.3, 0.85)),
        "linewidths": 0,
        "rasterized": n > RASTER_FROM,
    }


class Paint(ABC):
    """The colours of rows. Drawings return the counts where they drew a density, else None."""

    def plane(
        self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any], cells: int = 256
    ) -> FloatArray | None:
        """Rows at ``(x, y)``."""
        if x.size <= DENSITY_FROM:
            self.points(ax, x, y, {**point_style(x.size), **style})
            return None
        grid = Grid.over(x, y, cells)
        self.density(ax, grid)
        return grid.counts()

    @abstractmethod
    def points(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        """One point per row."""

    @abstractmethod
    def density(self, ax: Any, grid: Grid) -> None:
        """An image of the cells."""

    @abstractmethod
    def line(self, ax: Any, z: FloatArray, style: dict[str, Any]) -> FloatArray | None:
        """Rows along one component."""

    @abstractmethod
    def diagonal(self, ax: Any, z: FloatArray) -> None:
        """How the rows spread along one component, for the diagonal of a grid of pairs."""

    def key(self, ax: Any, n_samples: int) -> None:  # noqa: B027
        """Legend or colour bar of the rows on ``ax``, where there is something to tell apart."""

    def key_of_grid(self, axes: Array, n_samples: int) -> None:  # noqa: B027
        """The same for a grid of pairs, whose upper triangle is empty."""


@dataclass(frozen=True)
class Plain(Paint):
    """All rows alike, in a colour that gives way to one the user asks for."""

    colour: str = BLUE

    def points(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        ours = {} if any(name in style for name in _OWN_COLOUR) else {"color": self.colour}
        ax.scatter(x, y, **ours, **style)

    def density(self, ax: Any, grid: Grid) -> None:
        rgb = matplotlib_module("colors").to_rgb(self.colour)
        grid.draw(ax, grid.blended(np.zeros(grid.cell.size, dtype=np.intp), np.array([rgb])))

    def line(self, ax: Any, z: FloatArray, style: dict[str, Any]) -> FloatArray | None:
        codes = np.zeros(z.size, dtype=np.intp)
        counts = draw_histograms(ax, z, codes, [""], [self.colour])
        ax.set_yticks([])
        return counts if z.size > DENSITY_FROM else None

    def diagonal(self, ax: Any, z: FloatArray) -> None:
        look = {"histtype": "stepfilled", "color": self.colour, "alpha": 0.6}
        ax.hist(z, bins=30, range=whole_range(z), density=True, **look)


@dataclass(frozen=True)
class ByValue(Paint):
    """A real number per row, NaN where there is none: colour over two components, height over one.

    ``note`` says how many have none.
    """

    y: FloatArray
    note: str = ""

    def points(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        known = np.isfinite(self.y)
        if self.note:
            ax.scatter(x[~known], y[~known], **{**GREY_LOOK, **_plain(style)})
        ax.scatter(x[known], y[known], c=self.y[known], **{"cmap": "viridis", **style})

    def density(self, ax: Any, grid: Grid) -> None:
        known = np.isfinite(self.y)
        if self.note:
            Plain(GREY_LOOK["color"]).density(ax, grid.of(~known))
        part = grid.of(known)
        image = np.ma.masked_invalid(part.means(self.y[known]))
        grid.draw(ax, image, cmap="viridis", alpha=part.opacity(0.7))

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
        self._colour_bar(ax, beside=ax)
        self._legend(ax)

    def key_of_grid(self, axes: Array, n_samples: int) -> None:
        """A colour bar beside all panels."""
        self._colour_bar(axes[1, 0], beside=axes)
        self._legend(axes[0, -1], loc="upper right", borderaxespad=0.0)

    def _colour_bar(self, ax: Any, beside: Any) -> None:
        drawn = [*ax.collections, *ax.images][-1]
        bar = ax.figure.colorbar(drawn, ax=beside, label="y")
        bar.solids.set_alpha(1.0)  # of the rows, transparency says how many there are

    def _legend(self, ax: Any, marker: str = "o", **place: Any) -> None:
        """What grey means, if it is there; above the axes unless another place is asked for."""
        if not self.note:
            return
        line = matplotlib_module("lines").Line2D
        handle = line([], [], linestyle="none", color=GREY_LOOK["color"], marker=marker)
        above = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "frameon": False}
        draw_legend(ax, [handle], [self.note], **(place or above))


def _plain(style: dict[str, Any]) -> dict[str, Any]:
    """The style of points that have no colour map."""
    return {name: value for name, value in style.items() if name not in _OF_COLOUR_MAPS}
