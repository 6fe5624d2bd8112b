r"""The terms of a clustering objective, and their derivatives in K.

*How well the graph falls into k clusters*, by ``normalize="none"``, the paper's unsupervised
objective::

    -sum of the k largest eigenvalues of H K H,    Gamma = H Y Y' H

or by ``normalize="degree"``, the normalised cut, ``D = diag(K 1)``::

    -sum of the k largest eigenvalues of D^-1/2 K D^-1/2

Y are the eigenvectors. D depends on W: with ``v_i = y_i / sqrt(d_i)`` and ``e_i = sum_j v_i.v_j
K_ij = sum_l lambda_l y_il^2`` the exact derivative is ::

    Gamma_ij = v_i.v_j - (e_i/d_i + e_j/d_j) / 2

The paper freezes D and loses the second part; then the objective can rise. By the envelope
theorem the derivative of Y itself does not enter while ``lambda_k > lambda_{k+1}``.

*What is already known.* With ``Psi = U U'`` from given labels or scores, and K without its diagonal
(which is constant and says nothing)::

    p(W) = (n / Tr Psi) T / S,    T = sum_{i != j} Psi_ij K_ij,    S = sum_{i != j} K_ij

is HSIC over the mass of the graph: the *assortativity* of the labels, 1 where every edge joins
equal labels and 0 at chance, whatever n or the number of clusters. (Exactly 1 where the mass of a
class goes with its size: with neighbour scales nearly so, with one wide bandwidth large classes
hold more mass than that, and p of separated classes is lower.)

*Rows with weights* v stand for v_i rows each. An eigenvector of the graph of all of these is
``y_i / sqrt(v_i)`` on every copy of row i, with y of one of ::

    V^1/2 D^-1/2 K D^-1/2 V^1/2,    V^1/2 H K H' V^1/2,    V = diag(v),  D = diag(K v)

where ``H = I - 1 v' / sum(v)``: all its other eigenvalues are 0. Every K_ij is there v_i v_j times,
so that the derivative in it is ``v_i v_j Gamma_ij``, with Gamma as above of ``y_i / sqrt(v_i)``. T
and S are over pairs of different rows, as in :mod:`.._counts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._advice import Advice
from .._arrays import Array, FloatArray
from .._counts import Counts
from .._engines import KernelGraph
from .._linalg import Spectrum, top_eigenpairs
from ..exceptions import DegenerateDataError
from ..kernels import AbstractKernel


class Embedding(NamedTuple):
    """The top of the spectrum, and what the first-order Gamma needs of it.

    ``Gamma = U U' - (e 1' + 1 e') / 2``; ``e`` is None where there is no degree term. With weights
    ``v_i v_j Gamma_ij = U U' - (e v' + v e') / 2``, so that U and e have v in them.
    """

    spectrum: Spectrum
    U: FloatArray
    e: FloatArray | None


def embed(
    normalize: str,
    graph: KernelGraph,
    degree: FloatArray,
    k: int,
    guess: FloatArray | None,
    accuracy: float,
    counts: Counts,
) -> Embedding:
    """The k largest eigenpairs and one more, to ``accuracy`` of their size."""
    n = degree.size
    if normalize == "none":

        def centered(V: FloatArray) -> FloatArray:
            KV = graph.multiply(counts.deflated(V))
            return counts.scaled(KV - counts.mean(KV))

        spectrum = top_eigenpairs(centered, n, k, guess, accuracy * counts.total)
        return Embedding(spectrum, counts.deflated(spectrum.vectors[:, :k]), None)
    if not degree.min() > 0.0:
        raise DegenerateDataError(
            "normalize='degree' divides by the row sums of the kernel matrix, which must be "
            f"positive. The smallest is {degree.min():.3g}: use a kernel that is positive, "
            "such as 'gaussian', or normalize='none'."
        )
    r = (counts.root / np.sqrt(degree))[:, None]

    def product(V: FloatArray) -> FloatArray:
        return r * graph.multiply(r * V)

    def normalised() -> FloatArray:
        return r * graph.matrix() * r.T

    spectrum = top_eigenpairs(product, n, k, guess, accuracy, normalised)
    Y, values = spectrum.vectors[:, :k], spectrum.values[:k]
    return Embedding(spectrum, r * Y, (Y**2 @ values) / degree)


def check_weights(kernel: AbstractKernel, who: str) -> None:
    """Refuse a kernel that cannot be the weights of a graph, as D needs them.

    They are not negative and do not grow with distance. With negative ones degrees cancel:
    eigenvalues exceed 1 without bound where a degree is nearly 0, and a descent runs there.
    """
    for weight, term in kernel.terms:
        if not _is_positive(weight, term) or term.grows_with_distance:
            raise ValueError(
                f"{who} takes the values of the kernel for the weights of a graph: they must "
                f"not be negative, nor grow with distance, whatever the rows. Got {kernel!r}: "
                "use a kernel that is positive, such as 'gaussian', or normalize='none'."
            )


def _is_positive(weight: float, term: AbstractKernel) -> bool:
    """Whether ``weight f`` is never negative, as far as a wide grid of beta tells."""
    beta = np.append(0.0, np.logspace(-6, 6, 61))
    if not term.pair.is_difference:
        beta = np.concatenate([-beta, beta])
    with np.errstate(all="ignore"):
        return not bool(np.any(weight * np.asarray(term.f(beta)) < 0.0))


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
    """A term ``weight * p^2`` (stay away) or ``-weight * p`` (follow); ``Psi = U U'``.

    The columns of U sum to zero, each row taken as often as it counts; of rows that are elsewhere
    once some of them are taken. Away is squared, so that a clustering at chance level is not
    rewarded for going below it.
    """

    U: Any
    weight: float
    follow: bool = False

    def take(self, index: Array, counts: Counts | None = None) -> Guidance:
        """The same guidance on chosen rows, which count so often, centred there anew.

        Rows without guidance, all zero, stay so.
        """
        U, counts = self.U[index], counts or Counts(len(index))
        known = np.any(U != 0.0, axis=1, keepdims=True)
        if known.any():
            U = U - known * (counts.times(U).sum(axis=0) / counts.times(known).sum())
        return Guidance(U, self.weight, self.follow)

    def evaluate(
        self,
        KU: FloatArray,
        mass: float,
        diagonal: float,
        unit: float,
        counts: Counts | None = None,
    ) -> GuidanceValue:
        """From ``K diag(v) U``, the mass S of the graph, the constant ``K_ii``, the weight's unit.

        The first-order Gamma is that of K between rows as often as they count.
        """
        counts = counts or Counts(self.U.shape[0])
        U = counts.times(self.U)
        trace = float(np.vdot(self.U, U))
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
        T = float(np.vdot(U, KU)) - diagonal * counts.of_own(self.U)
        scale = counts.total / trace
        p = scale * T / mass
        weight = unit * self.weight
        value = -weight * p if self.follow else weight * p * p
        slope = weight if self.follow else -2.0 * weight * p  # of -F in p
        return GuidanceValue(p, value, slope * scale / mass, -slope * scale * T / mass**2)
