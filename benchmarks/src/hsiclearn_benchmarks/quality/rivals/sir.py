"""Sliced inverse regression, which scikit-learn does not have."""

from __future__ import annotations

from typing import final

import numpy as np
from scipy.linalg import eigh

from ..._types import Array, FloatArray
from ._linear import LinearRival

__all__ = ["SlicedInverseRegression"]

_RANK = 1e-10  # of the largest singular value: what is below is rounding


@final
class SlicedInverseRegression(LinearRival):
    """Directions in which the means of slices of the target lie furthest apart.

    Rows are cut into slices by their target; the directions are the leading eigenvectors of the
    covariance of the slices' means against the covariance of all rows.

    Parameters
    ----------
    n_components : int
        Directions wanted. There are at most as many as slices less one: the rest would be noise.
    n_slices : int
        Of a target of floats: slices with equally many rows each. Any other target is one of
        classes, and each class is a slice.
    ridge : float
        Added to the covariance, as a share of its mean eigenvalue; it may be singular.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
        Directions whose scores have unit variance on the training rows.
    mean_ : ndarray of shape (n_features,)

    References
    ----------
    K.-C. Li: Sliced Inverse Regression for Dimension Reduction. Journal of the American
    Statistical Association 86, 1991.
    """

    def __init__(self, n_components: int = 2, *, n_slices: int = 10, ridge: float = 1e-6) -> None:
        self.n_components = n_components
        self.n_slices = n_slices
        self.ridge = ridge

    def _directions(self, rows: FloatArray, y: Array) -> FloatArray:
        # With more columns than rows, all that can be seen lies in the span of the rows.
        basis = _row_space(rows) if rows.shape[1] > rows.shape[0] else np.eye(rows.shape[1])
        rows = rows @ basis
        slices = self._slices(y)
        if len(slices) < 2:
            raise ValueError(
                "Need a target of at least two slices, else no direction is better than another. "
                f"Got {len(slices)} from {len(y)} rows. Pass rows of more classes, or n_slices > 1."
            )
        means = np.array([rows[some].mean(axis=0) * np.sqrt(len(some)) for some in slices])
        between, total = means.T @ means / len(rows), rows.T @ rows / len(rows)
        d = len(total)
        total[np.diag_indices(d)] += self.ridge * np.trace(total) / d
        q = min(self.n_components, len(slices) - 1, d)
        vectors = eigh(between, total, subset_by_index=[d - q, d - 1])[1]
        return (basis @ vectors[:, ::-1]).T

    def _slices(self, y: Array) -> list[Array]:
        """The rows of each slice."""
        if y.dtype.kind != "f":
            return [np.flatnonzero(y == label) for label in np.unique(y)]
        order = np.argsort(y, kind="stable")
        return np.array_split(order, min(self.n_slices, len(y)))


def _row_space(rows: FloatArray) -> FloatArray:
    """An orthonormal basis of the span of the rows."""
    _, values, Vh = np.linalg.svd(rows, full_matrices=False)
    return Vh[values > _RANK * values[0]].T
