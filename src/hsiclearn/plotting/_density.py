"""Rows counted on a grid, for pictures of more rows than can be drawn one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray

__all__ = ["Grid", "whole_range"]

_FAINTEST = 0.35  # opacity of a cell with one row
_ROUNDING = 1e-12  # relative; numbers that differ by less are the same


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
        (left, right), (low, high) = _limits(x), _limits(y)
        column = _cells(x, left, right, size)
        column += size * _cells(y, low, high, size)
        return cls(column, size, (left, right, low, high))

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
        channels = [self.means(colours[codes, channel]) for channel in range(3)]
        return np.dstack([np.nan_to_num(np.array(c)) for c in channels] + [self.opacity()])

    def draw(self, ax: Any, image: FloatArray, **settings: Any) -> Any:
        """Put an image of the cells on axes."""
        ax.set(xlim=self.extent[:2], ylim=self.extent[2:])
        return ax.imshow(
            image,
            extent=self.extent,
            origin="lower",
            aspect="auto",
            interpolation="nearest",
            **settings,
        )


def whole_range(values: FloatArray) -> tuple[float, float]:
    """The lowest and the highest value, or a range about them where they are the same.

    Up to rounding: a range of a few units in the last place cannot be divided into cells.
    """
    low, high = float(values.min()), float(values.max())
    largest = max(abs(low), abs(high))
    if high - low > _ROUNDING * largest:
        return low, high
    return low - 0.5 * (largest or 1.0), high + 0.5 * (largest or 1.0)


def _limits(values: FloatArray) -> tuple[float, float]:
    """A little beyond the lowest and highest value, so that no row lies on the frame."""
    low, high = whole_range(values)
    margin = 0.02 * (high - low)
    return low - margin, high + margin


def _cells(values: FloatArray, low: float, high: float, size: int) -> Array:
    position = (values - low) * (size / (high - low))
    return np.clip(position.astype(np.int64), 0, size - 1)
