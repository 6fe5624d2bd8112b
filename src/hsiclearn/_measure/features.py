r"""Features of the rows of one side: ``K ~ F diag(signs) F'``, and the trace they leave out.

Where a kernel is positive definite, so is what its landmarks leave out: ``K - FF'`` has no
negative eigenvalue, and the sum of its eigenvalues is the sum of ``K_ii - |f_i|^2`` over the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from .._arrays import Array, FloatArray
from .._engines.features import (
    Accuracy,
    CandidateRows,
    Candidates,
    Features,
    MonomialFeatures,
    NystromFeatures,
    farthest_rows,
    has_finite_features,
)
from .._rows import AbstractRows
from ..kernels import AbstractKernel, Gaussian

__all__ = ["RowFeatures", "distance_features", "kernel_features", "one_hot_features"]

_CANDIDATES = 2000  # rows among which landmarks are chosen
_FARTHEST = 40  # rows added to them: tails that a sample misses


@dataclass(frozen=True)
class RowFeatures:
    """``values(rows)`` returns F on these rows and the trace of K that F leaves out there."""

    values: Callable[[slice], tuple[FloatArray, float]]
    signs: FloatArray
    is_bounded: bool = True
    """Whether what is left out is known, rather than only believed to be small."""
    is_exhausted: bool = False
    """Whether more features would be needed for the accuracy asked for."""

    @property
    def size(self) -> int:
        """Their number."""
        return self.signs.size


def one_hot_features(codes: Array, n_classes: int) -> RowFeatures:
    """One column per class."""
    table = np.eye(n_classes)
    return RowFeatures(lambda rows: (table[codes[rows]], 0.0), np.ones(n_classes))


@dataclass(frozen=True)
class _Term:
    """One weighted term of a kernel: ``C root'`` are its features, ``diagonal`` its K_ii."""

    weight: float
    features: Features
    root: FloatArray
    scales: FloatArray | None
    diagonal: Callable[[FloatArray], FloatArray]

    @classmethod
    def of(
        cls,
        weight: float,
        features: Features,
        scales: FloatArray | None,
        diagonal: Callable[[FloatArray], FloatArray],
    ) -> _Term:
        size = features.size
        root = np.sqrt(abs(weight)) * features.whiten(np.eye(size))
        return cls(weight, features, root, scales, diagonal)

    @property
    def signs(self) -> FloatArray:
        return np.sign(self.weight) * self.features.signs

    def values(self, w: FloatArray, rows: slice) -> tuple[FloatArray, float]:
        scales = None if self.scales is None else self.scales[rows]
        F = self.features.values(w, scales, None) @ self.root.T
        if self.features.is_exact:
            return F, 0.0
        full = self.weight * self.diagonal(w)
        rounding = 4.0 * self.root.shape[0] * np.finfo(float).eps * np.abs(full)
        rest = np.abs(full - np.einsum("ij,ij,j->i", F, F, self.signs))
        return F, float(np.maximum(rest, rounding).sum())


def _together(rows: AbstractRows, terms: Sequence[_Term]) -> RowFeatures:
    """The features of several terms side by side."""

    def values(part: slice) -> tuple[FloatArray, float]:
        w = rows.part(part)
        parts = [term.values(w, part) for term in terms]
        F = parts[0][0] if len(parts) == 1 else np.concatenate([F for F, _ in parts], axis=1)
        return F, sum(missing for _, missing in parts)

    return RowFeatures(
        values,
        np.concatenate([term.signs for term in terms]),
        all(term.features.is_exact or term.features.is_bounded for term in terms),
        any(term.features.is_exhausted for term in terms),
    )


def kernel_features(
    rows: AbstractRows, kernel: AbstractKernel, accuracy: Accuracy, rng: np.random.Generator
) -> RowFeatures:
    """Exact monomials where the kernel is a polynomial, else a Taylor series or landmarks."""
    n, q = rows.shape
    index = _sample(n, rng)
    limit = accuracy.max_landmarks
    terms = []
    for weight, term in kernel.terms:
        diagonal = _diagonal_of(term)
        if has_finite_features(term, q):
            terms.append(_Term.of(weight, MonomialFeatures(term, 0, q), None, diagonal))
            continue
        scales = term.row_scales(rows.part(slice(0, n))) if term.has_row_scales else None
        if scales is not None:
            candidates = CandidateRows(Candidates(rows.take(index), scales[index]))
        else:
            candidates = CandidateRows(Candidates(_candidates(rows, index)))
        features = candidates.features(term, 0, accuracy.rtol, limit, limit)
        terms.append(_Term.of(weight, features, scales, diagonal))
    return _together(rows, terms)


def _diagonal_of(kernel: AbstractKernel) -> Callable[[FloatArray], FloatArray]:
    def diagonal(w: FloatArray) -> FloatArray:
        if kernel.pair.is_difference:
            return np.asarray(kernel.f(np.zeros(w.shape[0])))
        return np.asarray(kernel.f(np.einsum("ij,ij->i", w, w)))

    return diagonal


class _InducedFeatures(NystromFeatures):
    """Landmarks of ``|x| + |z| - |x - z|``, the positive definite kernel of distances."""

    def __init__(self, candidates: Candidates, rtol: float, max_landmarks: int) -> None:
        definite = Gaussian()  # any kernel that is positive definite: only that is asked of it
        super().__init__(definite, 0, candidates, rtol, max_landmarks)

    def values(self, w: Array, scales: Array | None, workspace: Array | None) -> Array:
        z = self._landmarks.w
        norms = np.linalg.norm(w, axis=1)[:, None] + np.linalg.norm(z, axis=1)
        return norms - cdist(w, z)


def distance_features(
    rows: AbstractRows, accuracy: Accuracy, rng: np.random.Generator
) -> RowFeatures:
    """Landmarks for ``-|x - y|``, up to parts that centring removes."""
    candidates = Candidates(_candidates(rows, _sample(rows.n_samples, rng)))
    features = _InducedFeatures(candidates, accuracy.rtol, accuracy.max_landmarks)

    def diagonal(w: FloatArray) -> FloatArray:
        return 2.0 * np.linalg.norm(w, axis=1)

    return _together(rows, [_Term.of(1.0, features, None, diagonal)])


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
    return np.concatenate([w, far])
