r"""The statistic with the rows of Y in another order, as often as asked for.

Four ways, by what is known: two labellings, two centred matrices, thin features of the rows, or
nothing, where every order is another pass over all pairs. The unbiased statistic differs from the
biased one by a product of the two diagonals alone (:mod:`.sums`), which is permuted along.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._arrays import Array, FloatArray
from .._rows import batches
from .._threads import map_in_order, with_single_threaded_blas
from .linear_time import SideSums
from .side import AbstractSide, ClassSide
from .sums import centre_in_place, sums_in_tiles

_FEATURE_BYTES = 256 * 2**20  # both sides together
_BATCH = 4096  # rows
_NEGLIGIBLE = 1e-12  # share of the largest eigenvalue
TIE = 1e-10
"""Share of the statistic: two orders that differ by rounding alone are equal."""

Product = Callable[[Array], float]
"""``Tr(Kc Lc)`` with row ``order[i]`` of Y beside row i of X, diagonals removed if unbiased."""


def product_in_tiles(x: AbstractSide, y: AbstractSide, estimator: str) -> Product:
    """Nothing is kept: one pass over all pairs per order."""

    def product(order: Array) -> float:
        return float(sums_in_tiles(x, y.take(order)).without_diagonals(estimator)[0, 1])

    return product


def product_of_matrices(x: AbstractSide, y: AbstractSide, estimator: str) -> Product:
    """From two centred matrices."""
    K, L = centre_in_place(x.matrix()), centre_in_place(y.matrix())

    def biased(order: Array) -> float:
        return float(np.vdot(K, L.take(order, axis=0).take(order, axis=1)))

    return _as_estimated(biased, K.diagonal(), L.diagonal(), estimator)


def product_of_classes(x: ClassSide, y: ClassSide, estimator: str) -> Product:
    """Two labellings: the squares of the cells of their table, linear in the number of rows."""
    n, first, second = x.n_samples, x.codes.astype(np.int64) * y.n_classes, y.codes
    k, ell = (side.sizes[side.codes] for side in (x, y))  # sums of the rows of K and of L
    grand = float(k.sum()) * float(ell.sum()) / n**2

    def biased(order: Array) -> float:
        cells = np.unique(first + second[order], return_counts=True)[1].astype(np.float64)
        return float(cells @ cells - 2.0 / n * (k @ ell[order]) + grand)

    def diagonal(sums: FloatArray) -> FloatArray:
        return 1.0 - 2.0 / n * sums + float(sums.sum()) / n**2

    return _as_estimated(biased, diagonal(k), diagonal(ell), estimator)


def product_of_features(x: Principal, y: Principal, estimator: str) -> Product:
    """``|F' G[order]|^2``, linear in the number of rows."""

    def biased(order: Array) -> float:
        cross = np.zeros((x.signs.size, y.signs.size))
        for rows in batches(order.size, _BATCH):
            cross += x.values[rows].T @ y.values[order[rows]]
        return float(x.signs @ (cross * cross) @ y.signs)

    k, ell = (np.einsum("ij,ij,j->i", F.values, F.values, F.signs) for F in (x, y))
    return _as_estimated(biased, k, ell, estimator)


def _as_estimated(biased: Product, k: FloatArray, ell: FloatArray, estimator: str) -> Product:
    """The biased product, or it without what the diagonals of Kc and Lc have in it."""
    if estimator == "biased":
        return biased
    n = k.size
    chance = k.sum() * ell.sum() / (n * (n - 1.0))
    return lambda order: float(biased(order) - n / (n - 2.0) * (k @ ell[order] - chance))


class Principal(NamedTuple):
    """Features of a centred kernel matrix, ``V diag(signs) V'``, the largest first.

    ``dropped`` is the trace that is lost with those that do not fit the memory.
    """

    values: FloatArray
    signs: FloatArray
    dropped: float


class PrincipalAxes(NamedTuple):
    """``(F - mean) projection`` are principal features of a side; ``dropped`` as above."""

    mean: FloatArray
    projection: FloatArray
    signs: FloatArray
    dropped: float


def principal_axes(sums: SideSums, side: int, memory: int | None = None) -> PrincipalAxes:
    """The leading eigenvectors of a centred ``F diag(s) F'``, with its scale.

    With ``F'F = W diag(w) W'`` its eigenvalues are those of the small ``w^1/2 W' diag(s) W w^1/2``.
    As many as fit into ``memory`` bytes for both sides.
    """
    features = sums.features[side]
    weights, W = np.linalg.eigh(sums.covariance(side, side))
    keep = weights > _NEGLIGIBLE * max(float(weights[-1]), 0.0)
    root, W = np.sqrt(weights[keep]), W[:, keep]
    eigenvalues, Z = np.linalg.eigh((root[:, None] * (W.T * features.signs) @ W) * root)
    order = np.argsort(-np.abs(eigenvalues), kind="stable")
    most = int((_FEATURE_BYTES if memory is None else memory) // (16 * sums.n))
    best, rest = np.split(order, [max(8, most)])
    projection = (W / root) @ Z[:, best] * np.sqrt(np.abs(eigenvalues[best]))
    mean, dropped = sums.shift[side] + sums.mean(side), float(np.abs(eigenvalues[rest]).sum())
    return PrincipalAxes(mean, projection, np.sign(eigenvalues[best]), dropped)


def principal_features(sums: SideSums, side: int) -> Principal:
    """The features of all rows along those."""
    axes, features = principal_axes(sums, side), sums.features[side]
    n = int(sums.n)  # single rows: weights have repeated them
    values = np.empty((n, axes.signs.size))

    def task(rows: slice) -> None:
        values[rows] = (features.values(rows)[0] - axes.mean) @ axes.projection

    for _ in map_in_order(task, batches(n, _BATCH)):
        pass
    return Principal(values, axes.signs, axes.dropped)


@with_single_threaded_blas
def draw(
    product: Product, n: int, count: int, rng: np.random.Generator, n_threads: int | None
) -> FloatArray:
    """The statistic at ``count`` random orders of n rows."""
    orders = (rng.permutation(n) for _ in range(count))
    return np.array(list(map_in_order(product, orders, n_threads)))


def pvalue_of(statistic: float, drawn: FloatArray, tie: float = TIE) -> float:
    """``(1 + number of drawn >= statistic) / (1 + number drawn)``: never 0, never too small."""
    slack = tie * max(abs(statistic), float(np.abs(drawn).max(initial=0.0)))
    return float((1 + np.count_nonzero(drawn >= statistic - slack)) / (1 + drawn.size))
