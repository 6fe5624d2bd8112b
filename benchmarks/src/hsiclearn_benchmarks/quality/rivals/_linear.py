"""What the rivals share: scores on directions, responses of a target, leading eigenvectors."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..._types import Array, FloatArray

__all__ = ["LinearRival", "leading", "median_distance", "responses", "squared_distances"]


class LinearRival(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Scores of rows on directions that ``fit`` finds.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
    mean_ : ndarray of shape (n_features,)
    """

    def __init__(self, n_components: int = 2) -> None:
        self.n_components = n_components

    def fit(self, X: Any, y: Any) -> Self:
        """Find the directions."""
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        self.mean_ = X.mean(axis=0)
        self.components_ = self._directions(X - self.mean_, y)
        return self

    def transform(self, X: Any) -> FloatArray:
        """The scores of rows."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return (X - self.mean_) @ self.components_.T

    @abstractmethod
    def _directions(self, X: FloatArray, y: Array) -> FloatArray:
        """Of centred rows, a direction each row."""


def responses(y: Array) -> FloatArray:
    """What is regressed on: a column per class, 0 and 1; or a real target, standardised.

    So no answer depends on the unit of the target.
    """
    values, codes = np.unique(y, return_inverse=True)
    if len(values) < 2:
        raise ValueError(
            "Need a target of at least two values, else no direction is better than another. "
            f"Got {len(values)} from {len(y)} rows. Pass rows of more classes or values."
        )
    if y.dtype.kind != "f":
        return np.eye(len(values))[codes]
    return ((y - y.mean()) / y.std())[:, None]


def leading(M: FloatArray, q: int) -> tuple[FloatArray, FloatArray]:
    """The largest q eigenvalues of a symmetric matrix, largest first, and their eigenvectors."""
    d = len(M)
    values, vectors = eigh(M, subset_by_index=[max(d - q, 0), d - 1])
    return values[::-1], vectors[:, ::-1]


def squared_distances(Z: FloatArray) -> FloatArray:
    """Between all pairs of rows, 0 on the diagonal."""
    norms = np.einsum("ij,ij->i", Z, Z)
    squares: FloatArray = norms[:, None] + norms - 2.0 * Z @ Z.T
    np.maximum(squares, 0.0, out=squares)
    np.fill_diagonal(squares, 0.0)
    return squares


def median_distance(Z: FloatArray) -> float:
    """Of the pairs of rows that are not equal."""
    distances = pdist(Z)
    return float(np.median(distances[distances > 0.0]))
