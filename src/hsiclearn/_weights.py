r"""Weights of rows: a row of weight 2 stands there twice, one of weight 0 not at all.

Whoever reads a ``sample_weight`` does it here, and whoever looks at some of the rows alone draws
them here. Everything else is the formula of the table with repeated rows, written with weights.
"""

from __future__ import annotations

from operator import add
from typing import Any

import numpy as np

from ._arrays import Array, FloatArray, array_namespace
from ._columns import AbstractColumn, Column, as_values, fold, mapped, summed
from ._devices import beside, here, is_foreign

_LARGEST, _SMALLEST = 1e100, 1e-100  # of their sum: products of two of them are taken


def as_weights(sample_weight: Any, n_samples: int, name: str = "sample_weight") -> Column | None:
    """Weights of rows as float64, (n,): finite, none negative, at least two positive; or an error.

    None stays, and weights that are all 1 are None: the fit without them is the same fit. What is
    passed is copied. Values of Dask beside rows of Dask come as an :class:`AbstractColumn`, and
    stay one; those of a device come to the host.
    """
    if sample_weight is None:
        return None
    given = as_values(here(sample_weight))
    if given.shape != (n_samples,):
        raise ValueError(
            f"`{name}` must have one number for each of the {n_samples} rows, a vector. Got shape "
            f"{given.shape}. Leave it out if all rows count the same."
        )

    def read(values: Array) -> FloatArray:
        return _numbers(values, name)

    weights = mapped(given, read)
    smallest, largest, total, n_positive, n_ones = fold(weights, _account, _merged, "weights")
    if smallest < 0.0:
        raise ValueError(
            f"`{name}` must hold no negative number. Got {smallest:g}. Give rows that are not to "
            "count weight 0."
        )
    if n_positive < 2:
        which = "zero on every row" if n_positive == 0 else "zero on all rows but one"
        raise ValueError(
            f"`{name}` must be positive on at least 2 rows, but this weight is {which} of "
            f"{n_samples}. Raise some of them."
        )
    if not _SMALLEST <= total <= _LARGEST:
        raise ValueError(
            f"`{name}` must have a sum in {_SMALLEST:g} .. {_LARGEST:g}, so that products of two "
            f"weights are numbers. Got {total:g}, the largest {largest:g}. Divide by the mean."
        )
    return None if n_ones == n_samples else weights


def _numbers(values: Array, name: str) -> FloatArray:
    """A part of the weights, as a copy."""
    kind = values.dtype.kind
    try:
        if kind not in "fiubO":
            raise TypeError
        numbers: FloatArray = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"`{name}` must hold numbers. Got dtype {values.dtype}, first {values[:1].tolist()!r}."
        ) from error
    if not np.all(np.isfinite(numbers)):
        where = np.flatnonzero(~np.isfinite(numbers))
        raise ValueError(
            f"`{name}` must be finite. {where.size} of {numbers.size} weights are NaN or infinite, "
            f"the first {numbers[where[0]]}. Give rows that are not to count weight 0."
        )
    return numbers


_Account = tuple[float, float, float, int, int]


def _account(_: slice, values: FloatArray) -> _Account:
    """Smallest, largest, sum, how many are positive, and how many are 1."""
    with np.errstate(over="ignore"):
        total = float(values.sum())
    smallest, largest = float(values.min(initial=np.inf)), float(values.max(initial=0.0))
    n_positive, n_ones = np.count_nonzero(values > 0), np.count_nonzero(values == 1)
    return smallest, largest, total, int(n_positive), int(n_ones)


def _merged(a: _Account, b: _Account) -> _Account:
    return min(a[0], b[0]), max(a[1], b[1]), a[2] + b[2], a[3] + b[3], a[4] + b[4]


def total_weight(weights: Column) -> float:
    """V, the sum."""
    return float(summed(weights, lambda values: values.sum()))


