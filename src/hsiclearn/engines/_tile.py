r"""The mathematics of one tile of pairs, in any array namespace. Engines only schedule it.

For rows I and columns J, with ``w = XW`` and ``z = XZ``::

    total     sum_ij Gamma_ij f(beta_ij)
    weights   S    = Gamma o f'(beta)                      (for Phi)
              Sdot = Gamma o f''(beta) o betadot           (for Phidot, the derivative along Z)

Every derivative of the objective is made of S times thin matrices and of its row sums. S is
kept as ``factor * array``: a Gaussian's f, f' and f'' are then one array, not three.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .._arrays import Array, FloatArray, array_namespace
from ..kernels import AbstractKernel, Pair, Scaled

__all__ = [
    "Factors",
    "Group",
    "group_by_pair",
    "tile_bend",
    "tile_dot_weights",
    "tile_sum_and_weights",
    "weigh",
]


@dataclass(frozen=True)
class Group:
    """The terms of a kernel that share a pair type, so that they share beta and contraction."""

    pair: Pair
    terms: tuple[tuple[float, AbstractKernel, Array | None], ...]  # weight, kernel, row scales

    def jet(self, beta: Array, order: int, rows: slice, cols: slice) -> tuple[Scaled, ...]:
        """``(f, f', f'')`` of the weighted sum, with respect to beta. Gives beta up."""
        if len(self.terms) == 1:
            return _term_jet(*self.terms[0], beta, order, rows, cols)
        jets = [_term_jet(*term, beta + 0.0, order, rows, cols) for term in self.terms]
        columns = zip(*jets, strict=True)
        return tuple((1.0, sum(factor * array for factor, array in column)) for column in columns)

    def reordered(self, order: Array) -> Group:
        """The same terms with their row scales in another order."""
        terms = ((w, k, None if s is None else s[order]) for w, k, s in self.terms)
        return Group(self.pair, tuple(terms))


def _term_jet(
    weight: float,
    kernel: AbstractKernel,
    scales: Array | None,
    beta: Array,
    order: int,
    rows: slice,
    cols: slice,
) -> tuple[Scaled, ...]:
    """One term: ``weight * (f, s f', s^2 f'')`` at ``s beta``, where ``s = s_i s_j``."""
    if scales is None:
        return tuple((weight * factor, array) for factor, array in kernel.jet(beta, order))
    s = scales[rows][:, None] * scales[cols][None, :]
    jet = kernel.jet(s * beta, order)
    return tuple((weight * factor, s**k * array) for k, (factor, array) in enumerate(jet))


def group_by_pair(kernel: AbstractKernel, X: FloatArray) -> tuple[Group, ...]:
    """Sort a kernel's terms by pair type and fetch their row scales."""
    groups: dict[Pair, list[tuple[float, AbstractKernel, Array | None]]] = {}
    for weight, term in kernel.terms:
        groups.setdefault(term.pair, []).append((weight, term, term.row_scales(X)))
    return tuple(Group(pair, tuple(terms)) for pair, terms in groups.items())


class Factors(NamedTuple):
    """Thin factors of beta and, for a derivative along Z, of betadot."""

    beta: tuple[Array, Array]
    beta_dot: tuple[Array, Array] | None

    @classmethod
    def of(cls, pair: Pair, w: Array, z: Array | None = None) -> Factors:
        """From the projected rows, O(n q)."""
        return cls(pair.beta_factors(w), None if z is None else pair.beta_dot_factors(w, z))


def weigh(gamma: Array | float, scaled: Scaled) -> Scaled:
    """``Gamma o (factor * array)``; a constant Gamma joins the factor and costs nothing."""
    factor, array = scaled
    if isinstance(gamma, float):
        return gamma * factor, array
    return factor, gamma * array


def tile_sum_and_weights(
    group: Group,
    gamma: Array | float,
    factors: Factors,
    rows: slice,
    cols: slice,
    workspace: Array | None = None,
) -> tuple[float, Scaled]:
    """``sum Gamma o f`` and the weights ``S = Gamma o f'`` on a tile."""
    left, right = factors.beta
    beta = group.pair.beta(left[rows, :], right[cols, :], workspace)
    value, slope = group.jet(beta, 1, rows, cols)
    factor, array = weigh(gamma, value)
    total = factor * float(array_namespace(array).sum(array))
    if slope[1] is value[1]:
        return total, ((factor * slope[0] / value[0]), array)
    return total, weigh(gamma, slope)


def tile_bend(
    group: Group,
    gamma: Array | float,
    factors: Factors,
    rows: slice,
    cols: slice,
    workspace: Array | None = None,
) -> Scaled:
    """``T = Gamma o f''`` on a tile, the weights of every second derivative."""
    left, right = factors.beta
    beta = group.pair.beta(left[rows, :], right[cols, :], workspace)
    return weigh(gamma, group.jet(beta, 2, rows, cols)[2])


def tile_dot_weights(
    group: Group,
    gamma: Array | float,
    factors: Factors,
    rows: slice,
    cols: slice,
    workspace: Array | None = None,
) -> tuple[float, Scaled]:
    """The weights ``Sdot = Gamma o f'' o betadot`` on a tile; there is no total to go with it."""
    assert factors.beta_dot is not None
    factor, array = tile_bend(group, gamma, factors, rows, cols, workspace)
    left, right = factors.beta_dot
    dot = left[rows, :] @ right[cols, :].T
    dot *= array
    return 0.0, (factor, dot)
