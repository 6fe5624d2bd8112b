"""One change of basis, ``W = B V``: the row space of wide data, columns that vary, a few rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from .._arrays import Array, FloatArray

_SUSPECT = 1e-10  # of a correlation matrix: an eigenvalue of exactly collinear columns is 1e-16
_EXACT = 1e-13  # of standardised rows, along a direction in which all of them are to be equal
_KEPT = 1e-12  # of every column, beside its largest entry


class Basis(ABC):
    """``W = B V``: directions V in the coordinates a problem is solved in, W in the columns of X.

    B (d, r) has full rank. A problem in X and W is one in ``X B`` and V, since ``X W = (X B) V``,
    solved over ``V'V = I``: that is ``W'W = I`` where ``B'B = I``, else orthonormality in another
    metric.
    """

    is_identity = False

    @staticmethod
    def of_columns(mask: Array) -> Basis:
        """The columns of X that are marked; the identity if all are."""
        return IDENTITY if mask.all() else _Columns(mask)

    @staticmethod
    def of_matrix(B: FloatArray, *, is_orthonormal: bool = False) -> Basis:
        """Any B of full rank."""
        return _Matrix(B, is_orthonormal)

    @staticmethod
    def of_rows(rows: Any, C: FloatArray) -> Basis:
        """``B = R'C`` with orthonormal columns, made of rows R and never written out."""
        return _Rows(rows, C)

    def then(self, further: Basis) -> Basis:
        """``W = B B' V``: a basis of the coordinates in this one."""
        if further.is_identity or self.is_identity:
            return self if further.is_identity else further
        return _Chain(self, further)

    @abstractmethod
    def lower(self, X: Any) -> Any:
        """``X B``, of an array or of rows."""

    @abstractmethod
    def lift(self, V: FloatArray) -> FloatArray:
        """``B V``."""

    @abstractmethod
    def coordinates(self, W: FloatArray) -> FloatArray:
        """``V = B^+ W``: that which lifts to W, or to what is nearest to it."""


@final
class _Identity(Basis):
    is_identity = True

    def lower(self, X: Any) -> Any:
        return X

    def lift(self, V: FloatArray) -> FloatArray:
        return V

    def coordinates(self, W: FloatArray) -> FloatArray:
        return W


IDENTITY: Basis = _Identity()


@final
@dataclass(frozen=True, eq=False)
class _Columns(Basis):
    mask: Array

    def lower(self, X: Any) -> Any:
        return X[:, self.mask] if isinstance(X, np.ndarray) else X.keep_columns(self.mask)

    def lift(self, V: FloatArray) -> FloatArray:
        W = np.zeros((self.mask.size, V.shape[1]))
        W[self.mask] = V
        return W

    def coordinates(self, W: FloatArray) -> FloatArray:
        return W[self.mask]


@final
@dataclass(frozen=True, eq=False)
class _Matrix(Basis):
    B: FloatArray
    is_orthonormal: bool

    def lower(self, X: Any) -> Any:
        return X @ self.B if isinstance(X, np.ndarray) else X.turned(self.B)

    def lift(self, V: FloatArray) -> FloatArray:
        return self.B @ V

    def coordinates(self, W: FloatArray) -> FloatArray:
        if self.is_orthonormal:
            return self.B.T @ W
        V: FloatArray = np.linalg.lstsq(self.B, W)[0].astype(np.float64, copy=False)
        return V


@final
@dataclass(frozen=True, eq=False)
class _Rows(Basis):
    R: Any
    C: FloatArray

    def lower(self, X: Any) -> Any:
        return (self.R @ X.T).T @ self.C

    def lift(self, V: FloatArray) -> FloatArray:
        W: FloatArray = self.R.transpose_times(self.C @ V)
        return W

    def coordinates(self, W: FloatArray) -> FloatArray:
        return self.C.T @ (self.R @ W)


@final
@dataclass(frozen=True, eq=False)
class _Chain(Basis):
    outer: Basis
    inner: Basis

    def lower(self, X: Any) -> Any:
        return self.inner.lower(self.outer.lower(X))

    def lift(self, V: FloatArray) -> FloatArray:
        return self.outer.lift(self.inner.lift(V))

    def coordinates(self, W: FloatArray) -> FloatArray:
        return self.inner.coordinates(self.outer.coordinates(W))


