r"""Features of the rows of one side: ``K ~ F diag(signs) F'``, and the trace they leave out.

Where a kernel is positive definite, so is what its landmarks leave out: ``K - FF'`` has no
negative eigenvalue, and the sum of its eigenvalues is the sum of ``K_ii - |f_i|^2`` over the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpstrf
from scipy.spatial.distance import cdist

from .._arrays import Array, FloatArray
from .._engines.features import (
    Accuracy,
    CandidateRows,
    Candidates,
    Features,
    MonomialFeatures,
    farthest_rows,
    has_finite_features,
)
from .._rows import AbstractRows
from ..kernels import AbstractKernel

_CANDIDATES = 2000  # rows among which landmarks are chosen
_FARTHEST = 40  # rows added to them: tails that a sample misses


@dataclass(frozen=True, eq=False)
class RowFeatures:
    """``values(rows)`` returns F on these rows and what it leaves out of ``K_ii`` of each."""

    values: Callable[[slice], tuple[FloatArray, FloatArray]]
    signs: FloatArray
    is_bounded: bool = True
    """Whether what is left out is known, rather than only believed to be small."""
    is_exhausted: bool = False
    """Whether more features would be needed for the accuracy asked for."""

    @property
    def size(self) -> int:
        """Their number."""
        return self.signs.size


def kernel_features(
    rows: AbstractRows, kernel: AbstractKernel, accuracy: Accuracy, rng: np.random.Generator
) -> RowFeatures:
    """Exact monomials where the kernel is a polynomial, else a Taylor series or landmarks."""
    n, q = rows.shape
    index = _sample(n, rng)
    terms = []
    for weight, term in kernel.terms:
        scales = term.row_scales(rows.part(slice(0, n))) if term.has_row_scales else None
        if has_finite_features(term, q):
            features: Features = MonomialFeatures(term, 0, q)
        else:
            some = _candidates(rows, index) if scales is None else rows.take(index)
            among = CandidateRows(Candidates(some, None if scales is None else scales[index]))
            limit = accuracy.max_landmarks
            features = among.features(term, 0, accuracy.rtol, limit, limit)
        terms.append(_Term(weight, term, features, scales))

    def values(part: slice) -> tuple[FloatArray, FloatArray]:
        w = rows.part(part)
        parts = [term.values(w, part) for term in terms]
        F = parts[0][0] if len(parts) == 1 else np.concatenate([F for F, _ in parts], axis=1)
        return F, reduce(np.add, (missing for _, missing in parts))

    return RowFeatures(
        values,
        np.concatenate([term.signs for term in terms]),
        all(term.features.is_exact or term.features.is_bounded for term in terms),
        any(term.features.is_exhausted for term in terms),
    )


@dataclass(frozen=True, eq=False)
class _Term:
    """One weighted term of a kernel, with its features and the scales of all rows."""

    weight: float
    kernel: AbstractKernel
    features: Features
    scales: FloatArray | None = None

    @cached_property
    def _root(self) -> FloatArray:
        return np.sqrt(abs(self.weight)) * self.features.whiten(np.eye(self.features.size))

    @property
    def signs(self) -> FloatArray:
        return np.sign(self.weight) * self.features.signs

    def values(self, w: FloatArray, rows: slice) -> tuple[FloatArray, FloatArray]:
        scales = None if self.scales is None else self.scales[rows]
        F = self.features.values(w, scales, None) @ self._root.T
        if self.features.is_exact:
            return F, np.zeros(w.shape[0])
        own = np.zeros(w.shape[0])
        if not self.kernel.pair.is_difference:
            own = np.einsum("ij,ij->i", w, w)
        return F, _left_out(self.weight * np.asarray(self.kernel.f(own)), F, self.signs)


def _left_out(diagonal: FloatArray, F: FloatArray, signs: FloatArray) -> FloatArray:
    """``|K_ii - |f_i|^2|``, kept above what it rounds to."""
    rounding = 4.0 * signs.size * np.finfo(float).eps * np.abs(diagonal)
    rest = np.abs(diagonal - np.einsum("ij,ij,j->i", F, F, signs))
    left_out: FloatArray = np.maximum(rest, rounding)
    return left_out


def distance_features(
    rows: AbstractRows, accuracy: Accuracy, rng: np.random.Generator
) -> RowFeatures:
    """Landmarks for ``-|x - z|``, up to parts that centring removes: of its induced kernel."""
    w = _candidates(rows, _sample(rows.n_samples, rng))
    G = _induced(w, w)
    tol = accuracy.rtol * float(np.max(np.diag(G)))
    factor, pivots, rank, _ = dpstrf(G.T, tol=tol, lower=1, overwrite_a=1)
    size = min(int(rank), accuracy.max_landmarks)
    landmarks = w[pivots[:size] - 1]
    root = solve_triangular(np.tril(factor[:size, :size]), np.eye(size), lower=True)
    signs = np.ones(size)

    def values(part: slice) -> tuple[FloatArray, FloatArray]:
        x = rows.part(part)
        F = _induced(x, landmarks) @ root.T
        return F, _left_out(2.0 * np.linalg.norm(x, axis=1), F, signs)

    is_exhausted = size == min(accuracy.max_landmarks, w.shape[0])
    return RowFeatures(values, signs, is_exhausted=is_exhausted)


def _induced(x: FloatArray, z: FloatArray) -> FloatArray:
    """``|x| + |z| - |x - z|``, the positive definite kernel of distances."""
    norms = np.linalg.norm(x, axis=1)[:, None] + np.linalg.norm(z, axis=1)
    return norms - cdist(x, z)


def _sample(n: int, rng: np.random.Generator) -> Array:
    if n <= _CANDIDATES:
        return np.arange(n)
    return np.sort(rng.choice(n, _CANDIDATES, replace=False))


def _candidates(rows: AbstractRows, index: Array) -> FloatArray:
    """A sample of rows and those farthest from the origin."""
    w = rows.take(index)
    if rows.n_samples <= _CANDIDATES:
        return w
    far = farthest_rows(rows, np.eye(rows.n_features), _FARTHEST)
    return np.concatenate([w, far.w])
