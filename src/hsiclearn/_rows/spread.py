"""How far rows spread along directions, and whether it is the rows or only a few of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._arrays import Array, FloatArray
from ._base import AbstractRows, Block

FLAT = 1e-6
"""Standard deviation, relative to that of the widest direction, that is rounding."""

_NARROW = 0.05  # of the bandwidth: distances change by some 0.1 %
_FEW, _SHARE = 10, 0.02  # rows are a handful: no more than ten, and no more than 2 % of all
_FEWEST = 20  # rows of which one may be an exception
_APART = 3.0  # times as far from the mean as any other row
_MOST_OF = 0.5  # the variance
_NUMBERS = 2**18  # at a time: 2 MB a thread


@dataclass(frozen=True, eq=False)
class Spread:
    """How far the rows of a fit spread along its directions.

    Attributes
    ----------
    deviations : ndarray of shape (q,)
        Standard deviation of the rows along each direction.
    carriers : tuple of q arrays of int
        For each direction that is *carried by few rows* those rows, the farthest first; else
        none. It is if at most ten rows and at most 2 % lie at least three times as far from the
        mean as all others, and make up more than half of the variance. Tails, also heavy ones,
        fall off gradually and are not meant; nor is a column of 0 and 1 with 3 % ones.
    shares : ndarray of shape (q,)
        Their share of the variance.
    n_samples : int
        Number of rows.
    bandwidth : float or None
        Of the kernel, beside which a direction may be narrow.
    """

    deviations: FloatArray
    carriers: tuple[Array, ...]
    shares: FloatArray
    n_samples: int
    bandwidth: float | None = None

    @property
    def narrow(self) -> Array:
        """Which directions add nothing to the kernel: see :func:`hardly_vary`."""
        return hardly_vary(self.deviations, self.bandwidth)

    def remarks(
        self,
        fewer: Callable[[int], str] = "n_components={}".format,
        names: Callable[[Array], str] = lambda rows: ", ".join(map(str, rows.tolist())),
    ) -> list[str]:
        """A sentence about each kind of direction that should not be read like the others.

        ``fewer`` says how to ask for so many components, ``names`` what to call rows.
        """
        narrow = self.narrow
        flat = narrow & (self.deviations <= FLAT * self.deviations.max())
        left = narrow.size - int(np.count_nonzero(narrow))
        # With fewer components the last ones go; one further up would stay.
        remedy = f"; try {fewer(max(1, left))}" if narrow[left:].all() else ""
        found = [self._flat_in_words(flat) + remedy] if flat.any() else []
        if (narrow & ~flat).any():
            found.append(self._narrow_in_words(narrow & ~flat) + remedy)
        return found + [
            f"component {k + 1} {self._carried_in_words(k, names)}"
            for k in np.flatnonzero(~narrow).tolist()
            if self.carriers[k].size
        ]

    def _flat_in_words(self, which: Array) -> str:
        verbs = ("is", "it says") if np.count_nonzero(which) == 1 else ("are", "they say")
        return f"{_components(which)} {verbs[0]} the same for all rows, so {verbs[1]} nothing"

    def _narrow_in_words(self, which: Array) -> str:
        one = np.count_nonzero(which) == 1
        sd = f"{self.deviations[which].max():.2g}{'' if one else ' at most'}"
        return (
            f"{_components(which)} hardly {'varies' if one else 'vary'} beside the bandwidth (sd "
            f"{sd}, bandwidth {self.bandwidth:.3g}): {'it adds' if one else 'they add'} nothing"
        )

    def _carried_in_words(self, k: int, names: Callable[[Array], str]) -> str:
        rows = self.carriers[k]
        plural = "" if rows.size == 1 else "s"
        return (
            f"is carried by {rows.size} of {self.n_samples} rows, far from all others and "
            f"{self.shares[k]:.0%} of its variance: row{plural} {names(rows)}. Look at "
            f"{'that one' if rows.size == 1 else 'those'} before reading its loadings"
        )


def _components(which: Array) -> str:
    numbers = [str(k + 1) for k in np.flatnonzero(which)]
    return f"component{'' if len(numbers) == 1 else 's'} {', '.join(numbers)}"


def hardly_vary(deviations: Array, bandwidth: float | None) -> Array:
    """Which directions add nothing to the kernel, by the standard deviation of rows along each.

    A kernel wider than all the rows sees no direction but by its width beside the others; one
    without a bandwidth sees every direction that varies at all.
    """
    deviations = np.asarray(deviations, dtype=np.float64)
    widest = float(deviations.max())
    scale = 0.0 if bandwidth is None else min(bandwidth, widest)
    return (deviations <= FLAT * widest) | (deviations < _NARROW * scale)


def spread_along(
    rows: AbstractRows, W: FloatArray, mean: FloatArray, bandwidth: float | None = None
) -> Spread:
    """How far the rows spread along the columns of W, from one pass over them.

    Parameters
    ----------
    rows : AbstractRows
    W : array of shape (n_features, q)
    mean : array of shape (n_features,)
        Mean of the rows.
    bandwidth : float or None
        Of the kernel.

    Returns
    -------
    Spread
    """
    n, rows = rows.n_samples, rows.centered(mean)
    most = min(_FEW, math.ceil(_SHARE * n)) if n >= _FEWEST else 0

    def task(place: slice, block: Block) -> tuple[FloatArray, Array, FloatArray]:
        squares = np.square(rows.project(block, W), dtype=np.float64)
        top = _largest(squares, most + 1)
        return squares.sum(axis=0), place.start + top, np.take_along_axis(squares, top, axis=0)

    size = max(most + 1, _NUMBERS // rows.n_features)
    totals, index, squares = zip(*rows.map(task, size), strict=True)
    total, places, farthest = np.sum(totals, axis=0), np.vstack(index), np.vstack(squares)
    order = _largest(farthest, most + 1)
    places, farthest = (np.take_along_axis(part, order, axis=0) for part in (places, farthest))
    counts = [_count_apart(farthest[:, k], total[k]) for k in range(total.size)]
    shares = [farthest[:m, k].sum() / total[k] if m else 0.0 for k, m in enumerate(counts)]
    carriers = tuple(places[:m, k] for k, m in enumerate(counts))
    return Spread(np.sqrt(total / n), carriers, np.array(shares), n, bandwidth)


def _largest(columns: FloatArray, count: int) -> Array:
    """Places of the largest entries of each column, from the largest down; of equals the first."""
    return np.argsort(-columns, axis=0, kind="stable")[:count]


def _count_apart(squares: FloatArray, total: float) -> int:
    """How many rows, at most one fewer than given, lie apart and make up most of the total."""
    apart = squares[:-1] > _APART**2 * squares[1:]
    most = np.cumsum(squares[:-1]) > _MOST_OF * total
    return int(np.flatnonzero(apart & most)[-1]) + 1 if np.any(apart & most) else 0
