r"""A symmetric matrix that is never formed: all from products with blocks of columns.

A product with Phi is two passes over the data whatever the number of columns, so blocks are
wide enough to need few of them, and what one product can tell about several questions is asked
at once: with an orthonormal frame F (the iterate W) and Gaussian probes G, ``A [F, G]`` tells ::

    |A|_F^2 ~ |AF|_F^2 + |A P G|_F^2 / m,    tr A ~ tr F'AF + tr G'PAPG / m,    P = I - FF'

(M. Hutchinson: A stochastic estimator of the trace, Comm. Stat. 19, 1990, off a known part as in
Meyer et al.: Hutch++, SOSA 2021). The probes are always the same, so both are smooth functions of
A. With m = 10 the norm has a standard deviation of 22 per cent where one eigenvalue off F carries
all of the rest, of ``22 / sqrt(r)`` per cent where r alike do: a yardstick, not a measurement.
The mean eigenvalue, ``tr A / d``, is off by ``|PAP|_F sqrt(2/m) / d``, nothing for large d.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import final

import numpy as np

from .._arrays import FloatArray
from .eigen import start_block
from .krylov import Product, Spectrum, restarted_krylov
from .subspace import safe_norm
from .symmetric import AbstractSymmetric, DenseSymmetric, SplitSpectrum, compressed, fits_in_memory

_LARGEST_ON_REQUEST = 6000  # rows; 288 MB for those who ask for the array itself
_PROBES = 10
_SPARE = 3  # columns of a block beside those wanted: they part the wanted from what is near
_RTOL = 1e-5  # of residuals; eigenvalues are off by its square beside their distances
_RTOL_OF_TIES = 1e-8
_MAX_PRODUCTS = 150
_TIED_RANK = 32  # largest rank off a repeated eigenvalue that is resolved


def symmetric_matrix(
    d: int, to_dense: Callable[[], FloatArray], times: Product
) -> AbstractSymmetric:
    """The array (symmetrised) where it is small, else the operator; only one of them is called."""
    if not fits_in_memory(d):
        return OperatorSymmetric(times, d)
    A = to_dense()
    return DenseSymmetric(0.5 * (A + A.T))


@final
class OperatorSymmetric(AbstractSymmetric):
    """A symmetric matrix known by its products ``times``, V -> A V.

    ``frame`` are columns it is certain to be asked for: their image comes with that of the probes.
    ``norm`` is ``|A|_F`` where that is known.
    """

    def __init__(
        self, times: Product, d: int, frame: FloatArray | None = None, norm: float | None = None
    ) -> None:
        self._times, self.d = times, d
        self._frame = np.empty((d, 0)) if frame is None else frame
        if norm is not None:
            self.norm = norm

    def times(self, V: FloatArray) -> FloatArray:
        """``A V``; of the frame itself it is known."""
        return self._images[0] if V is self._frame else self._times(V)

    @cached_property
    def _images(self) -> tuple[FloatArray, FloatArray]:
        """``A F`` and ``A G``."""
        q = self._frame.shape[1]
        images = self._times(np.concatenate([self._frame, _probes(self.d)], axis=1))
        return np.ascontiguousarray(images[:, :q]), images[:, q:]

    @cached_property
    def _parts(self) -> tuple[FloatArray, ...]:
        """F and ``A F``, where F is orthonormal; ``P G`` and ``A P G``."""
        F, (AF, AG), G = self._frame, self._images, _probes(self.d)
        if not np.abs(F.T @ F - np.eye(F.shape[1])).max(initial=0.0) < 1e-8:
            F, AF = F[:, :0], AF[:, :0]
        return F, AF, G - F @ (F.T @ G), AG - AF @ (F.T @ G)

    @cached_property
    def norm(self) -> float:  # type: ignore[override]
        """``|A|_F``: exact on the frame, to a few per cent in general off it."""
        _, AF, _, APG = self._parts
        known = safe_norm(AF) if AF.size else 0.0
        return float(np.hypot(known, safe_norm(APG) / np.sqrt(_PROBES)))

    @property
    def trace(self) -> float:
        """Exact on the frame, from probes off it."""
        F, AF, PG, APG = self._parts
        return float(np.vdot(F, AF) + np.vdot(PG, APG) / _PROBES)

    def to_dense(self) -> FloatArray:
        """The array, on request and up to 6000 rows."""
        if self.d > _LARGEST_ON_REQUEST:
            raise MemoryError(
                f"A matrix of {self.d} x {self.d} would take {8e-9 * self.d**2:.1f} GB and is not "
                f"formed: arrays end at {_LARGEST_ON_REQUEST} features. Use its products, "
                "`objective.point(W).matrix.times(V)`, or `objective.gradient(W)`."
            )
        blocks = (np.eye(self.d, min(256, self.d - j), -j) for j in range(0, self.d, 256))
        A = np.concatenate([self._times(block) for block in blocks], axis=1)
        return 0.5 * (A + A.T)

    def lowest(self, k: int, guess: FloatArray | None = None) -> Spectrum:
        """By block Krylov spaces, from the guess and random columns.

        A guess that is stationary but not lowest has no residual: one eigenpair more than it has
        columns must be found, which the random columns lead to the lowest one there is.
        """
        n_exact = k if guess is None else max(k, guess.shape[1] + 1)
        return self._search(k, n_exact, guess, _RTOL)

    def improved(self, guess: FloatArray, rtol: float) -> Spectrum:
        """As :meth:`lowest`, no more exact than asked for."""
        return self._search(guess.shape[1] + 1, guess.shape[1], guess, rtol)

    def _search(self, k: int, n_exact: int, guess: FloatArray | None, rtol: float) -> Spectrum:
        """K eigenpairs, of which ``n_exact`` have residuals below ``rtol |A|``."""
        values, vectors = restarted_krylov(
            self._times,
            start_block(self.d, min(self.d, max(k, n_exact) + _SPARE), guess, seed=1),
            n_exact=min(n_exact, self.d),
            atol=rtol * self.norm,
            min_products=3,
            max_products=_MAX_PRODUCTS,
        )
        return Spectrum(values[:k], vectors[:, :k])

    def resolved(
        self, q: int, ties: Callable[[], AbstractSymmetric], scale: float | None = None
    ) -> FloatArray:
        """Ties are seen where A is of low rank but for a multiple of I, as it is in practice."""
        noise = 1e-9 * max(self.norm if scale is None else scale, np.finfo(float).tiny)
        wanted = min(q + 1, self.d)
        low = self._search(wanted, wanted, None, _RTOL_OF_TIES)
        if q == self.d or low.values[q] - low.values[q - 1] > noise:
            return low.vectors[:, :q]
        level = float(low.values[q - 1])
        below = int(np.count_nonzero(low.values < level - noise))
        others = self._range_off(level, noise)
        if others is None:
            return low.vectors[:, :q]
        chosen = ties().off(others).lowest(q - below).vectors[:, : q - below]
        return np.concatenate([low.vectors[:, :below], chosen], axis=1)

    def _range_off(self, level: float, noise: float) -> FloatArray | None:
        """A basis of the range of ``A - level I``; None where its rank is not small."""
        V = np.random.default_rng(2).standard_normal((self.d, min(_TIED_RANK, self.d)))
        U, sizes, _ = np.linalg.svd(self._times(V) - level * V, full_matrices=False)
        rank = int(np.count_nonzero(sizes > noise * np.sqrt(self.d)))
        return U[:, :rank] if rank < V.shape[1] else None

    def split(self, W: FloatArray, *, in_full: bool = False) -> SplitSpectrum:
        """The lowest Ritz pairs off W from a few blocks, and the mean of the rest; never in full.

        They only shape a preconditioner and a first guess. The image of the probes is known: one
        step of the search is made already.
        """
        d, q = W.shape
        inner, S = np.linalg.eigh(W.T @ self.times(W))
        start = (self._images[1] / max(self.norm, 1e-300) + 1e-3 * _probes(d))[:, : d - q]
        outer, B = restarted_krylov(
            self.off(W).times,
            start - W @ (W.T @ start),
            n_exact=1,
            atol=0.0,
            max_products=3,
        )
        rest = float(self.trace - inner.sum() - outer.sum()) / max(d - q - outer.size, 1)
        return SplitSpectrum(S, inner, np.linalg.qr(B - W @ (W.T @ B))[0], outer, rest, self.norm)

    def splits_in_full(self, q: int) -> bool:
        """Never: products are all there is."""
        return False

    def off(self, V: FloatArray) -> OperatorSymmetric:
        times = compressed(self._times, V, self.norm)
        return OperatorSymmetric(times, self.d, norm=self.norm)

    def has_full_rank(self) -> None:
        """An unknown: the eigenvalue nearest to zero is out of the reach of products."""
        return


@lru_cache(maxsize=2)
def _probes(d: int) -> FloatArray:
    """The same Gaussian columns at every call."""
    G = np.random.default_rng(0).standard_normal((d, _PROBES))
    G.setflags(write=False)
    return G
