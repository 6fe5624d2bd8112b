"""Predictions from rows of the fit, and what they are worth on others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from .._arrays import Array, FloatArray
from .._columns import Column, mapped
from .._devices import here, to_host
from .._paradigms import Target, read_labels, values_of
from .._rows import AbstractRows, as_rows, is_dask
from .._selection import KnownRows, known_rows
from .._weights import as_weights
from ._foreign import check_beside


class ScoreMixin:
    """What is known of the target, for ``score``."""

    components_: FloatArray
    mean_: FloatArray
    target_: str
    classes_: Array
    known_rows_: KnownRows

    if TYPE_CHECKING:

        def transform(self, X: Array) -> FloatArray: ...

    def _store_target(
        self,
        rows: AbstractRows,
        target: Target,
        groups: Array | None,
        weights: Column | None = None,
    ) -> None:
        """What is known of y, for ``score``."""
        self.target_ = target.kind
        if target.classes is not None:
            self.classes_ = target.classes
        if target.values is not None:
            W = self.components_.T
            self.known_rows_ = known_rows(rows, W, self.mean_, target.values, groups, weights)

    def score(self, X: Array, y: Array, sample_weight: Array | None = None) -> float:
        """The share of the target of these rows that their projection explains.

        ::

            1 - sum |y - predicted|^2 / sum |y - mean y|^2

        predicted by kernel ridge regression on the projected training rows (1000 of them at
        most). Classes are one-hot; with one real column it is R^2. Of rows the model has not seen
        it is an honest figure, what ``GridSearchCV`` maximises; of the training rows it flatters.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a row source
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            As in ``fit``.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of these rows in both sums: 2 counts a row twice, 0 not at all.

        Returns
        -------
        float
            1: all explained; 0: no better than the mean; it can be negative.
        """
        check_beside(y, X, "y")
        check_beside(sample_weight, X, "sample_weight")
        Z = self.transform(X)
        Z = here(Z)
        if self.target_ == "precomputed":
            raise ValueError(
                "`score` needs the target itself, but the model was fitted to a kernel of it "
                "(target='precomputed'). Pass `scoring`, such as a function of hsic_test."
            )
        if not hasattr(self, "known_rows_"):
            raise ValueError(
                "`score` predicts from rows of the fit (known_rows_), but this model has none: it "
                "was saved with rows=False, or by an earlier version. Fit it again."
            )
        if is_dask(Z):
            rows = as_rows(Z)
            Z, y = rows.beside(Z, "X"), rows.beside(y, "y")
            if sample_weight is not None:
                sample_weight = rows.beside(sample_weight, "sample_weight")
        check_consistent_length(Z, y)
        weights = as_weights(sample_weight, len(Z))
        centre = to_host(self.mean_ @ self.components_.T)
        Z = mapped(Z, lambda part: part.reshape(-1, centre.size) - centre)
        return float(self.known_rows_.explained_share(Z, self._as_known(y), weights))

    def _as_known(self, y: Any) -> Column:
        """New targets as those of the fit were: classes by their number, one more for unseen."""
        y = values_of(y, self.target_)
        if self.target_ != "classes":
            return y
        read = read_labels(y)
        labels = read.classes
        classes = to_host(self.classes_)
        known = {label: code for code, label in enumerate(classes.tolist())}
        numbers = np.array([known.get(label, len(known)) for label in labels.tolist()])
        if numbers.min() == len(known):
            raise ValueError(
                "`score` needs labels as in `fit`, but none of those in y was seen there. Got "
                f"{labels[:5].tolist()} of type {labels.dtype}; fit saw "
                f"{classes[:5].tolist()} of type {classes.dtype}."
            )
        return mapped(read.codes, lambda codes: numbers[codes])
