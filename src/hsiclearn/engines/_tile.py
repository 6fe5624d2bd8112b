r"""The mathematics of one tile of pairs, in any array namespace. Engines only schedule it.

For rows I and columns J, with ``w = XW`` and ``z = XZ``::

    total     sum_ij Gamma_ij f(beta_ij)
    weights   S    = Gamma o f'(beta)                      (for Phi)
              Sdot = Gamma o f''(beta) o betadot           (for Phidot, the derivative along Z)

and the two operators every derivative is made of, ``c L(S) V`` and ``X' c L(S) X``, follow
from ``S V``, ``S' V`` and the row and column sums of S.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .._arrays import Array, FloatArray, array_namespace
from ..kernels import AbstractKernel, Pair

__all__ = ["Factors", "Group", "TileProducts", "group_by_pair", "tile_products", "tile_sums"]


@dataclass(frozen=True)
class Group:
    """The terms of a kernel that share a pair type, so that they share beta and contraction."""

    pair: Pair
    terms: tuple[tuple[float, AbstractKernel, Array | None], ...]  # weight, kernel, row scales

    def jet(self, beta: Array, order: int, rows: slice, cols: slice) -> tuple[Array, ...]:
        """``(f, f', f'')`` of the weighted sum on a tile, with respect to beta."""
        jets = [_term_jet(*term, beta, order, rows, cols) for term in self.terms]
        return tuple(sum(column[1:], column[0]) for column in zip(*jets, strict=True))


def _term_jet(
    weight: float,
    kernel: AbstractKernel,
    scales: Array | None,
    beta: Array,
    order: int,
    rows: slice,
    cols: slice,
) -> tuple[Array, ...]:
    """One term: ``weight * (f, s f', s^2 f'')`` at ``s beta``, where ``s = s_i s_j``."""
    if scales is None:
        jet = kernel.jet(beta, order)
    else:
        s = scales[rows][:, None] * scales[cols][None, :]
        jet = tuple(s**k * g for k, g in enumerate(kernel.jet(s * beta, order)))
    return jet if weight == 1.0 else tuple(weight * g for g in jet)


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


class TileProducts(NamedTuple):
    """``S V_J``, ``S' V_I`` and the row and column sums of S on a tile."""

    rows: Array
    cols: Array
    row_sums: Array
    col_sums: Array


def tile_sums(
    group: Group, gamma: Array | float, factors: Factors, rows: slice, cols: slice
) -> tuple[float, Array]:
    """``sum Gamma o f`` and the weights ``S = Gamma o f'`` on a tile."""
    left, right = factors.beta
    f, df = group.jet(group.pair.beta(left[rows], right[cols]), 1, rows, cols)
    xp = array_namespace(df)
    return float(xp.sum(f if isinstance(gamma, float) else gamma * f)) * (
        gamma if isinstance(gamma, float) else 1.0
    ), gamma * df


def tile_products(
    group: Group, gamma: Array | float, factors: Factors, V: Array, rows: slice, cols: slice
) -> TileProducts:
    """``S V`` both ways, S the weights of Phi or, if ``factors`` has betadot, of Phidot."""
    left, right = factors.beta
    beta = group.pair.beta(left[rows], right[cols])
    if factors.beta_dot is None:
        S = gamma * group.jet(beta, 1, rows, cols)[1]
    else:
        left, right = factors.beta_dot
        S = gamma * group.jet(beta, 2, rows, cols)[2] * (left[rows] @ right[cols].T)
    xp = array_namespace(S)
    return TileProducts(S @ V[cols], S.T @ V[rows], xp.sum(S, axis=1), xp.sum(S, axis=0))
