"""Columns that are selected: the checks, the attributes and the methods that go with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._arrays import Array, FloatArray, array_namespace
from .._columns import Column
from .._linalg import Basis, column_importances
from .._result import Result
from .._rows import AbstractRows, column_deviations, projected_covariance
from .._selection import CountPath


def check_count(asked: Any, n_components: Any, n_features: int) -> None:
    """At least a column for each direction, and no more than there are."""
    if asked is None or isinstance(asked, str):
        return
    least = 1 if isinstance(n_components, str) else int(n_components)
    if not least <= asked <= n_features:
        raise ValueError(
            f"Need n_components <= n_features_to_select <= n_features. Got {asked} columns to "
            f"select for {least} directions of {n_features} columns. Lower n_components, or pass "
            "another number, 'auto' or None."
        )


def columns_asked_for(asked: Any, n_features: int) -> tuple[int, bool]:
    """How many columns directions are made of, as far as known, and whether they are chosen."""
    if asked is None or isinstance(asked, str):
        return n_features, asked is not None
    return min(int(asked), n_features), int(asked) < n_features


def result_on_columns(result: Result, mask: Array) -> Result:
    """A result whose certificate says of how many columns it speaks."""
    if mask.all():
        return result
    proof = replace(result.certificate, n_columns=int(np.count_nonzero(mask)))
    return replace(result, certificate=proof)


def importances_on(
    rows: AbstractRows, W: FloatArray, mean: FloatArray, weights: Column | None = None
) -> FloatArray:
    """Of the rows of a fit; all alike where no direction varies."""
    parts = column_importances(
        W, projected_covariance(rows, W, mean, weights), column_deviations(rows, mean, weights)
    )
    return parts if parts.any() else np.full(parts.size, 1.0 / parts.size)


class ColumnsMixin:
    """Which columns the directions are made of."""

    def get_support(self, indices: bool = False) -> Array:
        """The columns selected, as a mask or by number; all where none were to be selected.

        Parameters
        ----------
        indices : bool, default=False
            Whether to return integers instead of a mask.

        Returns
        -------
        ndarray
            Of bool, shape (n_features,), or of int, shape (n_features_selected,). Of a model fitted
            on an array of another library one of that library.
        """
        check_is_fitted(self)
        d: int = self.n_features_in_  # type: ignore[attr-defined]
        # Models of early files have no support_.
        mask: Array = getattr(self, "support_", np.ones(d, dtype=bool))
        return array_namespace(mask).nonzero(mask)[0] if indices else mask

    def _store_columns(
        self,
        rows: AbstractRows,
        columns: Basis,
        path: CountPath | None,
        weights: Column | None = None,
    ) -> None:
        """The columns that directions could be made of, and the part each has."""
        W, mean = self.components_.T, self.mean_  # type: ignore[attr-defined]
        self.support_ = np.ones(W.shape[0], dtype=bool)
        if self.n_features_to_select is not None:  # type: ignore[attr-defined]
            kept = columns.coordinates(np.ones((W.shape[0], 1)))
            self.support_ = columns.lift(kept)[:, 0] > 0.0
        self.n_features_selected_ = int(np.count_nonzero(self.support_))
        self.count_path_ = path
        self.feature_importances_ = importances_on(rows, W, mean, weights)
