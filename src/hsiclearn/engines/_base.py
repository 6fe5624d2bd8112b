"""What an engine is: someone who computes sums over all pairs of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod

from .._arrays import FloatArray
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel

__all__ = ["AbstractEngine", "choose_engine"]

_DENSE_UP_TO = 400  # rows; measured: threads and the symmetric half pay from here on


def choose_engine(n_samples: int) -> str:
    """The rule behind ``engine="auto"``: dense up to 400 rows, tiled above."""
    return "dense" if n_samples <= _DENSE_UP_TO else "tiled"


class AbstractEngine(ABC):
    """Sums over pairs for one data set, one Gamma and one kernel.

    With ``S = Gamma o f'(beta)`` and ``c L(S)`` the contraction of the pair type::

        total(W)       sum_ij Gamma_ij f(beta_ij)             = -cost
        contract(W)    the total and X' c L(S) X              = -Phi,   d x d
        apply(W, V)    c L(S) V                                          n x k
        apply(W, V, Z) c L(Sdot) V, Sdot = Gamma o f'' o betadot[Z]      n x k
        bend(W)        M, with -Phidot[Z] W = sum_b M[:, b] Z_b          q x q x d x d

    Row sums, permutations and tiles are an engine's own affair: results are in the order of
    the rows of X.
    """

    name: str

    @abstractmethod
    def __init__(self, X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel) -> None: ...

    @abstractmethod
    def total(self, W: FloatArray) -> float:
        """``sum_ij Gamma_ij f(beta_ij)``."""

    @abstractmethod
    def contract(self, W: FloatArray) -> tuple[float, FloatArray]:
        """The total and ``X' c L(S) X``, from one pass over the pairs."""

    @abstractmethod
    def apply(self, W: FloatArray, V: FloatArray, Z: FloatArray | None = None) -> FloatArray:
        """``c L(S) V``, or its derivative along Z, without any d x d matrix."""

    @abstractmethod
    def bend(self, W: FloatArray) -> FloatArray:
        """All of ``-Phidot[.] W`` at once: M of shape (q, q, d, d), ``M[b, a] = M[a, b]'``.

        Costs products with (q+1)(q+2)/2 d columns but one pass of kernel evaluations: cheaper
        than a handful of products ``apply(W, XW, Z)`` while q and d are small.
        """
