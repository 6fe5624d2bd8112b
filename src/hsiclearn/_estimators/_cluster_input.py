"""What the clustering estimators read: rows from wherever they are, and what goes with them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import assert_all_finite

from .._alternation import check_dense_size, takes_landmarks
from .._arrays import FLOATS, Array
from .._devices import here, is_foreign
from .._rows import AbstractRows, is_dask
from .._weights import as_weights
from ._base import BaseHSIC
from ._counted import CountedRows


class ClusterInput(BaseHSIC):
    """The part of a clustering estimator that checks what ``fit`` is given."""

    objective: str
    engine: str

    def _validated_together(self, X: Any, y: Any, sample_weight: Any) -> CountedRows:
        """X as a matrix of floats, what is known of its rows, and how often these count.

        Where landmarks will do, X is read in blocks and not copied. So is a sparse one: of it
        nothing but the rows to solve on is made dense. Rows of Dask stay where they are, and what
        is known goes there; few of them, or all where pairs of all are asked for, come here. So do
        rows on a device, in the strategy that solves on them.
        """
        self._check_together(X, y=y, sample_weight=sample_weight)
        if sample_weight is not None and self.objective == "paper":
            raise ValueError(
                "objective='paper' runs as printed, where rows have no weights and K no diagonal. "
                "Got a sample_weight: use objective='exact', or repeat rows."
            )
        y = here(y)
        if is_foreign(X):
            X = self._validate_rows(X)
        elif is_dask(X):
            X, y, sample_weight = self._from_elsewhere(self._validate_rows(X), y, sample_weight)
        else:
            X = self._validated_table(X)
        return CountedRows.of(X, y, as_weights(sample_weight, X.shape[0]))

    def _validated_table(self, X: Any) -> Any:
        """Rows in memory, or in a file that is mapped."""
        is_table = isinstance(X, np.ndarray) and X.ndim == 2 and self._takes_landmarks(X)
        as_it_is = issparse(X) or is_table
        X = self._validated(X, dtype=FLOATS if as_it_is else np.float64, accept_sparse="csr")
        if issparse(X):
            check_dense_size(X, self._takes_landmarks(X))
        return X

    def _from_elsewhere(self, rows: AbstractRows, y: Any, sample_weight: Any) -> tuple[Any, ...]:
        """Rows of Dask, or all of them here; and what goes with them."""
        named = (("y", y), ("sample_weight", sample_weight))
        known = [None if part is None else rows.beside(part, name) for name, part in named]
        on_landmarks = self._takes_landmarks(rows)
        check_dense_size(rows, on_landmarks)
        if on_landmarks:
            return rows, *known
        everything = np.arange(rows.n_samples)
        X = rows.take(everything)
        assert_all_finite(X, input_name="X")
        return X, *(None if part is None else part[everything] for part in known)

    def _takes_landmarks(self, X: Array) -> bool:
        return takes_landmarks(self.objective, self._engine_name, X.shape[0])

    @property
    def _engine_name(self) -> str:
        """Under its name of today."""
        return "landmarks" if self.engine == "nystrom" else self.engine
