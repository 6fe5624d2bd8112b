"""How rows are coloured: all alike, by class, or by a number; each as points or as a density."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ..paradigms.targets import class_codes
from ._axes import draw_legend
from ._density import Grid
from ._line import draw_histograms
from ._names import and_more, shown
from ._style import BLUE, class_style, matplotlib_module

__all__ = ["ByClass", "ByValue", "Paint", "Plain", "paint_for", "point_style"]

_DENSITY_FROM = 200_000  # rows; above, points hide each other and take seconds to draw
_RASTER_FROM = 20_000  # rows; above, a vector file of points is slow to open
_FEW_CLASSES = 5  # beyond which the legend stands beside the axes
_FEW_ROWS = 5000  # beyond which no room is looked for inside the axes: that is slow
_LONGEST_LEGEND = 20
_LONG_NAME = 12  # characters


def point_style(n_samples: int) -> dict[str, Any]:
    """Smaller and fainter points where there are more of them."""
    n = max(n_samples, 1)
    return {
        "s": float(np.clip(24.0 * (600.0 / n) ** 0.4, 3.0, 34.0)),
        "alpha": float(np.clip(0.85 * (1000.0 / n) ** 0.25, 0.3, 0.85)),
        "linewidths": 0,
        "rasterized": n > _RASTER_FROM,
    }


class Paint(ABC):
    """The colours of rows. Drawings return the counts where they drew a density, else None."""

    def plane(
        self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any], cells: int = 256
    ) -> FloatArray | None:
        """Rows at ``(x, y)``."""
        if x.size <= _DENSITY_FROM:
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

    def key_of_grid(self, axes: Array) -> None:  # noqa: B027
        """The same for a grid of pairs, whose upper triangle is empty."""


@dataclass(frozen=True)
class Plain(Paint):
    """All rows alike."""

    def points(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        ax.scatter(x, y, **{"color": BLUE, **style})

    def density(self, ax: Any, grid: Grid) -> None:
        rgb = matplotlib_module("colors").to_rgb(BLUE)
        grid.draw(ax, grid.blended(np.zeros(grid.cell.size, dtype=np.intp), np.array([rgb])))

    def line(self, ax: Any, z: FloatArray, style: dict[str, Any]) -> FloatArray | None:
        codes = np.zeros(z.size, dtype=np.intp)
        counts = draw_histograms(ax, z, codes, [""])
        ax.set_yticks([])
        return counts if z.size > _DENSITY_FROM else None

    def diagonal(self, ax: Any, z: FloatArray) -> None:
        ax.hist(z, bins=30, density=True, histtype="stepfilled", color=BLUE, alpha=0.6)


@dataclass(frozen=True)
class ByValue(Paint):
    """A real number per row: colour over two components, height over one."""

    y: FloatArray
    cmap: str = "viridis"

    def points(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        ax.scatter(x, y, c=self.y, **{"cmap": self.cmap, **style})

    def density(self, ax: Any, grid: Grid) -> None:
        image = grid.means(self.y)
        grid.draw(ax, np.ma.masked_invalid(image), cmap=self.cmap, alpha=grid.opacity(0.7))

    def line(self, ax: Any, z: FloatArray, style: dict[str, Any]) -> FloatArray | None:
        ax.set_ylabel("y")
        return Plain().plane(ax, z, self.y, style)

    def diagonal(self, ax: Any, z: FloatArray) -> None:
        Plain().diagonal(ax, z)

    def key(self, ax: Any, n_samples: int) -> None:
        """A colour bar."""
        self._colour_bar(ax, ax)

    def key_of_grid(self, axes: Array) -> None:
        """A colour bar beside all panels."""
        self._colour_bar(axes[1, 0], axes)

    def _colour_bar(self, ax: Any, beside: Any) -> None:
        drawn = [*ax.collections, *ax.images][-1]
        bar = ax.figure.colorbar(drawn, ax=beside, label="y")
        bar.solids.set_alpha(1.0)  # of the rows, transparency says how many there are


@dataclass(frozen=True)
class ByClass(Paint):
    """A class per row: colour and marker."""

    codes: Array
    names: list[str]

    def points(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        if x.size > _RASTER_FROM:
            self._mixed(ax, x, y, style)
            return
        for i, name in enumerate(self.names):
            rows = self.codes == i
            ax.scatter(x[rows], y[rows], label=name, **{**class_style(i), **style})

    def _mixed(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        """Many points, in a random order: class by class, the last would hide the others."""
        order = np.random.default_rng(0).permutation(x.size)
        colours = self._colours()[self.codes[order]]
        ax.scatter(x[order], y[order], c=colours, **{"marker": "o", **style})

    def density(self, ax: Any, grid: Grid) -> None:
        grid.draw(ax, grid.blended(self.codes, self._colours()))

    def _colours(self) -> FloatArray:
        to_rgb = matplotlib_module("colors").to_rgb
        return np.array([to_rgb(class_style(i)["color"]) for i in range(len(self.names))])

    def line(self, ax: Any, z: FloatArray, style: dict[str, Any]) -> FloatArray | None:
        counts = draw_histograms(ax, z, self.codes, self.names)
        return counts if z.size > _DENSITY_FROM else None

    def diagonal(self, ax: Any, z: FloatArray) -> None:
        edges = np.histogram_bin_edges(z, bins=30)
        for i in range(len(self.names)):
            share, _ = np.histogram(z[self.codes == i], edges)
            colour = class_style(i)["color"]
            ax.stairs(share / max(share.sum(), 1), edges, color=colour, fill=True, alpha=0.25)
            ax.stairs(share / max(share.sum(), 1), edges, color=colour)

    def key(self, ax: Any, n_samples: int) -> None:
        """A legend inside the axes, or beside them where they are crowded."""
        long = max(map(len, self.names)) > _LONG_NAME
        beside = {
            "loc": "center left",
            "bbox_to_anchor": (1.01, 0.5),
            "fontsize": 8 if long else None,
        }
        crowded = len(self.names) > _FEW_CLASSES or n_samples > _FEW_ROWS
        self._legend(ax, **(beside if crowded else {}))

    def key_of_grid(self, axes: Array) -> None:
        """A legend in the corner that has no pair."""
        small = {"fontsize": 8, "ncols": 2} if len(self.names) > 10 else {}
        legend = self._legend(axes[0, -1], loc="upper right", borderaxespad=0.0, **small)
        legend.set_in_layout(False)  # a long one may reach down: the panels below are empty, too

    def _legend(self, ax: Any, **place: Any) -> Any:
        """Of very many classes the first, and how many more there are."""
        line = matplotlib_module("lines").Line2D
        names = self.names[:_LONGEST_LEGEND]
        dot = {"linestyle": "none", "markersize": 6, "markeredgewidth": 0}
        handles = [line([], [], **class_style(i), **dot) for i in range(len(names))]
        left_out = len(self.names) - len(names)
        if left_out:
            handles.append(line([], [], linestyle="none"))
            names = [*names, and_more(left_out)]
        return draw_legend(ax, handles, names, **place)


def paint_for(y: Array | None, target: str | None, class_names: Sequence[str] | None) -> Paint:
    """The colours that a target asks for."""
    if y is None:
        return Plain()
    if target == "real":
        return ByValue(np.asarray(y, dtype=np.float64))
    classes, codes = class_codes(np.asarray(y))
    if class_names is not None and len(class_names) != len(classes):
        raise ValueError(
            f"`class_names` must name each of the {len(classes)} classes in y. "
            f"Got {len(class_names)}."
        )
    return ByClass(
        codes, [shown(name) for name in (classes if class_names is None else class_names)]
    )
