r"""How well a graph falls into k clusters: a sum of eigenvalues, and its derivative in K.

``normalize="none"``, the paper's unsupervised objective::

    -sum of the k largest eigenvalues of H K H,    Gamma = H Y Y' H

``normalize="degree"``, the normalised cut, ``D = diag(K 1)``::

    -sum of the k largest eigenvalues of D^-1/2 K D^-1/2

Y are the eigenvectors. D depends on W: with ``v_i = y_i / sqrt(d_i)`` and ``e_i = sum_j v_i.v_j
K_ij = sum_l lambda_l y_il^2`` the exact derivative is ::

    Gamma_ij = v_i.v_j - (e_i/d_i + e_j/d_j) / 2

The paper freezes D and loses the second part; then the objective can rise. By the envelope
theorem the derivative of Y itself does not enter while ``lambda_k > lambda_{k+1}``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from .._arrays import FloatArray
from .._engines import KernelGraph
from .._linalg import Spectrum, top_eigenpairs
from ..exceptions import DegenerateDataError
from ..kernels import AbstractKernel

__all__ = ["SPECTRAL_TERMS", "Embedding", "SpectralTerm"]


@dataclass(frozen=True)
class Embedding:
    """The top of the spectrum, and what the first-order Gamma needs of it.

    ``Gamma = U U' - (e 1' + 1 e') / 2``; ``e`` is None where there is no degree term.
    """

    spectrum: Spectrum
    U: FloatArray
    e: FloatArray | None


class SpectralTerm(ABC):
    """``-sum of the k largest eigenvalues`` of a matrix made from K.

    It ``saturates`` if separated clusters attain its bound, however far apart they are.
    """

    name: str
    saturates: bool
    is_centered: bool
    """Whether K counts only through H K H."""

    @abstractmethod
    def check(self, kernel: AbstractKernel, who: str = "") -> None:
        """Refuse a kernel that this is not defined for; ``who`` wants it, by default its name."""

    @abstractmethod
    def embed(
        self,
        graph: KernelGraph,
        degree: FloatArray,
        k: int,
        guess: FloatArray | None,
        accuracy: float,
    ) -> Embedding:
        """The k largest eigenpairs and one more, to ``accuracy`` of their size."""

    @abstractmethod
    def unit(self, n_samples: int, k: int) -> float:
        """What one well separated cluster adds: the unit that guidance is weighed in."""


class _Centered(SpectralTerm):
    """H K H."""

    name = "none"
    saturates = False
    is_centered = True

    def check(self, kernel: AbstractKernel, who: str = "") -> None:
        """Any kernel will do."""

    def embed(
        self,
        graph: KernelGraph,
        degree: FloatArray,
        k: int,
        guess: FloatArray | None,
        accuracy: float,
    ) -> Embedding:
        def apply(V: FloatArray) -> FloatArray:
            KV = graph.multiply(V - V.mean(axis=0))
            return KV - KV.mean(axis=0)

        n = degree.size
        spectrum = top_eigenpairs(apply, n, k, guess, accuracy * n)
        Y = spectrum.vectors[:, :k]
        return Embedding(spectrum, Y - Y.mean(axis=0), None)

    def unit(self, n_samples: int, k: int) -> float:
        return n_samples / k


class _DegreeNormalised(SpectralTerm):
    """``D^-1/2 K D^-1/2``: K are the weights of a graph, so that no eigenvalue exceeds 1."""

    name = "degree"
    saturates = True
    is_centered = False

    def check(self, kernel: AbstractKernel, who: str = "normalize='degree'") -> None:
        """Weights of a graph are not negative, and do not grow with distance.

        With negative ones degrees cancel: eigenvalues exceed 1 without bound where a degree is
        nearly 0, and a descent runs there.
        """
        for weight, term in kernel.terms:
            if not _is_positive(weight, term) or term.grows_with_distance:
                raise ValueError(
                    f"{who} takes the values of the kernel for the weights of a graph: they must "
                    f"not be negative, nor grow with distance, whatever the rows. Got {kernel!r}: "
                    "use a kernel that is positive, such as 'gaussian', or normalize='none'."
                )

    def embed(
        self,
        graph: KernelGraph,
        degree: FloatArray,
        k: int,
        guess: FloatArray | None,
        accuracy: float,
    ) -> Embedding:
        if not degree.min() > 0.0:
            raise DegenerateDataError(
                "normalize='degree' divides by the row sums of the kernel matrix, which must be "
                f"positive. The smallest is {degree.min():.3g}: use a kernel that is positive, "
                "such as 'gaussian', or normalize='none'."
            )
        r = 1.0 / np.sqrt(degree)[:, None]
        spectrum = top_eigenpairs(
            lambda V: r * graph.multiply(r * V), degree.size, k, guess, accuracy
        )
        Y, values = spectrum.vectors[:, :k], spectrum.values[:k]
        return Embedding(spectrum, r * Y, (Y**2 @ values) / degree)

    def unit(self, n_samples: int, k: int) -> float:
        return 1.0


def _is_positive(weight: float, term: AbstractKernel) -> bool:
    """Whether ``weight f`` is never negative, as far as a wide grid of beta tells."""
    beta = np.append(0.0, np.logspace(-6, 6, 61))
    if not term.pair.is_difference:
        beta = np.concatenate([-beta, beta])
    with np.errstate(all="ignore"):
        return not bool(np.any(weight * np.asarray(term.f(beta)) < 0.0))


SPECTRAL_TERMS: dict[str, SpectralTerm] = {
    term.name: term for term in (_Centered(), _DegreeNormalised())
}
