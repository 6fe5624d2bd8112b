"""Where to start: W from Phi(0), second moments, Phi(I), or at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .._arrays import Array, FloatArray, array_namespace
from .._devices import beside, in_dtype
from .._linalg import (
    AbstractSymmetric,
    fits_in_memory,
    orthonormal_basis,
    restarted_krylov,
    symmetric_matrix,
)
from .._objective import Objective
from .._rows import AbstractRows, Block
from ..gamma import AbstractGamma
from ._base import require_finite

_FEW = 5  # products with a block: eigenvectors to a degree or so


def phi_zero(objective: Objective, q: int) -> FloatArray:
    """The lowest q eigenvectors of Phi(0): the paper's W_0, made unique.

    With a centred Gamma of c classes Phi(0) has rank c - 1 at most, so for larger q the paper's
    rule leaves columns to rounding. Those are grown: Phi at the informative columns says which
    further directions help, and where it is silent too, variance decides.
    """
    phi = objective.matrix_at_zero
    # Of low rank in general: a few products with a random block find all there is to find.
    guess = random_start(objective, q, np.random.default_rng(0))
    spectrum = phi.improved(guess, 1e-12)
    informative = int(np.count_nonzero(spectrum.values < -1e-9 * phi.norm))
    if informative >= q:
        return spectrum.vectors[:, :q]
    if informative == 0:
        return phi.resolved(q, _minus_variance(objective))
    return _grow(objective, spectrum.vectors[:, :informative], q)


def _grow(objective: Objective, V: FloatArray, q: int) -> FloatArray:
    """Fill V up to q columns with the lowest eigenvectors of Phi(V) in its complement.

    Ties go to variance. With more features than rows that is not enough: every direction without
    any variance is harmless, hence low, and a start there would never come back to the data. So
    directions that do not help are then chosen by variance alone.
    """
    variance, missing = _minus_variance(objective), q - V.shape[1]
    phi = require_finite(objective.point(V)).matrix
    scale = phi.norm
    if objective.n_features > objective.n_samples:
        low = phi.off(V).lowest(missing)
        helpful = low.values[:missing] < -1e-9 * scale
        V = orthonormal_basis(np.concatenate([V, low.vectors[:, :missing][:, helpful]], axis=1))
        missing, phi = q - V.shape[1], variance()
        scale = phi.norm
    if missing:
        V = np.concatenate([V, phi.off(V).resolved(missing, variance, scale)], axis=1)
    return orthonormal_basis(V)


def second_moments(objective: Objective, q: int) -> FloatArray:
    """Top q eigenvectors of ``sum_k |s_k| (X' diag(u_k) X)^2``, ``Gamma = U diag(s) U'``.

    Sees dependence that class means cannot (XOR, rings, products), in one pass over the data. Of
    rows that are elsewhere those count that stand in for all of them: u_k has a number for each.
    """
    seen = objective if objective.rows.elsewhere is None else objective.stand_in
    moments = SecondMoments(seen.rows, seen.gamma)
    matrix = symmetric_matrix(objective.n_features, moments.to_dense, moments.times)
    return matrix.resolved(q, _minus_variance(objective))


class SecondMoments:
    """``-sum_k |s_k| (X' diag(u_k) X)^2`` of centred rows, as an array or by its products.

    Of Gamma the 20 largest eigenvalues count. Rows with weights are seen from their weighted mean.
    """

    def __init__(self, rows: AbstractRows, gamma: AbstractGamma) -> None:
        v = gamma.row_weights
        self._rows = rows.from_mean() if v is None else rows.moved(rows.mean(v))
        self._U, self._s = gamma.factors(max_rank=20)

    def to_dense(self) -> FloatArray:
        """One d x d product for each column of U."""
        moments = np.zeros((self._rows.n_features, self._rows.n_features))
        for u, weight in zip(self._U.T, self._s, strict=True):
            M = self._rows.gram(u)
            moments += abs(weight) * (M @ M)
        return -moments

    def times(self, V: FloatArray) -> FloatArray:
        """All u_k at once: two passes, in which nothing is made for all rows."""
        rows, U, sizes = self._rows, self._U, np.abs(self._s)

        def once(place: slice, block: Block) -> FloatArray:
            w = in_dtype(rows.project(block, V), np.float64)
            return rows.transposed(block, _weighted(beside(U[place], w), w[:, None, :]))

        def twice(place: slice, block: Block) -> FloatArray:
            w = in_dtype(rows.project(block, first), np.float64)
            parts = array_namespace(w).reshape(w, (w.shape[0], U.shape[1], -1))
            weighted = beside(U[place] * sizes, w)[:, :, None] * parts
            return rows.transposed(block, array_namespace(w).sum(weighted, axis=1))

        first = rows.fold(once, name="product")
        return -rows.fold(twice, name="product")

    def roughly_lowest(self, q: int) -> FloatArray:
        """About the q lowest eigenvectors, from a few products: for a start it is enough."""
        d = self._rows.n_features
        guess = np.random.default_rng(0).standard_normal((d, min(d, q + 3)))
        found = restarted_krylov(self.times, guess, n_exact=q, atol=0.0, max_products=_FEW)
        return orthonormal_basis(found.vectors[:, :q])


def _weighted(U: Array, V: Array) -> Array:
    """``[diag(u_1) V, diag(u_2) V, ...]`` side by side, of V (n, 1, k)."""
    return array_namespace(V).reshape(U[:, :, None] * V, (U.shape[0], -1))


def phi_identity(objective: Objective, q: int) -> FloatArray:
    """The lowest q eigenvectors of Phi(I): the same formula in the full space."""
    d = objective.n_features
    if not fits_in_memory(d):
        raise ValueError(
            f"init='phi-identity' needs W = I, an array of {d} x {d}: too large. "
            "Use init='phi-zero', which is nearly the same for many features, or 'second-moments'."
        )
    return require_finite(objective.point(np.eye(d))).matrix.resolved(q, _minus_variance(objective))


def _minus_variance(objective: Objective) -> Callable[[], AbstractSymmetric]:
    """``-X'X``, the tie breaker: where Phi is silent, directions of large variance.

    Of rows with weights ``-X' diag(v) X``.
    """
    rows, v = objective.rows, objective.gamma.row_weights

    def times(V: FloatArray) -> FloatArray:
        def task(place: slice, block: Block) -> FloatArray:
            w = rows.project(block, V)
            return rows.transposed(block, w if v is None else beside(v[place], w)[:, None] * w)

        return -rows.fold(task, name="gram")

    def gram() -> FloatArray:
        return -(objective.gram if v is None else rows.gram(v))

    return lambda: symmetric_matrix(objective.n_features, gram, times)


_STARTS: dict[str, Callable[[Objective, int], FloatArray]] = {
    "phi-zero": phi_zero,
    "second-moments": second_moments,
    "phi-identity": phi_identity,
}
START_NAMES = (*_STARTS, "random")


def random_start(objective: Objective, q: int, rng: np.random.Generator) -> FloatArray:
    """A subspace drawn uniformly."""
    return orthonormal_basis(rng.standard_normal((objective.n_features, q)))


def start_from_name(
    name: str, objective: Objective, q: int, rng: np.random.Generator
) -> FloatArray:
    """Build one start by name."""
    if name == "random":
        return random_start(objective, q, rng)
    if name not in _STARTS:
        raise ValueError(f"`init` must be one of {list(START_NAMES)} or an array. Got {name!r}.")
    return _STARTS[name](objective, q)


def many_starts(
    first: str, n_init: int, objective: Objective, q: int, rng: np.random.Generator
) -> Iterator[tuple[str, FloatArray]]:
    """``n_init`` named starts: the chosen one, the other rules in order, then random ones."""
    others = [name for name in _STARTS if name != first]
    if not fits_in_memory(objective.n_features) and "phi-identity" in others:
        others.remove("phi-identity")
    names = [first, *others]
    names += ["random"] * (n_init - len(names))
    for name in names[:n_init]:
        yield name, start_from_name(name, objective, q, rng)
