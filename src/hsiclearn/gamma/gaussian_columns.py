r"""``H K H`` for a Gaussian kernel of several columns, at a rank no higher than an accuracy needs.

Pair by pair it is exact but for the means. Row by row K is of low rank ::

    K_ij ~ k_i' M M' k_j      k_i the kernel values of row i at landmarks z_1 .. z_m

The landmarks are pivots of a Cholesky factorisation of K on a sample of rows, each weighted by how
near it is to others: a row far from all of them adds ``K_ii`` alone, which no difference of rows
sees, and is no landmark. M turns the values at the landmarks into the leading components of K on
the sample, ``M = L^-T V``: their number, which all sums over pairs cost in proportion to, is the
smallest that leaves out a share ``rtol`` of the kernel between rows. A row of ``k_i' M`` is made
when it is needed: nothing of size n is kept beside the columns.

What rows have alone, ``e_i = Gamma_ii - |u_i|^2`` with u_i the centred components, is left of it in
the means by which K is centred. With it, for i other than j, ::

    Gamma_ij ~ u_i'u_j - (e_i + e_j) / n + mean(e) / n
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from operator import add, iadd
from typing import final

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.linalg.lapack import dpstrf as pstrf

from .._arrays import Array, FloatArray, array_namespace
from .._columns import Column, fold, mapped
from .._devices import Placed, is_foreign
from .._linalg import gaussian_kernel
from .._weights import are_same, total_weight
from ._base import AbstractGamma
from .pair_tiles import GaussianPairs, PairTiles
from .row_factor import LazyFactor, RowFactor

_SAMPLE = 4000  # rows among which landmarks are chosen
_FINEST = 1e-11  # share left out; beyond, only rounding is left
_CHUNK = 8192  # rows whose components are made at a time


@dataclass(frozen=True, eq=False)
class KernelComponents:
    """Landmarks and what makes components of kernel values there."""

    landmarks: FloatArray  # (m, p)
    L: FloatArray  # (m, m), of K between landmarks
    M: FloatArray  # (m, rank)


@final
@dataclass(frozen=True, eq=False, repr=False)
class GaussianColumns(AbstractGamma):
    """``Gamma_ij = K_ij - k_i - k_j + c``, K the Gaussian kernel of the columns Y.

    Parameters
    ----------
    Y : array, shape (n_samples, n_columns)
        Or a handle to one that is elsewhere.
    bandwidth : float
    rtol : float, default=1e-6
        The share of the kernel between rows that the components may leave out.
    max_rank : int, default=1000
        The most landmarks there may be.
    factor : float, default=1.0
        Gamma is so many times that.
    components : KernelComponents or None
        Of other rows; None means those of a sample of these.
    centre : array or None
        The mean of the kernel values at the landmarks that rows are centred by; None means that of
        these rows.
    is_local : bool, default=False
        Whether landmarks are chosen anew on chosen rows, so that these tell what others miss.
    weights : array, shape (n_samples,), default=None
        Of the rows, where they are what it is centred by.
    """

    Y: Column
    bandwidth: float
    _: KW_ONLY
    rtol: float = 1e-6
    max_rank: int = 1000
    factor: float = 1.0
    components: KernelComponents | None = None
    centre: FloatArray | None = None
    is_local: bool = False
    weights: Column | None = None

    @property
    def n_samples(self) -> int:  # type: ignore[override]
        """Number of rows."""
        return self.Y.shape[0]

    @property
    def rank(self) -> int:
        """Number of components."""
        return self._components.M.shape[1]

    @property
    def is_short(self) -> bool:
        """Whether there would have to be more landmarks than there may be."""
        return self._components.landmarks.shape[0] >= self.max_rank

    @cached_property
    def _components(self) -> KernelComponents:
        if self.components is not None:
            return self.components
        n = self.n_samples
        index = np.random.default_rng(0).choice(n, min(n, _SAMPLE), replace=False)
        return _leading(self.Y[np.sort(index)], self.bandwidth, self.rtol, self.max_rank)

    def _kernel(self, rows: slice | Array, Z: FloatArray) -> FloatArray:
        return gaussian_kernel(self.Y[rows], Z, self.bandwidth)

    @cached_property
    def _centre(self) -> FloatArray:
        if self.centre is not None:
            return self.centre
        Z, bandwidth, weights = self._components.landmarks, self.bandwidth, self.weights

        def task(place: slice, Y: FloatArray) -> FloatArray:
            total: FloatArray = np.zeros(Z.shape[0])
            v = None if weights is None else weights[place]
            for rows in _chunks(slice(0, Y.shape[0])):
                K = gaussian_kernel(Y[rows], Z, bandwidth)
                total += K.sum(axis=0) if v is None else v[rows] @ K
            return total

        return fold(self.Y, task, iadd, "centre") / self._total

    @cached_property
    def _total(self) -> float:
        """Of the weights of rows."""
        return self.n_samples if self.weights is None else total_weight(self.weights)

    def _chunks(self) -> Iterator[slice]:
        return _chunks(slice(0, self.n_samples))

    def components_of(self, rows: slice | Array) -> FloatArray:
        """The centred components of some rows."""
        return self._wide(rows)[:, :-2]

    @cached_property
    def _weights(self) -> tuple[FloatArray, float]:
        """``v, c``: ``k_i = K(y_i, Z) v``, the mean kernel value of a row, and their mean."""
        v: FloatArray = cho_solve((self._components.L, True), self._centre)
        return v, float(self._centre @ v)

    def _wide(self, rows: slice | Array) -> FloatArray:
        """``[u_i, v_i e_i, 1]``."""
        return self._of_weighted(self._Y_and_weights[rows])

    @cached_property
    def _Y_and_weights(self) -> Column:
        """Y itself, where rows have no weights."""
        if self.weights is None:
            return self.Y
        return mapped(self.Y, lambda Y, v: np.column_stack([Y, v]), self.weights)

    def _of_weighted(self, Yv: Array) -> Array:
        """``[u_i, v_i e_i, 1]`` of rows of Y beside their weights, wherever they are."""
        if self.weights is None:
            return self._wide_of(Yv)
        U, v = self._wide_of(Yv[:, :-1]), Yv[:, -1:]
        if is_foreign(U):
            return array_namespace(U).concat([U[:, :-2], v * U[:, -2:-1], U[:, -1:]], axis=1)
        U[:, -2:-1] *= v
        return U

    def _wide_of(self, Y: Array) -> Array:
        """The same of rows of Y, wherever they are."""
        if is_foreign(Y):
            return self._wide_there(Y)
        components, (v, c) = self._components, self._weights
        K = gaussian_kernel(Y, components.landmarks, self.bandwidth)
        k = K @ v
        K -= self._centre
        U = np.empty((K.shape[0], self.rank + 2))
        np.matmul(K, components.M, out=U[:, :-2])
        alone = 1.0 - 2.0 * k + c - np.einsum("ij,ij->i", U[:, :-2], U[:, :-2])
        U[:, -2], U[:, -1] = np.maximum(alone, 0.0), 1.0
        return U

    def _wide_there(self, Y: Array) -> Array:
        """On a device."""
        xp, c = array_namespace(Y), self._weights[1]
        Z, M, v, centre = (values.beside(Y) for values in self._placed)
        K = gaussian_kernel(Y, Z, self.bandwidth)
        U = (K - centre) @ M
        alone = 1.0 - 2.0 * (K @ v) + c - xp.sum(U * U, axis=1)
        alone = xp.clip(alone, min=0.0)[:, None]
        return xp.concat([U, alone, xp.ones_like(alone)], axis=1)

    @cached_property
    def _placed(self) -> list[Placed]:
        components, v = self._components, self._weights[0]
        return [Placed(a) for a in (components.landmarks, components.M, v, self._centre)]

    @cached_property
    def _alone(self) -> float:
        """``mean(e)``, ``sum_i v_i^2 e_i / V``, or of rows centred by others nothing."""
        if self.centre is not None:
            return 0.0
        _ = self._weights  # made of all rows, so before a part of them is asked
        table, v = self._Y_and_weights, self.weights

        def task(place: slice, _: FloatArray) -> float:
            parts = ((rows, self._of_weighted(table[rows])[:, -2]) for rows in _chunks(place))
            return sum(float(e.sum() if v is None else v[rows] @ e) for rows, e in parts)

        return fold(self.Y, task, add, "alone") / self._total

    @cached_property
    def _core(self) -> tuple[FloatArray, FloatArray]:
        """Eigenvectors and -values of what stands between the rows ``[u_i, v_i e_i, 1]``."""
        share, r = 1.0 / self._n_centre, self.rank
        values, vectors = np.linalg.eigh([[0.0, -share], [-share, self._alone * share]])
        roots = np.eye(r + 2)
        roots[r:, r:] = vectors
        return roots, self.factor * np.concatenate([np.ones(r), values])

    def tile(self, rows: slice, cols: slice) -> Array | float:
        """Exact but for the means, which are those of values at the landmarks and of rows alone."""
        left, right = self._means_of(rows), self._means_of(cols)
        K = self._kernel(rows, self.Y[cols])
        return self.factor * (K - left[:, None] - right + self._mean)

    def _means_of(self, rows: slice) -> FloatArray:
        """The mean kernel value of some rows."""
        Z, (v, _) = self._components.landmarks, self._weights
        return self._kernel(rows, Z) @ v + self._wide(rows)[:, -2] / self._n_centre

    @property
    def _mean(self) -> float:
        return self._weights[1] + self._alone / self._n_centre

    @property
    def _n_centre(self) -> float:
        """Of these rows, if they are what it is centred by; or their weights."""
        return np.inf if self.centre is not None else float(self._total)

    def tiles_on(self, like: Array) -> PairTiles:
        """As pair by pair here."""
        return self.gaussian_pairs.tiles_on(like)

    @property
    def gaussian_pairs(self) -> GaussianPairs:
        """All of it."""
        k = np.concatenate([self._means_of(rows) for rows in self._chunks()])
        return GaussianPairs(np.asarray(self.Y) / self.bandwidth, k, self._mean, self.factor)

    def apply(self, V: Array) -> Array:
        """``U core U'V``, O(n rank k)."""
        roots, signs = self._core
        sums = sum(self._wide(rows).T @ V[rows] for rows in self._chunks())
        spread = (roots * signs) @ (roots.T @ sums)
        return np.concatenate([self._wide(rows) @ spread for rows in self._chunks()])

    def take(self, index: Array) -> GaussianColumns:
        """The same components of chosen rows."""
        known, centre = self._components, self._centre
        return replace(self, Y=self.Y[index], components=known, centre=centre, weights=None)

    def centered_on(self, index: Array, weights: Array | None = None) -> GaussianColumns:
        """Centred by the chosen rows."""
        components = None if self.is_local else self._components
        return replace(self, Y=self.Y[index], components=components, centre=None, weights=weights)

    def factors(
        self, max_rank: int, weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Eigenpairs from those of ``U'U``."""

        def components_of(rows: slice) -> FloatArray:
            U = self.components_of(rows)
            return U if weights is None else weights[rows, None] * U

        gram: FloatArray = sum(
            ((U := components_of(rows)).T @ U for rows in self._chunks()),
            np.zeros((self.rank, self.rank)),
        )
        values, vectors = np.linalg.eigh(gram)
        top = np.argsort(-values, kind="stable")[:max_rank]
        top = top[values[top] > 1e-12 * values.max()]
        turn = vectors[:, top] / np.sqrt(values[top])
        U = np.concatenate([components_of(rows) @ turn for rows in self._chunks()])
        return U, self.factor * values[top]

    def absolute_form(self, g: FloatArray) -> float:
        """``(sum_i a_i g_i)^2``, ``a_i = |u_i|``."""
        sizes = [np.linalg.norm(self.components_of(rows), axis=1) for rows in self._chunks()]
        return abs(self.factor) * float(np.concatenate(sizes) @ g) ** 2

    def row_factor(self) -> RowFactor:
        """Components, made when they are needed."""
        return LazyFactor(self._Y_and_weights, self._of_weighted, *self._core)

    def finer(self) -> GaussianColumns | None:
        """A hundredth is left out of what is now."""
        if self.rtol <= _FINEST or self.is_short:
            return None
        return replace(self, rtol=1e-2 * self.rtol, components=None, centre=None, is_local=True)

    def scaled(self, factor: float) -> GaussianColumns:
        """``factor * Gamma``."""
        return replace(
            self, factor=factor * self.factor, components=self._components, centre=self.centre
        )

    @property
    def is_centered(self) -> bool:
        """Where it is centred by its own rows."""
        return self.is_centered_by(None)

    def is_centered_by(self, weights: Column | None) -> bool:
        """Where it is centred by its own rows, with these weights."""
        return self.centre is None and are_same(self.weights, weights)

    @property
    def is_psd(self) -> bool:
        """As a kernel is, less its mean anywhere."""
        return self.factor >= 0

    def __repr__(self) -> str:
        """The size of the structure."""
        return f"GaussianColumns(n_samples={self.n_samples}, rank={self.rank})"


def _chunks(rows: slice) -> Iterator[slice]:
    starts = range(rows.start, rows.stop, _CHUNK)
    return (slice(i, min(i + _CHUNK, rows.stop)) for i in starts)


def _leading(Y: FloatArray, bandwidth: float, rtol: float, max_rank: int) -> KernelComponents:
    """Landmarks and components of K on a sample of rows, to a share of ``rtol`` between them.

    With ``nearness_i`` the mean of ``K_ij`` over the others, what is missing between rows is at
    most ``sum_i nearness_i e_i`` about, ``e_i`` what is missing of ``K_ii``.
    """
    K, n = gaussian_kernel(Y, Y, bandwidth), Y.shape[0]
    nearness = np.maximum(K.sum(axis=0) - 1.0, 0.0) / max(n - 1, 1)
    root = np.sqrt(nearness / max(nearness.mean(), np.finfo(float).tiny))
    weighted = root[:, None] * K * root
    _, pivots, rank, _ = pstrf(weighted, tol=rtol, lower=1)
    chosen = pivots[: max(1, min(int(rank), max_rank))] - 1
    KZ = K[:, chosen]
    L = _triangle(K[np.ix_(chosen, chosen)])
    U = solve_triangular(L, KZ.T, lower=True).T
    # A row far from all others is nothing but minus the mean: that is a component of its own.
    mean = U.mean(axis=0)
    mean /= np.linalg.norm(mean)
    rest = root[:, None] * (U - U.mean(axis=0))
    rest -= np.outer(rest @ mean, mean)
    values, vectors = np.linalg.eigh(rest.T @ rest)
    left_out = np.cumsum(np.maximum(values, 0.0)) / max(float(values.sum()), np.finfo(float).tiny)
    V = np.column_stack([mean, vectors[:, left_out > rtol]])
    return KernelComponents(Y[chosen], L, solve_triangular(L, V, lower=True, trans=1))


def _triangle(K: FloatArray) -> FloatArray:
    """L of ``K = L L'``; of landmarks that lie nearly on each other, nearly."""
    lift = 0.0
    while True:
        try:
            return np.asarray(np.linalg.cholesky(K + lift * np.eye(K.shape[0])), dtype=np.float64)
        except np.linalg.LinAlgError:
            lift = max(10.0 * lift, 1e-15 * K.shape[0])
