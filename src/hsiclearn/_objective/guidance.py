r"""What is already known, as a term of a clustering objective.

With ``Psi = U U'`` from given labels or scores, and K without its diagonal (which is constant and
says nothing)::

    p(W) = (n / Tr Psi) T / S,    T = sum_{i != j} Psi_ij K_ij,    S = sum_{i != j} K_ij

is HSIC over the mass of the graph: the *assortativity* of the labels, 1 where every edge joins
equal labels and 0 at chance, whatever n or the number of clusters. (Exactly 1 where the mass of a
class goes with its size: with neighbour scales nearly so, with one wide bandwidth large classes
hold more mass than that, and p of separated classes is lower.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._advice import Advice
from .._arrays import Array, FloatArray
from ..exceptions import DegenerateDataError
from ..kernels import AbstractKernel

__all__ = ["Guidance", "GuidanceValue", "constant_diagonal"]


def constant_diagonal(kernel: AbstractKernel, who: str) -> float:
    """``K_ii``, the same for every row and every W; an error where the kernel has no such."""
    if not all(term.pair.is_difference for _, term in kernel.terms):
        raise ValueError(
            f"{who} needs a kernel of differences, whose diagonal is constant, such as 'gaussian' "
            f"or 'relative_gaussian'. Got {kernel!r}."
        )
    return sum(weight * float(term.f(np.zeros(1))[0]) for weight, term in kernel.terms)


class GuidanceValue(NamedTuple):
    """The assortativity, the term's value, and its first-order Gamma ``a U U' + b 1 1'``."""

    assortativity: float
    value: float
    a: float
    b: float


@dataclass(frozen=True, eq=False)
class Guidance:
    """A term ``weight * p^2`` (stay away) or ``-weight * p`` (follow).

    Parameters
    ----------
    U : array, shape (n_samples, rank)
        ``Psi = U U'``; its columns sum to zero.
    weight : float
    follow : bool
        Away is squared, so that a clustering at chance level is not rewarded for going below it.
    """

    U: FloatArray
    weight: float
    follow: bool = False

    def take(self, index: Array) -> Guidance:
        """The same guidance on chosen rows, centred there anew.

        Rows without guidance, all zero, stay so.
        """
        U = self.U[index]
        known = np.any(U != 0.0, axis=1, keepdims=True)
        if known.any():
            U = U - known * (U.sum(axis=0) / np.count_nonzero(known))
        return Guidance(U, self.weight, self.follow)

    def evaluate(self, KU: FloatArray, mass: float, diagonal: float, unit: float) -> GuidanceValue:
        """From ``K U``, the mass S of the graph, the constant ``K_ii``, and the weight's unit."""
        trace = float(np.vdot(self.U, self.U))
        if trace == 0.0:
            return GuidanceValue(0.0, 0.0, 0.0, 0.0)
        if mass <= 1e-9 * diagonal:
            raise DegenerateDataError(
                Advice(
                    "The kernel graph has no edges: every two projected rows are many bandwidths "
                    "apart.",
                    "Raise the bandwidth, or use kernel='relative_gaussian'.",
                    "Raise --bandwidth, or leave it out.",
                )
            )
        T = float(np.vdot(self.U, KU)) - diagonal * trace
        scale = self.U.shape[0] / trace
        p = scale * T / mass
        weight = unit * self.weight
        value = -weight * p if self.follow else weight * p * p
        slope = weight if self.follow else -2.0 * weight * p  # of -F in p
        return GuidanceValue(p, value, slope * scale / mass, -slope * scale * T / mass**2)