def worth(weights: Column) -> float:
    r"""How many rows weighted ones are worth: ``max(V, V^2 / sum_i v_i^2)``.

    Weights that are counts are worth as many rows as they stand for, V; such as are shares of a
    whole, V = 1, as many as they would be if all were equal (Kish).
    """
    total, squares = (float(s) for s in summed(weights, _sum_and_squares))
    return max(total, total**2 / squares)


def _sum_and_squares(values: FloatArray) -> FloatArray:
    return np.array([values.sum(), values @ values])


def weights_of_classes(codes: Column, weights: Column, n_classes: int) -> FloatArray:
    """The sum of the weights of the rows of each class."""

    def of_part(place: slice, some: Array) -> FloatArray:
        return np.bincount(some, weights[place], minlength=n_classes).astype(np.float64)

    return fold(codes, of_part, add, "count")


def are_same(a: Column | None, b: Column | None) -> bool:
    """Whether two are the same weights."""
    if a is b or a is None or b is None:
        return a is b
    return not isinstance(a, AbstractColumn) and np.array_equal(a, b)


def positive_rows(weights: Column | None) -> Array | None:
    """The numbers of the rows that count, ascending; None where all do, or rows are elsewhere."""
    if weights is None or isinstance(weights, AbstractColumn) or bool(np.all(weights > 0)):
        return None
    return np.flatnonzero(weights > 0)


def rows_at(values: Any, index: Array) -> Any:
    """Some rows of whatever is beside a table: a list, an array, a series, a frame."""
    if is_foreign(values):
        return array_namespace(values).take(values, beside(index, values, np.int64), axis=0)
    if hasattr(values, "iloc"):
        return values.iloc[index]
    if isinstance(values, list | tuple):
        return [values[i] for i in index.tolist()]
    if hasattr(values, "shape") and hasattr(values, "__getitem__"):  # an array, or polars
        return values[index]
    return np.asarray(values)[index]


def draw_weighted(weights: Column, most: int, rng: np.random.Generator) -> tuple[Array, FloatArray]:
    r"""All rows that count, or ``most`` of them drawn with ``rng``, ascending; and their weights.

    Priority sampling (Duffield, Lund and Thorup): with u_i uniform in (0, 1], those of the largest
    ``v_i / u_i`` are taken. With t the largest of the others, the weights ``max(v_i, t)`` have the
    sums of ``v`` over any rows in expectation. They come in units of t, ``max(v_i / t, 1)``: so a
    draw from rows of equal weight is of weight 1 each, as one from the table of repeated rows would
    be, of which hardly any row is drawn twice.
    """
    seed = int(rng.integers(2**63))

    def best(parts: list[tuple[FloatArray, Array, FloatArray]]) -> Any:
        priority, index, v = (np.concatenate(part) for part in zip(*parts, strict=True))
        if index.size > most + 1:
            top = np.argpartition(-priority, most)[: most + 1]
            priority, index, v = priority[top], index[top], v[top]
        return priority, index, v

    def of_part(place: slice, v: FloatArray) -> Any:
        some = np.flatnonzero(v > 0)
        u = 1.0 - _uniform(seed, place.start, v.size)[some]
        return best([(v[some] / u, place.start + some, v[some])])

    priority, index, v = fold(weights, of_part, lambda a, b: best([a, b]), "draw")
    if index.size > most:
        last = np.argmin(priority)
        threshold = priority[last]
        index, v = np.delete(index, last), np.maximum(np.delete(v, last) / threshold, 1.0)
    order = np.argsort(index)
    return index[order], v[order]


def _uniform(seed: int, start: int, count: int) -> FloatArray:
    """Numbers ``start .. start + count`` of a stream in [0, 1): the same however it is cut."""
    made = np.random.Philox(seed).advance(start // 4)  # four of them a step
    numbers: FloatArray = np.random.Generator(made).random(start % 4 + count)[start % 4 :]
    return numbers
