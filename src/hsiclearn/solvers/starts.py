"""Where to start: W from Phi(0), second moments, Phi(I), or at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .._arrays import FloatArray
from ..linalg import lowest_eigenvectors, orthonormal_basis
from ..objective import Objective

__all__ = ["START_NAMES", "many_starts", "start_from_name"]


def phi_zero(objective: Objective, q: int) -> FloatArray:
    """The lowest q eigenvectors of Phi(0): the paper's W_0, made unique.

    With a centred Gamma of c classes Phi(0) has rank c - 1 at most, so for larger q the paper's
    rule leaves columns to rounding. Those are grown: Phi at the informative columns says which
    further directions help, and where it is silent too, variance decides.
    """
    variance = -(objective.X.T @ objective.X)
    phi = objective.phi_at_zero()
    values = np.linalg.eigvalsh(phi)
    informative = int(np.count_nonzero(values < -1e-9 * np.max(np.abs(values))))
    if informative >= q or informative == 0:
        return lowest_eigenvectors(phi, q, variance)
    V = lowest_eigenvectors(phi, informative, variance)
    grown = objective.phi(V)
    # Inside V everything is taken; lift it out of the way and fill up from the complement.
    P = np.eye(V.shape[0]) - V @ V.T
    grown = P @ grown @ P
    lift = 2.0 * float(np.linalg.norm(grown)) + 1.0
    rest = lowest_eigenvectors(
        0.5 * (grown + grown.T) + lift * (V @ V.T), q - informative, P @ variance @ P
    )
    return orthonormal_basis(np.concatenate([V, rest], axis=1))


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
    return lowest_eigenvectors(-moments, q, -(X.T @ X))


def phi_identity(objective: Objective, q: int) -> FloatArray:
    """The lowest q eigenvectors of Phi(I): the same formula in the full space."""
    X = objective.X
    return lowest_eigenvectors(objective.phi(np.eye(X.shape[1])), q, -(X.T @ X))


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
