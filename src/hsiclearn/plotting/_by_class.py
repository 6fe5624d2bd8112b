"""Rows coloured by class, those without one grey and behind the others; by what a target asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ._axes import GREY_LOOK, class_style, draw_legend, matplotlib_module
from ._density import Grid, draw_histograms, whole_range
from ._names import and_more, shown
from ._paint import DENSITY_FROM, RASTER_FROM, ByValue, Paint, Plain
from ._targets import Colouring

__all__ = ["ByClass", "paint_for"]

_FEW_CLASSES = 5  # beyond which the legend stands beside the axes
_FEW_ROWS = 5000  # beyond which no room is looked for inside the axes: that is slow
_LONGEST_LEGEND = 20
_LONG_NAME = 12  # characters
_OURS = ("c", "color", "label")


@dataclass(frozen=True)
class ByClass(Paint):
    """A class per row: colour and marker.

    Rows without a class have the number after the last, and ``note`` is their name.
    """

    codes: Array
    names: list[str]
    note: str = ""
    marker: str | None = None  # one for all classes, if the user asks for it

    @property
    def _all_names(self) -> list[str]:
        return [*self.names, self.note] if self.note else self.names

    @property
    def _looks(self) -> list[dict[str, str]]:
        looks = [class_style(i) for i in range(len(self.names))]
        return [*looks, GREY_LOOK] if self.note else looks

    @property
    def _colours(self) -> FloatArray:
        to_rgb = matplotlib_module("colors").to_rgb
        return np.array([to_rgb(look["color"]) for look in self._looks])

    def points(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        if x.size > RASTER_FROM:
            self._mixed(ax, x, y, style)
            return
        drawn = list(enumerate(zip(self._looks, self._all_names, strict=True)))
        if self.note:
            drawn = [drawn[-1], *drawn[:-1]]  # what comes first is behind
        for i, (look, name) in drawn:
            rows = self.codes == i
            ax.scatter(x[rows], y[rows], label=name, **{**look, **style})

    def _mixed(self, ax: Any, x: FloatArray, y: FloatArray, style: dict[str, Any]) -> None:
        """Many points, in a random order: class by class, the last would hide the others."""
        order = np.random.default_rng(0).permutation(x.size)
        if self.note:
            order = order[np.argsort(self.codes[order] < len(self.names), kind="stable")]
        colours = self._colours[self.codes[order]]
        ax.scatter(x[order], y[order], c=colours, **{"marker": "o", **style})

    def density(self, ax: Any, grid: Grid) -> None:
        known = self.codes < len(self.names)
        for rows in (~known, known) if self.note else (slice(None),):
            grid.draw(ax, grid.of(rows).blended(self.codes[rows], self._colours))

    def line(self, ax: Any, z: FloatArray, style: dict[str, Any]) -> FloatArray | None:
        colours = [look["color"] for look in self._looks]
        counts = draw_histograms(ax, z, self.codes, self._all_names, colours)
        return counts if z.size > DENSITY_FROM else None

    def diagonal(self, ax: Any, z: FloatArray) -> None:
        edges = np.histogram_bin_edges(z, bins=30, range=whole_range(z))
        for i, look in enumerate(self._looks):
            share, _ = np.histogram(z[self.codes == i], edges)
            colour = look["color"]
            ax.stairs(share / max(share.sum(), 1), edges, color=colour, fill=True, alpha=0.25)
            ax.stairs(share / max(share.sum(), 1), edges, color=colour)

    def key(self, ax: Any, n_samples: int) -> None:
        """A legend inside the axes, or beside them where they are crowded."""
        names = self._all_names
        long = max(map(len, names)) > _LONG_NAME
        beside = {
            "loc": "center left",
            "bbox_to_anchor": (1.01, 0.5),
            "fontsize": 8 if long else None,
        }
        crowded = len(names) > _FEW_CLASSES or n_samples > _FEW_ROWS
        self._legend(ax, n_samples, **(beside if crowded else {}))

    def key_of_grid(self, axes: Array, n_samples: int) -> None:
        """A legend in the corner that has no pair."""
        place = {"loc": "upper right", "borderaxespad": 0.0}
        small = {"fontsize": 8, "ncols": 2} if len(self._all_names) > 10 else {}
        legend = self._legend(axes[0, -1], n_samples, **place, **small)
        legend.set_in_layout(False)  # a long one may reach down: the panels below are empty, too

    def _legend(self, ax: Any, n_samples: int, **place: Any) -> Any:
        """Of very many classes the first, and how many more there are."""
        line = matplotlib_module("lines").Line2D
        names = self.names[:_LONGEST_LEGEND]
        dot = {"linestyle": "none", "markersize": 6, "markeredgewidth": 0}
        marker = self.marker or ("o" if n_samples > RASTER_FROM else None)
        one = {} if marker is None else {"marker": marker}  # as drawn: many rows have one marker
        handles = [line([], [], **{**dot, **class_style(i), **one}) for i in range(len(names))]
        left_out = len(self.names) - len(names)
        if left_out:
            handles.append(line([], [], linestyle="none"))
            names = [*names, and_more(left_out)]
        if self.note:
            handles.append(line([], [], **{**dot, **GREY_LOOK, **one}))
            names = [*names, self.note]
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
    if target.values is not None:
        return ByValue(target.values, target.note)
    names = target.names if class_names is None else class_names
    if len(names) != len(target.names):
        raise ValueError(
            f"`class_names` must name each of the {len(target.names)} classes in y. "
            f"Got {len(names)}."
        )
    return ByClass(target.rank, [shown(name) for name in names], target.note, style.get("marker"))
