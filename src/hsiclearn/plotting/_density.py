"""Ranges and counts: rows on a grid of cells, along a line, and those too far off to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray

_FAINTEST = 0.35  # opacity of a cell with one row
_ROUNDING = 1e-12  # relative; numbers that differ by less are the same
_TAILS = (0.025, 0.975)
_SQUASHED = 4.0  # whole range over that of the central 95 %
_FENCE = 1.0  # of that range, to either side: six deviations of a normal sample
_TALLEST = 0.75  # of the distance between two baselines
_MOST_TICKS = 2000  # of a rug: as many as there are pixels
_MOST_NAMES = 25


@dataclass(frozen=True)
class Grid:
    """Cells over the rectangle that the rows span, and the cell of each row.

    A pass over the rows costs some 10 ms per million, whatever the number of classes.
    """

    cell: Array
    size: int
    extent: tuple[float, float, float, float]

    @classmethod
    def over(cls, x: FloatArray, y: FloatArray, size: int) -> Grid:
        """``size x size`` cells."""
        column, left, right = _cells(x, size)
        row, low, high = _cells(y, size)
        return cls(column + size * row, size, (left, right, low, high))

    def of(self, rows: Array | slice) -> Grid:
        """The same cells with some of the rows."""
        return replace(self, cell=self.cell[rows])

    def counts(self) -> FloatArray:
        """Rows per cell, the first row of cells lowest."""
        return self.sums(None)

    def sums(self, weights: FloatArray | None) -> FloatArray:
        """Sum of the weights of the rows in each cell."""
        flat = np.bincount(self.cell, weights, minlength=self.size**2)
        return flat.reshape(self.size, self.size).astype(np.float64)

    def means(self, values: FloatArray) -> FloatArray:
        """Mean of the values in each cell; NaN where there is no row."""
        counts = self.counts()
        return np.where(counts > 0, self.sums(values) / np.maximum(counts, 1.0), np.nan)

    def opacity(self, faintest: float = _FAINTEST) -> FloatArray:
        """By the logarithm of the count, so that single rows show beside dense places."""
        counts = self.counts()
        share = np.log1p(counts) / np.log1p(max(float(counts.max()), 1.0))
        return np.where(counts > 0, faintest + (1.0 - faintest) * share, 0.0)

    def blended(self, codes: Array, colours: FloatArray) -> FloatArray:
        """An RGBA image: the mean colour of the rows in each cell, opaque where there are many."""
        channels = [np.nan_to_num(self.means(colours[codes, channel])) for channel in range(3)]
        return np.dstack([*channels, self.opacity()])

    def draw(self, ax: Any, image: FloatArray, **settings: Any) -> Any:
        """Put an image of the cells on axes."""
        ax.set(xlim=self.extent[:2], ylim=self.extent[2:])
        look = {"origin": "lower", "aspect": "auto", "interpolation": "nearest"}
        return ax.imshow(image, extent=self.extent, **look, **settings)


def whole_range(values: FloatArray) -> tuple[float, float]:
    """The lowest and the highest value, or a range about them where they are the same.

    Up to rounding: a range of a few units in the last place cannot be divided into cells.
    """
    low, high = float(values.min()), float(values.max())
    largest = max(abs(low), abs(high))
    if high - low > _ROUNDING * largest:
        return low, high
    return low - 0.5 * (largest or 1.0), high + 0.5 * (largest or 1.0)


def _cells(values: FloatArray, size: int) -> tuple[Array, float, float]:
    """The cell of each value, and where cells begin and end: no row lies on the frame."""
    low, high = whole_range(values)
    margin = 0.02 * (high - low)
    low, high = low - margin, high + margin
    position = (values - low) * (size / (high - low))
    return np.clip(position.astype(np.int64), 0, size - 1), low, high


def opening_range(values: Array) -> tuple[float, float] | None:
    """Where the picture begins and ends; None where it shows the whole."""
    low, high = float(np.min(values)), float(np.max(values))
    a, b = (float(q) for q in np.quantile(values, _TAILS))
    if not high - low > _SQUASHED * (b - a) or b <= a:
        return None
    fence = _FENCE * (b - a)
    within = np.asarray(values)[(values >= a - fence) & (values <= b + fence)]
    return float(within.min()), float(within.max())


def clipped(Z: FloatArray) -> tuple[FloatArray, int]:
    """Columns with rows beyond their opening range moved to its edge, and how many those are."""
    ranges = [opening_range(z) or (-np.inf, np.inf) for z in Z.T]
    inside = np.clip(Z, *np.array(ranges).T)
    return inside, int(np.count_nonzero(np.any(inside != Z, axis=1)))


def draw_histograms(
    ax: Any, z: FloatArray, codes: Array, names: Sequence[str], colours: Sequence[str]
) -> FloatArray:
    """Draw, and return the counts, a row per class. Equal areas are equal shares of a class."""
    bins = int(np.clip(2.0 * np.sqrt(z.size), 6, 100))
    edges = np.histogram_bin_edges(z, bins, whole_range(z))
    below = min(0.03 * len(names), 0.12)  # the rug, as a share of the distance of two baselines
    counts = np.array([np.histogram(z[codes == i], edges)[0] for i in range(len(names))], float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    heights = _TALLEST * shares / shares.max()
    for i, (height, colour) in enumerate(zip(heights, colours, strict=True)):
        ax.stairs(i + height, edges, baseline=i, fill=True, color=colour)
        rug(ax, z[codes == i], i - below, colour)
    every = -(-len(names) // _MOST_NAMES)
    ax.set_yticks(range(0, len(names), every), names[::every])
    return counts


def rug(ax: Any, z: FloatArray, height: float, colour: str) -> None:
    """A short tick per row; where there are more rows than pixels, per place that has a row."""
    if z.size > _MOST_TICKS:
        low, width = float(z.min()), float(np.ptp(z)) or 1.0
        z = low + np.unique(np.round((z - low) * (_MOST_TICKS / width))) * (width / _MOST_TICKS)
    ax.scatter(z, np.full(z.size, height), marker="|", s=30, linewidths=0.8, color=colour)
