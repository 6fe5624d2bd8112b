"""What a user passes as X and Y: values that are here, or columns of rows that are elsewhere.

Few rows of Dask are read and checked where they are, and fetched: then all is as in memory. Of many
nothing comes here but sums, a few hundred landmarks and samples of a few thousand rows. Arrays on a
device stay there.
"""

from __future__ import annotations

from functools import partial
from operator import and_
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from .._columns import AbstractColumn, Column, fold
from .._devices import is_foreign, is_on_host, name_of_device, to_host
from .._paradigms import missing_among
from .._rows import columns_together, is_dask
from .._weights import as_weights
from ._device import Device, device_of
from .evaluation import TILED_AT_MOST
from .single_rows import SingleRows
from .weighted import counted, sum_of

_FEW_ROWS = TILED_AT_MOST  # what engine="auto" may visit all pairs of
_FEW_NUMBERS = 2**25  # 256 MB of both sides together


class GivenSide(NamedTuple):
    """One of the two, with the name that messages have for it."""

    values: Any
    name: str
    is_few: bool = False
    device: Device | None = None
    weights: Column | None = None
    """Of the rows, positive; None where each counts once."""
    total: float | None = None
    """Their sum: how many rows the table has in which each is repeated."""

    @property
    def letter(self) -> str:
        """As in the names of parameters."""
        return self.name.lower()

    def here(self, column: Column) -> Column:
        """A column of it as an array, where its rows are few."""
        return column[:] if self.is_few and isinstance(column, AbstractColumn) else column


def as_given(
    X: Any,
    Y: Any,
    sample_weight: Any = None,
    are_matrices: tuple[bool, bool] = (False, False),
    single: SingleRows | None = None,
) -> tuple[GivenSide, GivenSide]:
    """Both as they are; where one is of Dask, both as columns in the same chunks.

    Where one is on a device, both are meant for it; in the memory of the host it is as good as an
    ndarray. Rows of weight 0 are left out, and all are repeated where something needs
    single rows.
    """
    device = device_of(X, Y)
    X, Y = (to_host(values) if is_on_host(values) else values for values in (X, Y))
    if is_there := device is not None and (is_foreign(X) or is_foreign(Y)):
        _check_movable(X, Y)
    if is_there or not (is_dask(X) or is_dask(Y)):
        X, Y, weights = counted(X, Y, sample_weight, are_matrices, single)
        more = (False, device if is_there else None, weights, sum_of(weights))
        return GivenSide(X, "X", *more), GivenSide(Y, "Y", *more)
    collections = {"X": X, "Y": Y}
    if sample_weight is not None:
        collections["sample_weight"] = sample_weight
    # A single column is looked at more than once, for what it is; a table only as numbers.
    x, y, *rest = (c.kept() if c.ndim == 1 else c for c in columns_together(collections))
    is_few = len(x) <= _FEW_ROWS and x.size + y.size <= _FEW_NUMBERS
    far = _far_weights(rest[0], single) if rest else None
    more = (is_few, None, far[:] if is_few and far is not None else far, sum_of(far))
    return GivenSide(x, "X", *more), GivenSide(y, "Y", *more)


def _far_weights(sample_weight: AbstractColumn, single: SingleRows | None) -> Column | None:
    """Weights beside rows of Dask, all positive."""
    weights = as_weights(sample_weight, len(sample_weight))
    if weights is None:
        return None
    if single is not None:
        raise ValueError(
            f"{single.why}, and rows of Dask are not repeated as often as `sample_weight` says: "
            f"{single.remedy}, or pass X, Y and sample_weight in memory."
        )
    if not fold(weights, lambda _, part: bool(np.all(part > 0.0)), and_, "check"):
        raise ValueError(
            "`sample_weight` beside rows of Dask must be positive: rows of weight 0 would still "
            "be read. Leave them out of the collections, such as X[sample_weight > 0]."
        )
    return weights


def _check_movable(X: Any, Y: Any) -> None:
    """Raise where one side is on a device and the other cannot go there."""
    for values, name, other in ((X, "X", Y), (Y, "Y", X)):
        what = "a sparse matrix" if sparse.issparse(values) else "rows of Dask"
        if sparse.issparse(values) or is_dask(values):
            raise ValueError(
                f"Beside an array on a device {name} must be an array, there or of numpy. Got "
                f"{what}: pass {name} dense and in memory, or pass both sides on the host "
                f"(the other one is on {name_of_device(other)})."
            )


def far_labels(labels: AbstractColumn, name: str) -> AbstractColumn:
    """The labels, none missing: an error names the chunk."""

    def check(_: slice, part: Array) -> bool:
        if missing := int(np.count_nonzero(missing_among(part))):
            raise ValueError(missing_labels(name, missing, part.size))
        return True

    labels.fold(check, and_, "check")
    return labels


def far_numbers(values: AbstractColumn, name: str) -> AbstractColumn:
    """As a matrix in double precision, which may hold NaN; what is no number is an error."""
    as_doubles = partial(_as_doubles, name=name)
    if values.dtype.kind not in "fiub":
        values.fold(lambda _, part: as_doubles(part).size > 0, and_, "check")  # names the chunk
    if values.ndim == 1 or values.dtype != np.float64:
        values = values.map(as_doubles, is_kept=False)
    return values.kept()


def _as_doubles(values: Any, name: str) -> FloatArray:
    """Rows of a chunk; what is missing among objects is NaN."""
    if values.dtype.kind == "O":
        values = np.where(missing_among(values), np.nan, values)
    try:
        doubles: FloatArray = values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(no_numbers(name, values.dtype)) from error
    return doubles[:, None] if doubles.ndim == 1 else doubles


def no_numbers(name: str, dtype: np.dtype[Any]) -> str:
    """What is wrong with a side of which a kernel needs numbers."""
    return (
        f"{name} must hold numbers for this kernel. Got dtype {dtype}. For labels pass one column, "
        "and kernel 'delta' or 'auto'."
    )


def missing_labels(name: str, missing: int, n: int) -> str:
    """What is wrong with labels of which some are missing."""
    return (
        f"{name} contains NaN: {missing} of {n} labels are missing. Drop those rows, or give them "
        "a label of their own."
    )
