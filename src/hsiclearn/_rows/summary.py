"""What one pass over the rows tells: mean, range, and how far they spread along directions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._arrays import Array, FloatArray, array_namespace
from .._columns import Column
from .._devices import beside, in_dtype, is_foreign, to_host
from .._weights import total_weight
from ..exceptions import DegenerateDataError
from ._base import CHUNK, AbstractRows, Block

_SMALLEST = 1e-140  # spread: the square of a millionth of it is still a number
_LARGEST = 1e70  # a Hessian multiplies four entries
_SINGLE = 1e-20, 1e17  # a covariance is still a number, to some digits
_FLAT = 1e-6  # standard deviation, relative to that of the widest direction, that is rounding
_NARROW = 0.05  # of the bandwidth: distances change by some 0.1 %
_FEW, _SHARE = 10, 0.02  # rows are a handful: no more than ten, and no more than 2 % of all
_FEWEST = 20  # rows of which one may be an exception
_APART = 3.0  # times as far from the mean as any other row
_MOST_OF = 0.5  # the variance
_NUMBERS = 2**18  # at a time: 2 MB a thread


@dataclass(frozen=True)
class Summary:
    """Column statistics of finite rows."""

    mean: FloatArray
    lowest: FloatArray
    highest: FloatArray
    is_single: bool = False
    """Whether the rows are in single precision."""


def summarise(rows: AbstractRows, name: str = "X", weights: Column | None = None) -> Summary:
    """One pass over uncentred rows; an error if an entry is not finite or too large to square.

    The mean is that by weight, where rows have weights.
    """

    def task(place: slice, block: Block) -> _Sums:
        low, high, total = _range_and_sum(block, None if weights is None else weights[place])
        bad = np.flatnonzero(~(np.isfinite(low) & np.isfinite(high)))  # both survive min and max
        if bad.size:
            raise ValueError(
                f"{name} must be finite. {bad.size} columns hold NaN or infinite entries, the "
                f"first of them column {bad[0]}: impute or drop."
            )
        check_magnitude(low, high)
        return total, low.astype(np.float64), high.astype(np.float64)

    total, lowest, highest = rows.fold(task, _merged, name="summarise")
    n = rows.n_samples if weights is None else total_weight(weights)
    return Summary(total / n, lowest, highest, rows.dtype == np.float32)


def _range_and_sum(block: Block, weights: FloatArray | None) -> _Sums:
    """The lowest and the highest entry of each column, and its sum."""
    if is_foreign(block):
        xp = array_namespace(block)
        numbers = in_dtype(block, np.float64)
        if weights is not None:
            numbers = numbers * beside(weights, numbers)[:, None]
        found = xp.min(block, axis=0), xp.max(block, axis=0), xp.sum(numbers, axis=0)
        return tuple(map(to_host, found))
    low, high = block.min(axis=0), block.max(axis=0)
    if not isinstance(block, np.ndarray):
        low, high = low.toarray().ravel(), high.toarray().ravel()
    if weights is not None:
        with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is said below
            return low, high, np.asarray(block.T @ weights, dtype=np.float64)
    return low, high, np.asarray(block.sum(axis=0, dtype=np.float64))


_Sums = tuple[FloatArray, FloatArray, FloatArray]


def _merged(a: _Sums, b: _Sums) -> _Sums:
    """The total, the lowest and the highest of two parts."""
    return a[0] + b[0], np.minimum(a[1], b[1]), np.maximum(a[2], b[2])


def varying_columns(summary: Summary, n_samples: int, n_components: int = 1) -> Array:
    """A mask of the columns that vary; an error if none does, or none enough to be squared.

    All columns where there are fewer than components: constants must fill up.
    """
    varying = summary.lowest < summary.highest
    if not varying.any():
        raise DegenerateDataError(
            f"All {varying.size} columns of X are constant over {n_samples} rows: no direction can "
            "carry dependence. Pass data that vary."
        )
    widest = float(np.max(summary.highest - summary.lowest))
    if widest < _SMALLEST:
        raise DegenerateDataError(
            f"X must vary by {_SMALLEST:g} at least, so that squares do not vanish. Its widest "
            f"column varies by {widest:.3g}. Divide X by its largest entry first."
        )
    check_single(summary)
    if n_components > np.count_nonzero(varying):
        varying[:] = True
    return varying


def check_single(summary: Summary) -> None:
    """Raise where squares of rows in single precision are lost: chunks are multiplied in it."""
    widest = float(np.max(summary.highest - summary.lowest))
    largest = float(max(np.max(np.abs(summary.lowest)), np.max(np.abs(summary.highest))))
    if summary.is_single and (largest > _SINGLE[1] or 0.0 < widest < _SINGLE[0]):
        raise ValueError(
            f"X in single precision must vary by {_SINGLE[0]:g} at least and be {_SINGLE[1]:g} at "
            f"most, so that no square is lost. Its widest column varies by {widest:.3g}, its "
            f"largest entry is {largest:.3g}. Scale the columns, or pass them as float64."
        )


def check_directions(W: FloatArray) -> None:
    """Raise unless the columns of a start, on the columns of X that vary, are independent."""
    rank = np.linalg.matrix_rank(W) if np.all(np.isfinite(W)) else 0
    if rank < W.shape[1]:
        raise ValueError(
            f"The {W.shape[1]} directions of `init` must be finite and independent on the "
            f"columns that vary. Their rank is {rank}."
        )


def column_deviations(
    rows: AbstractRows, mean: FloatArray, weights: Column | None = None
) -> FloatArray:
    """Standard deviation of every column of rows of this mean, from one pass over them."""

    def task(place: slice, block: Block) -> FloatArray:
        v = None if weights is None else weights[place]
        if rows.is_sparse:
            squares = block.multiply(block)
            total = squares.sum(axis=0) if v is None else squares.T @ v
            return np.asarray(total, dtype=np.float64).ravel()
        return sums_of_squares(block, axis=0) if v is None else _weighted_squares(block, v)

    n = rows.n_samples if weights is None else total_weight(weights)
    squares = rows.centered(mean).fold(task, name="deviations") / n
    # A sparse block keeps its zeros: its squares are from 0, not from the mean.
    return np.sqrt(np.maximum(squares - (np.square(mean) if rows.is_sparse else 0.0), 0.0))


def sums_of_squares(block: Array, axis: int) -> FloatArray:
    """Of the rows or the columns of a dense chunk, in float64, on the host."""
    if is_foreign(block):
        return to_host(array_namespace(block).sum(in_dtype(block, np.float64) ** 2, axis=axis))
    return np.einsum("ij,ij->" + "ji"[axis], block, block, dtype=np.float64)


def _weighted_squares(block: Array, weights: FloatArray) -> FloatArray:
    """``sum_i v_i x_ij^2`` of the columns of a dense chunk, in float64, on the host."""
    if is_foreign(block):
        squares = in_dtype(block, np.float64) ** 2
        return to_host(beside(weights, squares) @ squares)
    return np.einsum("i,ij,ij->j", weights, block, block, dtype=np.float64)


def projected_covariance(
    rows: AbstractRows, W: FloatArray, mean: FloatArray, weights: Column | None = None
) -> FloatArray:
    """``W'SW``, (q, q), S the covariance of rows of this mean, from one pass over them."""
    centred = rows.centered(mean)

    def task(place: slice, block: Block) -> FloatArray:
        w = in_dtype(centred.project(block, W), np.float64)
        xp = array_namespace(w)
        w1 = xp.concat([w, xp.ones_like(w[:, :1])], axis=1)
        if weights is not None:
            return to_host(w1.T @ (beside(weights[place], w1)[:, None] * w1))
        return to_host(w1.T @ w1)

    n = rows.n_samples if weights is None else total_weight(weights)
    moments = centred.fold(task, name="spread") / n
    rest = moments[:-1, -1]  # the mean is rounded
    return moments[:-1, :-1] - np.outer(rest, rest)


