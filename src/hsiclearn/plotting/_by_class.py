"""Rows coloured by class, those without one grey and behind the others; by what a target asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ._axes import GREY_LOOK, class_style, draw_legend, matplotlib_module
from ._density import Grid, draw_histograms, whole_range
from ._names import names_for, shown
from ._paint import DENSITY_FROM, RASTER_FROM, ByValue, Paint, Plain
from ._targets import Colouring

_FEW_CLASSES = 5  # beyond which the legend stands beside the axes
_FEW_ROWS = 5000  # beyond which no room is looked for inside the axes: that is slow
_LONGEST_LEGEND = 20
_LONG_NAME = 12  # characters
_OURS = ("c", "color", "label")


@dataclass(frozen=True)
class ByClass(Paint):
    """A class per row: colour and marker.

    The last of the ``names`` may be a note on rows without a class.
    """

    codes: Array
    names: list[str]
    has_note: bool = False
    marker: str | None = None  # one for all classes, if the user asks for it

    @property
    def _n_known(self) -> int:
        return len(self.names) - self.has_note

    @property
    def _looks(self) -> list[dict[str, str]]:
        return [class_style(i) for i in range(self._n_known)] + [GREY_LOOK] * self.has_note

    @property
    def _colours(self) -> FloatArray:
        to_rgb = matplotlib_module("colors").to_rgb
        return np.array([to_rgb(look["color"]) for look in self._looks])

    def points(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        if x.size > RASTER_FROM:
            self._mixed(ax, x, y, style)
            return
        looks, order = self._looks, list(range(len(self.names)))
        if self.has_note:
            order = [order[-1], *order[:-1]]  # what comes first is behind
        for i in order:
            rows = self.codes == i
            ax.scatter(x[rows], y[rows], label=self.names[i], **{**looks[i], **style})

    def _mixed(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        """Many points, in a random order: class by class, the last would hide the others."""
        order = np.random.default_rng(0).permutation(x.size)
        order = order[np.argsort(self.codes[order] < self._n_known, kind="stable")]
        colours = self._colours[self.codes[order]]
        ax.scatter(x[order], y[order], c=colours, **{"marker": "o", **style})

    def density(self, ax: Any, grid: Grid) -> None:
        known = self.codes < self._n_known
        for rows in (~known, known) if self.has_note else (slice(None),):
            grid.draw(ax, grid.of(rows).blended(self.codes[rows], self._colours))

    def line(self, ax: Any, z: FloatArray, style: dict[str, Any]) -> FloatArray | None:
        colours = [look["color"] for look in self._looks]
        counts = draw_histograms(ax, z, self.codes, self.names, colours)
        return counts if z.size > DENSITY_FROM else None

    def diagonal(self, ax: Any, z: FloatArray) -> None:
        edges = np.histogram_bin_edges(z, bins=30, range=whole_range(z))
        for i, look in enumerate(self._looks):
            counts, _ = np.histogram(z[self.codes == i], edges)
            share, colour = counts / max(counts.sum(), 1), look["color"]
            ax.stairs(share, edges, color=colour, fill=True, alpha=0.25)
            ax.stairs(share, edges, color=colour)

    def key(self, ax: Any, n_samples: int) -> None:
        """A legend inside the axes, or beside them where they are crowded."""
        place: dict[str, Any] = {}
        if len(self.names) > _FEW_CLASSES or n_samples > _FEW_ROWS:
            small = max(map(len, self.names)) > _LONG_NAME
            place = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5)}
            place["fontsize"] = 8 if small else None
        self._legend(ax, n_samples, **place)

    def key_of_grid(self, axes: Array, n_samples: int) -> None:
        """A legend in the corner that has no pair."""
        place = {"loc": "upper right", "borderaxespad": 0.0}
        small = {"fontsize": 8, "ncols": 2} if len(self.names) > 10 else {}
        legend = self._legend(axes[0, -1], n_samples, **place, **small)
        legend.set_in_layout(False)  # a long one may reach down: the panels below are empty, too

    def _legend(self, ax: Any, n_samples: int, **place: Any) -> Any:
        """Of very many classes the first, and how many more there are."""
        line, looks = matplotlib_module("lines").Line2D, self._looks
        dot = {"linestyle": "none", "markersize": 6, "markeredgewidth": 0}
        marker = self.marker or ("o" if n_samples > RASTER_FROM else None)
        one = {} if marker is None else {"marker": marker}  # as drawn: many rows have one marker
        handles = [line([], [], **{**dot, **look, **one}) for look in looks]
        names, left_out = list(self.names), self._n_known - _LONGEST_LEGEND
        if left_out > 0:
            handles[_LONGEST_LEGEND : self._n_known] = [line([], [], linestyle="none")]
            names[_LONGEST_LEGEND : self._n_known] = [f"and {left_out:,} more"]
        return draw_legend(ax, handles, names, **place)


def paint_for(
    target: Colouring | None, class_names: Sequence[str] | None, style: Mapping[str, Any]
) -> Paint:
    """The colours of a target, or an error if the names or the style do not go with them."""
    if target is None:
        return Plain()
    taken = [name for name in _OURS if name in style]
    if taken:
        raise ValueError(
            f"{taken[0]!r} cannot be set for rows that are coloured and named by y. Pass y=None, "
            "or `class_names` to name the classes."
        )
    if not target.is_classes:
        return ByValue(target.values, target.note)
    given = names_for("class_names", class_names, target.names, "classes in y")
    names = [shown(name) for name in given] + [target.note] * bool(target.note)
    return ByClass(target.rank, names, bool(target.note), style.get("marker"))
