r"""Rows that count differently: one of weight 2 is there twice, one of weight 0 is absent.

Sums take weights as they are. Let row i stand v_i times in a table of ``n = V = sum_i v_i`` rows,
and let ``r_i = sqrt(v_i)``. Sums over that table are sums over the rows that there are, with
``r_i K_ij r_j`` in the place of K and r in that of a vector of ones::

    H R K R H,    H = I - r r' / V,    R = diag(r)

What needs single rows (:mod:`.single_rows`) has them repeated, if weights are whole numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from .._columns import Column
from .._devices import is_foreign
from .._weights import as_weights, positive_rows, rows_at, total_weight
from .side import AbstractSide
from .single_rows import SingleRows, check_room, repeated_rows

_LARGEST_SUM = 1e15  # doubles tell this many rows from one more


def counted(
    X: Any, Y: Any, sample_weight: Any, are_matrices: tuple[bool, bool], single: SingleRows | None
) -> tuple[Any, Any, FloatArray | None]:
    """Both without rows of weight 0, and the weights of the others; None where these are all 1.

    Where something needs ``single`` rows, all are repeated.
    """
    if sample_weight is None:
        return X, Y, None
    n = _n_rows(X, "X")
    check_same_length(n, _n_rows(Y, "Y"))
    weights = as_weights(sample_weight, n)
    if weights is None:
        return X, Y, None
    index = positive_rows(weights)
    if single is not None:
        index = repeated_rows(weights, single)
        check_room((X, Y), are_matrices, n, index.size, single)
        weights = np.ones(index.size)
    elif index is not None:
        weights = weights[index]
    if index is not None:
        X, Y = (
            _chosen(values, index, is_matrix)
            for values, is_matrix in zip((X, Y), are_matrices, strict=True)
        )
    return X, Y, (weights if np.any(weights != 1.0) else None)


def sum_of(weights: Column | None) -> float | None:
    """V, how many rows the table has in which each is repeated."""
    if weights is None:
        return None
    total = total_weight(weights)
    if total > _LARGEST_SUM:
        raise ValueError(
            f"The sum of `sample_weight` is a number of rows, at most {_LARGEST_SUM:g}. Got "
            f"{total:g}: divide the weights."
        )
    return total


def check_same_length(n_x: int, n_y: int) -> None:
    """Raise unless each row of X has one of Y beside it."""
    if n_x != n_y:
        raise ValueError(
            f"X and Y must have a row each per sample. Got {n_x} rows in X and {n_y} in Y."
        )


def check_enough(x: AbstractSide, fewest: int, who: str) -> None:
    """Raise unless there are so many rows, each as often as it counts."""
    if x.total >= fewest:
        return
    if x.weights is None:
        raise ValueError(f"{who} needs at least {fewest} rows. Got {x.n_samples}.")
    raise ValueError(
        f"{who} needs at least {fewest} rows, and weights count rows: a weight of 2 is a row that "
        f"is there twice. The sum of `sample_weight` is {x.total:g}, of {x.n_samples} rows: "
        "multiply shares by the number of rows that they are of."
    )


def _n_rows(values: Any, name: str) -> int:
    shape = values.shape if hasattr(values, "shape") else np.asarray(values).shape
    if not shape:
        raise ValueError(f"{name} must be a vector or a table of rows. Got shape ().")
    return int(shape[0])


def _chosen(values: Any, index: Array, is_matrix: bool) -> Any:
    """Rows of a side in this order, of a kernel matrix columns, too."""
    if sparse.issparse(values):
        return sparse.csr_array(values)[index]
    if not is_matrix:
        return rows_at(values, index)
    K = values if is_foreign(values) else np.asarray(values)
    is_square = K.ndim == 2 and K.shape[0] == K.shape[1]  # else the error comes later
    rows = rows_at(K, index)
    return rows_at(rows.T, index).T if is_square else rows
