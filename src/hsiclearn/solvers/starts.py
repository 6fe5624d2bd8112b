"""Where to start: W from Phi(0), second moments, Phi(I), or at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .._arrays import FloatArray
from ..linalg import (
    improved_eigenpairs,
    lowest_eigenpairs,
    lowest_eigenvectors,
    null_space_of,
    orthonormal_basis,
)
from ..objective import Objective

__all__ = ["START_NAMES", "many_starts", "start_from_name"]


def phi_zero(objective: Objective, q: int) -> FloatArray:
    """The lowest q eigenvectors of Phi(0): the paper's W_0, made unique.

    With a centred Gamma of c classes Phi(0) has rank c - 1 at most, so for larger q the paper's
    rule leaves columns to rounding. Those are grown: Phi at the informative columns says which
    further directions help, and where it is silent too, variance decides.
    """
    phi = objective.phi_at_zero
    # Of low rank in general: a few products with a random block find all there is to find.
    guess = random_start(objective, q, np.random.default_rng(0))
    spectrum = improved_eigenpairs(phi, guess, 1e-12)
    scale = float(np.linalg.norm(phi))
    informative = int(np.count_nonzero(spectrum.values < -1e-9 * scale))
    if informative >= q:
        return spectrum.vectors[:, :q]
    if informative == 0:
        return lowest_eigenvectors(phi, q, _minus_variance(objective))
    return _grow(objective, spectrum.vectors[:, :informative], q)


def _grow(objective: Objective, V: FloatArray, q: int) -> FloatArray:
    """Fill V up to q columns with the lowest eigenvectors of Phi(V) in its complement.

    Ties go to variance. With more features than rows that is not enough: every direction without
    any variance is harmless, hence low, and a start there would never come back to the data. So
    directions that do not help are then chosen by variance alone.
    """
    B, variance = null_space_of(V), _minus_variance(objective)
    missing = q - V.shape[1]
    phi = objective.phi(V)
    scale = float(np.linalg.norm(phi))
    phi = B.T @ phi @ B
    if objective.n_features > objective.n_samples:
        low = lowest_eigenpairs(0.5 * (phi + phi.T), min(missing + 1, B.shape[1]))
        helpful = low.values[:missing] < -1e-9 * scale
        V = np.concatenate([V, B @ low.vectors[:, :missing][:, helpful]], axis=1)
        B, missing = null_space_of(V), q - V.shape[1]
        phi = variance(B)
        scale = float(np.linalg.norm(phi))
    if missing:
        more = lowest_eigenvectors(0.5 * (phi + phi.T), missing, lambda U: variance(B @ U), scale)
        V = np.concatenate([V, B @ more], axis=1)
    return orthonormal_basis(V)


def second_moments(objective: Objective, q: int) -> FloatArray:
    """Top q eigenvectors of ``sum_k |s_k| (X' diag(u_k) X)^2``, ``Gamma = U diag(s) U'``.

    Sees dependence that class means cannot (XOR, rings, products), in one pass over the data.
    """
    X = objective.X - objective.X.mean(axis=0)
    U, s = objective.gamma.factors(max_rank=20)
    moments = np.zeros((X.shape[1], X.shape[1]))
    for u, weight in zip(U.T, s, strict=True):
        M = X.T @ (u[:, None] * X)
        moments += abs(weight) * (M @ M)
    return lowest_eigenvectors(-moments, q, _minus_variance(objective))


def phi_identity(objective: Objective, q: int) -> FloatArray:
    """The lowest q eigenvectors of Phi(I): the same formula in the full space."""
    identity = np.eye(objective.n_features)
    return lowest_eigenvectors(objective.phi(identity), q, _minus_variance(objective))


def _minus_variance(objective: Objective) -> Callable[[FloatArray], FloatArray]:
    """``V -> -V'X'XV``, the tie breaker: where Phi is silent, directions of large variance."""

    def compression(V: FloatArray) -> FloatArray:
        projected = objective.X @ V
        return -(projected.T @ projected)

    return compression


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
    names = [first, *(name for name in _STARTS if name != first)]
    names += ["random"] * (n_init - len(names))
    for name in names[:n_init]:
        yield name, start_from_name(name, objective, q, rng)
