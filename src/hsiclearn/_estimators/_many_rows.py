"""Which rows a clustering is solved on, and X in single precision, on disk or sparse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

from .._alternation import (
    AbstractSample,
    AllRows,
    blocks_of,
    check_dense_size,
    choose_landmarks,
    takes_landmarks,
)
from .._arrays import Array
from .._objective import as_data
from .._rows import check_magnitude
from ._base import BaseHSIC

__all__ = ["FLOATS", "ManyRows"]

FLOATS = (np.float64, np.float32)
"""What X may be; single precision is read in blocks and not copied as a whole."""


class ManyRows(BaseHSIC):
    """What stands between the table of the user and the rows to solve on."""

    objective: str

    def _validate_X(self, X: Array) -> Array:
        """X as a matrix of floats; where landmarks will do, it stays where and as it is.

        So does a sparse one: of it nothing but the rows to solve on is made dense.
        """
        if issparse(X):
            table = validate_data(self, X, dtype=FLOATS, accept_sparse="csr", ensure_min_samples=2)
            check_magnitude(table.min(), table.max())
            check_dense_size(table, self._takes_landmarks(table.shape[0]))
            return table
        is_table = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype in FLOATS
        if not is_table or not self._takes_landmarks(X.shape[0]):
            return super()._validate_X(X)
        X = validate_data(self, X, dtype=FLOATS, ensure_min_samples=2)
        for block in blocks_of(X):
            as_data(block)
        return X

    def _takes_landmarks(self, n_samples: int) -> bool:
        """The form as printed is for comparison: it sees all pairs."""
        if self.objective == "paper" and self.engine == "nystrom":
            raise ValueError(
                "objective='paper' runs on all pairs of rows, as printed. Got engine='nystrom': "
                "use engine='tiled', or objective='exact'."
            )
        return self.objective == "exact" and takes_landmarks(self.engine, n_samples)

    def _sample(
        self, X: Array, rng: np.random.Generator, labellings: Sequence[Array] = ()
    ) -> AbstractSample:
        """The rows to solve on; ``labellings`` are codes, all of whose classes must be there."""
        n_samples = X.shape[0]
        if self._takes_landmarks(n_samples):
            return choose_landmarks(self.engine, n_samples, labellings, rng)
        return AllRows(self.engine, n_samples)