def is_wide(n: int, d: int, n_extra: int) -> bool:
    """Whether there are so many more columns than rows that a change of basis pays."""
    return d >= 1.4 * (n + n_extra)


def row_space(X: FloatArray, n_extra: int) -> tuple[Basis, FloatArray]:
    """An orthonormal basis Q (d, r + n_extra) and ``X_r = X Q``, ``X = X_r Q'``, r the rank of X.

    ``K_XW`` sees W only through ``XW``, so directions outside the row space are all alike: a
    q-dimensional subspace uses at most q of them. Hence ``W = Q W_r`` loses nothing when
    ``n_extra = q``. Without the extra ones it would: where a direction does more harm than
    good, the best subspace leaves the row space.

    The identity where nothing is gained: while n < d < 1.4 (n + n_extra) the QR decomposition would
    cost more than the narrower matrices save, and for d <= n there must be columns that depend on
    the others, more than ``n_extra`` of them.
    """
    n, d = X.shape
    if d <= n:
        return _without_dependent_columns(X, n_extra)
    if not is_wide(n, d, n_extra):
        return IDENTITY, X
    filler = np.random.default_rng(0).standard_normal((d, n_extra))
    Q, R = np.linalg.qr(np.concatenate([X.T, filler], axis=1))
    return Basis.of_matrix(Q, is_orthonormal=True), np.ascontiguousarray(R[:, :n].T)


def _without_dependent_columns(X: FloatArray, n_extra: int) -> tuple[Basis, FloatArray]:
    """The same for d <= n: the mean, all directions along which rows differ, some of the others."""
    mean = X.mean(axis=0)
    N = _null_space(X - mean)
    k = N.shape[1]
    if k <= n_extra + 1 or k == X.shape[1]:
        return IDENTITY, X
    # Along N all rows are equal, not zero: the first column of N takes what they have there.
    N = N @ np.linalg.qr((N.T @ mean)[:, None], mode="complete")[0]
    outside = N[:, 1 : n_extra + 1]
    inside = np.linalg.qr(N, mode="complete")[0][:, k:]
    Q = np.concatenate([inside, N[:, :1], outside], axis=1)
    reduced = X @ Q
    reduced[:, -n_extra - 1 :] = 0.0
    reduced[:, -n_extra - 1] = mean @ N[:, 0]
    # Rounding along a long column may be all there is of a short one: then X stays as it is.
    error = np.abs(reduced @ Q.T - X).max(axis=0)
    if np.any(error > _KEPT * np.abs(X).max(axis=0)):
        return IDENTITY, X
    return Basis.of_matrix(Q, is_orthonormal=True), reduced


def _null_space(X: FloatArray) -> FloatArray:
    """Directions along which the rows of a centred X are zero, (d, k) orthonormal.

    A Gram matrix tells which are suspect, at the square root of the precision; the rows tell
    which are right. Columns count in units of their own standard deviation.
    """
    n, d = X.shape
    gram = X.T @ X / n
    if not may_depend(gram):  # the usual case, at the least cost
        return np.empty((d, 0))
    correlation, unit = _less_than_correlation(gram)
    values, vectors = np.linalg.eigh(correlation)
    suspect = unit[:, None] * vectors[:, values <= 0.0]
    _, sizes, turn = np.linalg.svd(X @ suspect, full_matrices=False)
    exact = sizes <= _EXACT * np.sqrt(n)
    return np.linalg.qr(suspect @ turn[exact].T)[0]


def may_depend(gram: FloatArray) -> bool:
    """Whether a Gram matrix of centred rows leaves room for columns that depend on others."""
    try:
        np.linalg.cholesky(_less_than_correlation(gram)[0])
    except np.linalg.LinAlgError:
        return True
    return False


def _less_than_correlation(gram: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The correlation matrix, less what a suspect eigenvalue may be; and the units of columns."""
    diagonal = np.diag(gram)
    unit = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    return gram * (unit[:, None] * unit) - _SUSPECT * np.eye(unit.size), unit
