"""The rule behind ``engine="auto"``, and its reasons in words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._arrays import FloatArray
from .._linalg import orthonormal_basis
from .._rows import AbstractRows, ArrayRows
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from .features import Candidates, NystromFeatures, has_finite_features

__all__ = ["EngineChoice", "choose_engine", "is_linear"]

_DENSE_UP_TO = 400  # rows; measured: threads and the symmetric half pay from here on
_TILED_UP_TO = 5000  # rows; all pairs of so few take a second or two, and are exact
_ROWS_PER_LANDMARK = 10  # measured: below, a pass over all pairs is as fast as one at landmarks
_ROWS_PER_SLOT = 8  # below, sums for each class (and their products by pairs of classes) cost more
_SAMPLE = 1000  # rows that tell how many landmarks a kernel needs
_LINEAR = ("nystrom", "features")


class EngineChoice(NamedTuple):
    """The name of an engine, and why it was chosen."""

    name: str
    reason: str


def is_linear(name: str) -> bool:
    """Whether the engine of that name works in linear time, on rows that need not be in memory."""
    return name in _LINEAR


def choose_engine(
    rows: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel, q: int = 2
) -> EngineChoice:
    """Dense, tiled, nystrom or features, by size, structure and the number of landmarks needed."""
    n = rows.n_samples
    if isinstance(rows, ArrayRows) and n <= _DENSE_UP_TO:
        return EngineChoice("dense", f"{n} rows are at most {_DENSE_UP_TO}: all pairs at once.")
    factor = gamma.row_factor()
    if factor is None:
        return EngineChoice("tiled", "Gamma is known pair by pair only, so all pairs are visited.")
    if all(has_finite_features(term, q) for _, term in kernel.terms):
        return EngineChoice("features", "the kernel is a polynomial: exact sums in linear time.")
    if isinstance(rows, ArrayRows) and _ROWS_PER_SLOT * factor.n_slots > n:
        few = f"{factor.n_slots} classes or columns of Gamma are many for {n} rows"
        return EngineChoice("tiled", f"{few}: pairs are cheaper than sums for each.")
    return _with_landmarks(rows, kernel, q)


def _with_landmarks(rows: AbstractRows, kernel: AbstractKernel, q: int) -> EngineChoice:
    """Pairs or landmarks, for a kernel and a Gamma that allow both."""
    n = rows.n_samples
    if not isinstance(rows, ArrayRows):
        return EngineChoice("nystrom", "X is sparse or a stream: only sums over rows will do.")
    if n <= _TILED_UP_TO:
        return EngineChoice("tiled", f"{n} rows are at most {_TILED_UP_TO}: all pairs in tiles.")
    m = _landmarks_needed(rows, kernel, q)
    if _ROWS_PER_LANDMARK * m <= n:
        return EngineChoice("nystrom", f"about {m} landmarks stand for {n} rows.")
    return EngineChoice("tiled", f"{n} rows would need some {m} landmarks: pairs are cheaper.")


def _landmarks_needed(rows: AbstractRows, kernel: AbstractKernel, q: int) -> int:
    """An estimate from a sample of rows in a random subspace."""
    rng = np.random.default_rng(0)
    n, d = rows.n_samples, rows.n_features
    X = rows.take(np.sort(rng.choice(n, min(n, _SAMPLE), replace=False)))
    w: FloatArray = (X - X.mean(axis=0)) @ orthonormal_basis(rng.standard_normal((d, min(q, d))))
    return max(
        NystromFeatures(term, 0, Candidates(w, term.row_scales(w)), 1e-6, _SAMPLE).size
        for _, term in kernel.terms
        if not has_finite_features(term, q)
    )
