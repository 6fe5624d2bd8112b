"""How rows are drawn: as points, as a density, or along a line; here all rows alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ._density import Grid, whole_range
from ._line import draw_histograms
from ._style import BLUE, matplotlib_module

__all__ = ["DENSITY_FROM", "RASTER_FROM", "Paint", "Plain", "point_style"]

DENSITY_FROM = 200_000  # rows; above, points hide each other and take seconds to draw
RASTER_FROM = 20_000  # rows; above, a vector file of points is slow to open
_OWN_COLOUR = ("c", "color", "facecolor", "facecolors")


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
