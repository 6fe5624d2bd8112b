"""A symmetric matrix as its users see it: products, a norm, and the low end of its spectrum.

Small matrices are arrays and go to LAPACK. A large one is never formed: see ``operator.py``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, final

import numpy as np
from scipy.linalg.lapack import dgecon as gecon
from scipy.linalg.lapack import dgetrf as getrf

from .._arrays import FloatArray
from .eigen import FULL_UP_TO, lowest_eigenpairs, start_block
from .krylov import Product, Spectrum, block_krylov
from .subspace import safe_norm

_LARGEST_WHOLE = 2000  # rows; beyond, a d x d array takes more than 32 MB, and several are in use
_FULL_ON_REQUEST = 1200  # rows of a split in full: beyond, products are cheaper
_SHOWN = 21  # eigenvalues: as many as a choice of q up to 20 looks at


def fits_in_memory(d: int) -> bool:
    """Whether d x d arrays are formed at all."""
    return d <= _LARGEST_WHOLE


class SplitSpectrum(NamedTuple):
    """Spectra of A inside a subspace and inside its complement.

    ``W'AW = S diag(inner) S'``, and ``B diag(outer) B'`` is A compressed to the complement of
    W. For large d, B holds the lowest part only and ``rest`` stands for what is missing. ``norm``
    is ``|A|_F``.
    """

    S: FloatArray
    inner: FloatArray
    B: FloatArray
    outer: FloatArray
    rest: float
    norm: float

    @property
    def gap(self) -> float:
        """Lowest eigenvalue outside less the highest inside; negative if W is not lowest."""
        return float(self.outer[0] - self.inner[-1]) if self.outer.size else np.inf

    def divide(self, Z: FloatArray, floor: float) -> FloatArray:
        """``M^-1 Z`` for Z orthogonal to W, M the diagonal ``|2 (outer_i - inner_j)|``.

        Entries are kept above ``floor`` times the largest, or a tenth of ``|A|_F``: where W lies
        halfway between eigenvectors all differences are rounding, and no scale for anything.
        """
        return self.divided(Z, *self.diagonal(floor))

    def diagonal(self, floor: float) -> tuple[FloatArray, FloatArray]:
        """M of :meth:`divide`: its known entries, and those of the rest by column."""
        known = np.abs(2.0 * (self.outer[:, None] - self.inner[None, :]))
        lowest = floor * max(float(known.max(initial=0.0)), 0.1 * self.norm, np.finfo(float).tiny)
        rest = np.maximum(np.abs(2.0 * (self.rest - self.inner)), lowest)
        return np.maximum(known, lowest), rest

    def divided(self, Z: FloatArray, known: FloatArray, rest: FloatArray) -> FloatArray:
        """``M^-1 Z`` for an M that was asked for before."""
        ZS = Z @ self.S
        C = self.B.T @ ZS
        if self.B.shape[1] == Z.shape[0] - Z.shape[1]:
            return (self.B @ (C / known)) @ self.S.T
        return (ZS / rest + self.B @ (C / known - C / rest)) @ self.S.T


class AbstractSymmetric(ABC):
    """A symmetric matrix A, d x d."""

    d: int
    norm: float
    """``|A|_F``."""

    @abstractmethod
    def times(self, V: FloatArray) -> FloatArray:
        """``A V`` for V of shape (d, k)."""

    @abstractmethod
    def to_dense(self) -> FloatArray:
        """A as an array, or an error where that would be too large."""

    @abstractmethod
    def lowest(self, k: int, guess: FloatArray | None = None) -> Spectrum:
        """The k lowest eigenpairs, and more where they come at no cost."""

    @abstractmethod
    def improved(self, guess: FloatArray, rtol: float) -> Spectrum:
        """Low eigenpairs near ``guess``, as many as it has columns and one more.

        Residuals of all but the last are below ``rtol |A|``. An eigenvector the guess has no
        part in may be missed: good enough for a step whose outcome is tested.
        """

    @abstractmethod
    def resolved(
        self, q: int, ties: Callable[[], AbstractSymmetric], scale: float | None = None
    ) -> FloatArray:
        """The q lowest eigenvectors; equal eigenvalues are resolved by the matrix ``ties()``.

        Where the q-th eigenvalue is repeated up to rounding, LAPACK's choice inside that
        eigenspace is noise: the lowest eigenvectors of the other matrix are chosen there.
        ``scale`` is the size of the numbers A was computed from, where that is not the size of
        A: it says what rounding is.
        """

    @abstractmethod
    def split(self, W: FloatArray, *, in_full: bool = False) -> SplitSpectrum:
        """Spectra of A inside W and in its complement; ``in_full`` where that can be had."""

    @abstractmethod
    def splits_in_full(self, q: int) -> bool:
        """Whether :meth:`split` of q columns knows the whole complement, not its lowest part."""

    @abstractmethod
    def off(self, V: FloatArray) -> AbstractSymmetric:
        """``P A P + lift V V'``, ``P = I - VV'``: V (orthonormal) is moved above all else."""

    @abstractmethod
    def has_full_rank(self) -> bool | None:
        """Whether A is invertible to working precision; None where nobody can tell."""


@final
class DenseSymmetric(AbstractSymmetric):
    """A symmetric array."""

    def __init__(self, A: FloatArray) -> None:
        self._A, self.d = A, A.shape[0]

    def times(self, V: FloatArray) -> FloatArray:
        return self._A @ V

    def to_dense(self) -> FloatArray:
        return self._A

    @cached_property
    def norm(self) -> float:  # type: ignore[override]
        """``|A|_F``, also where squares under- or overflow."""
        return safe_norm(self._A)

    @cached_property
    def _all(self) -> Spectrum:
        return Spectrum(*np.linalg.eigh(self._A))

    def lowest(self, k: int, guess: FloatArray | None = None) -> Spectrum:
        """By LAPACK, which needs no guess: all up to 200 rows, at least 21 beyond."""
        if self.d <= FULL_UP_TO:
            return self._all
        return lowest_eigenpairs(self._A, min(self.d, max(k, _SHOWN)))

    def improved(self, guess: FloatArray, rtol: float) -> Spectrum:
        """Beyond 200 rows block Krylov spaces, many times faster than a dense routine."""
        if self.d <= FULL_UP_TO:
            return self._all
        k, found = guess.shape[1] + 1, None
        if 12 * k <= self.d:
            start, atol = start_block(self.d, k, guess), rtol * self.norm
            found = block_krylov(self.times, start, n_exact=k - 1, atol=atol)
        return lowest_eigenpairs(self._A, min(k, self.d)) if found is None else found

    def resolved(
        self, q: int, ties: Callable[[], AbstractSymmetric], scale: float | None = None
    ) -> FloatArray:
        """All ties are seen, up to rounding."""
        noise = 1e-9 * max(self.norm if scale is None else scale, np.finfo(float).tiny)
        if q < self.d:
            small = self.d <= FULL_UP_TO
            values, vectors = self._all if small else lowest_eigenpairs(self._A, q + 1)
            if values[q] - values[q - 1] > noise:
                return vectors[:, :q]
        values, vectors = self._all
        tied = np.flatnonzero(np.abs(values - values[q - 1]) <= noise)
        below = int(tied[0])
        if below + tied.size <= q:
            return vectors[:, :q]
        space = vectors[:, tied]
        chosen = np.linalg.eigh(space.T @ ties().times(space))[1][:, : q - below]
        return np.concatenate([vectors[:, :below], space @ chosen], axis=1)

    def split(self, W: FloatArray, *, in_full: bool = False) -> SplitSpectrum:
        """In full, or beyond 200 rows its lowest part and the mean of the rest.

        On request in full up to 1200 rows: a second, where the lowest part tells too little.
        """
        A, (d, q) = self._A, W.shape
        inner, S = np.linalg.eigh(W.T @ (A @ W))
        if self.splits_in_full(q) or (in_full and d <= _FULL_ON_REQUEST):
            B = null_space_of(W)
            outer, vectors = np.linalg.eigh(B.T @ A @ B)
            return SplitSpectrum(S, inner, B @ vectors, outer, 0.0, self.norm)
        # It only shapes a preconditioner and a first guess: three blocks are enough.
        start = start_block(d, min(d - q, q + 10), None)
        start -= W @ (W.T @ start)
        off_W = compressed(self.times, W, self.norm)
        found = block_krylov(off_W, start, n_exact=1, atol=np.inf, max_blocks=3)
        assert found is not None  # without a bound on the residuals the first answer is accepted
        outer, B = found
        rest = float(np.trace(A) - inner.sum() - outer.sum()) / (d - q - outer.size)
        return SplitSpectrum(S, inner, np.linalg.qr(B - W @ (W.T @ B))[0], outer, rest, self.norm)

    def splits_in_full(self, q: int) -> bool:
        """Up to 200 rows, and where q is no small part of d."""
        return self.d <= FULL_UP_TO or 12 * min(self.d - q, q + 10) > self.d

    def off(self, V: FloatArray) -> DenseSymmetric:
        cross = (AV := self._A @ V) @ V.T
        A = self._A - cross - cross.T + (V @ (V.T @ AV) + above(self.norm) * V) @ V.T
        return DenseSymmetric(0.5 * (A + A.T))

    def has_full_rank(self) -> bool:
        """From a condition estimate."""
        lu, _, info = getrf(self._A)
        if info > 0:
            return False
        reciprocal_condition, _ = gecon(lu, float(np.linalg.norm(self._A, 1)))
        return bool(reciprocal_condition > self.d * np.finfo(float).eps)


def above(norm: float) -> float:
    """An eigenvalue above all those of a matrix of that norm."""
    return 2.0 * norm if norm > 0.0 else 1.0


def compressed(times: Product, V: FloatArray, norm: float) -> Product:
    """Products with ``P A P + lift V V'``, ``P = I - VV'``."""
    lift = above(norm)

    def product(U: FloatArray) -> FloatArray:
        inside = V @ (V.T @ U)
        U = times(U - inside)
        return U - V @ (V.T @ U) + lift * inside

    return product


def null_space_of(W: FloatArray) -> FloatArray:
    """Orthonormal basis of the complement of W, from a full QR."""
    return np.linalg.qr(W, mode="complete")[0][:, W.shape[1] :]