def rows_stand_out(rows: AbstractRows, share: float) -> bool:
    """Whether one row carries more than a share of the variance of a column; of sparse ones yes.

    Of rows that do, a sample has all or nothing.
    """
    if rows.is_sparse:
        return True
    origin = rows.take(np.arange(min(rows.n_samples, CHUNK))).mean(axis=0)

    def task(_: slice, block: Block) -> _Sums:
        xp = array_namespace(block)
        apart = in_dtype(block, np.float64) - beside(origin, block, np.float64)
        squares = apart * apart
        found = xp.sum(apart, axis=0), xp.sum(squares, axis=0), xp.max(squares, axis=0)
        return tuple(map(to_host, found))

    def merged(a: _Sums, b: _Sums) -> _Sums:
        return a[0] + b[0], a[1] + b[1], np.maximum(a[2], b[2])

    total, squares, farthest = rows.fold(task, merged, name="deviations")
    mean, square = total / rows.n_samples, squares / rows.n_samples
    variance = np.maximum(square - np.square(mean), 0.0)
    return bool((farthest > share * rows.n_samples * variance + 4.0 * np.square(mean)).any())


def is_far_from_zero(rows: AbstractRows, summary: Summary) -> bool:
    """Whether a column has no zeros and a mean that dwarfs its range, such as a year.

    Squares of such a column cancel: a mean of 10 ranges costs two digits, more than single
    precision can spare. A column with zeros has its mean within its range.
    """
    limit = 1.0 if rows.dtype == np.float32 else 10.0
    return bool(np.any(np.abs(summary.mean) > limit * (summary.highest - summary.lowest)))


