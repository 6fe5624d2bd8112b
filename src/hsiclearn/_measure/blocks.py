"""Unbiased HSIC on disjoint blocks of rows: their mean, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import Array, FloatArray
from .._threads import map_in_order, single_threaded_blas
from .pairs import exact_sums
from .side import AbstractSide

__all__ = ["BlockValues", "block_values"]

_FEWEST = 5  # blocks; the spread of fewer says nothing


@dataclass(frozen=True)
class BlockValues:
    """HSIC of X and Y, of X and of Y with itself, one row per block."""

    values: FloatArray

    @property
    def n_blocks(self) -> int:
        """Their number."""
        return self.values.shape[0]

    def hsic(self) -> tuple[float, float]:
        """The mean over blocks and its standard error."""
        xy = self.values[:, 0]
        return float(xy.mean()), float(xy.std(ddof=1) / np.sqrt(self.n_blocks))

    def cka(self) -> tuple[float, float]:
        """The ratio of the means and its standard error, by leaving out one block at a time."""
        m = self.n_blocks
        rest = (self.values.sum(axis=0) - self.values) / (m - 1)
        left_out = np.array([_ratio(*means) for means in rest])
        error = np.sqrt((m - 1) / m * np.sum((left_out - left_out.mean()) ** 2))
        return _ratio(*self.values.mean(axis=0)), float(error)


def _ratio(xy: float, xx: float, yy: float) -> float:
    """0 where a side does not vary, as the unbiased estimator sees it, but for rounding."""
    if not (xx > 0.0 and yy > 0.0):
        return 0.0
    return float(np.clip(xy / (np.sqrt(xx) * np.sqrt(yy)), -1.0, 1.0))


def block_values(
    x: AbstractSide, y: AbstractSide, block_size: int, rng: np.random.Generator
) -> BlockValues:
    """Rows in a random order, cut into blocks; the few that do not fill one are left out."""
    n = x.n_samples
    n_blocks = n // block_size
    if n_blocks < _FEWEST:
        raise ValueError(
            f"engine='block' needs at least {_FEWEST} blocks. Got {n} rows in blocks of "
            f"{block_size}: pass block_size <= {n // _FEWEST}, or use engine='tiled'."
        )
    order = rng.permutation(n)[: n_blocks * block_size].reshape(n_blocks, block_size)

    def task(index: Array) -> list[float]:
        sums = exact_sums(x.take(index), y.take(index))
        return [some.hsic("unbiased") for some in (sums, sums.of_x, sums.of_y)]

    with single_threaded_blas():
        return BlockValues(np.array(list(map_in_order(task, order))))