def check_magnitude(low: FloatArray, high: FloatArray) -> None:
    """Raise unless squares of numbers between these are finite."""
    largest = float(max(np.max(np.abs(low), initial=0.0), np.max(np.abs(high), initial=0.0)))
    if largest > _LARGEST:
        raise ValueError(
            f"The squares of X must be finite: |X| <= {_LARGEST:g}. The largest entry seen is "
            f"{largest:g}. Scale the columns."
        )


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
        flat = narrow & (self.deviations <= _FLAT * self.deviations.max())
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
        is_, says = ("is", "it says") if np.count_nonzero(which) == 1 else ("are", "they say")
        return f"{_components(which)} {is_} the same for all rows, so {says} nothing"

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
    return (deviations <= _FLAT * widest) | (deviations < _NARROW * scale)


def spread_along(
    rows: AbstractRows,
    W: FloatArray,
    mean: FloatArray,
    bandwidth: float | None = None,
    weights: Column | None = None,
) -> Spread:
    """How far rows of this mean spread along the columns of W, from one pass over them.

    With weights the deviations are of the table with repeated rows. Rows that carry a direction are
    those few without which its variance would be small, whatever they weigh.
    """
    n, rows = rows.n_samples, rows.centered(mean)
    most = min(_FEW, math.ceil(_SHARE * n)) if n >= _FEWEST else 0
    unit = 1.0 if weights is None else n / total_weight(weights)

    def task(place: slice, block: Block) -> tuple[Array, ...]:
        squares = in_dtype(rows.project(block, W), np.float64) ** 2
        top, farthest = _largest_and_places(squares, most + 1)
        times = np.ones(farthest.shape)
        if weights is not None:
            v = unit * weights[place]
            squares, times = squares * beside(v, squares)[:, None], v[top]
        total = to_host(array_namespace(squares).sum(squares, axis=0))
        return total, place.start + top, farthest, times

    def merged(a: tuple[Array, ...], b: tuple[Array, ...]) -> tuple[Array, ...]:
        both = [np.vstack(pair) for pair in zip(a[1:], b[1:], strict=True)]
        top = _largest(both[1], most + 1)
        return a[0] + b[0], *(np.take_along_axis(part, top, axis=0) for part in both)

    size = max(most + 1, _NUMBERS // rows.n_features)
    total, places, farthest, times = rows.fold(task, merged, size=size, name="spread")
    parts = times * farthest
    counts = [_count_apart(farthest[:, k], parts[:, k], total[k]) for k in range(total.size)]
    shares = [parts[:m, k].sum() / total[k] if m else 0.0 for k, m in enumerate(counts)]
    carriers = tuple(places[:m, k] for k, m in enumerate(counts))
    return Spread(np.sqrt(total / n), carriers, np.array(shares), n, bandwidth)


def _largest(columns: FloatArray, count: int) -> Array:
    """Places of the largest entries of each column, from the largest down; of equals the first."""
    return np.argsort(-columns, axis=0, kind="stable")[:count]


def _largest_and_places(columns: Array, count: int) -> tuple[Array, FloatArray]:
    """The same of a chunk wherever it is, and what stands there, on the host."""
    if not is_foreign(columns):
        top = _largest(columns, count)
        return top, np.take_along_axis(columns, top, axis=0)
    xp = array_namespace(columns)
    order = xp.argsort(columns, axis=0, descending=True, stable=True)[:count, ...]
    parts = [xp.take(columns[:, k], order[:, k], axis=0) for k in range(columns.shape[1])]
    return to_host(order), to_host(xp.stack(parts, axis=1))


def _count_apart(squares: FloatArray, parts: FloatArray, total: float) -> int:
    """How many rows, at most one fewer than given, lie apart and make up most of the total."""
    apart = squares[:-1] > _APART**2 * squares[1:]
    most = np.cumsum(parts[:-1]) > _MOST_OF * total
    return int(np.flatnonzero(apart & most)[-1]) + 1 if np.any(apart & most) else 0
