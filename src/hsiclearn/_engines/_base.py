"""What an engine is: someone who computes sums over all pairs of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod

from .._arrays import FloatArray
from .._result import EngineError
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel

__all__ = ["AbstractEngine"]


class AbstractEngine(ABC):
    """Sums over pairs for one data set, one Gamma and one kernel.

    With ``S = Gamma o f'(beta)`` and ``c L(S)`` the contraction of the pair type::

        total(W)       sum_ij Gamma_ij f(beta_ij)             = -cost
        contract(W)    the total and X' c L(S) X              = -Phi,   d x d
        apply(W, V)    c L(S) V                                          n x k
        apply(W, V, Z) c L(Sdot) V, Sdot = Gamma o f'' o betadot[Z]      n x k
        multiply(W, V)      X' c L(S) X V                                d x k
        multiply_dot(W, Z)  X' c L(Sdot) X W                             d x q
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
    def multiply(self, W: FloatArray, V: FloatArray) -> FloatArray:
        """``X' c L(S) X V`` (= -Phi V) for V of shape (d, k), without any d x d matrix."""

    @abstractmethod
    def multiply_dot(self, W: FloatArray, Z: FloatArray) -> FloatArray:
        """``X' c L(Sdot) X W`` (= -Phidot[Z] W), without any d x d matrix."""

    @abstractmethod
    def constant_forms(self, t: int) -> tuple[FloatArray, FloatArray]:
        """``X'SX`` and ``X'DX`` where ``S = Gamma o s s'``, s the row scales of term t, D its sums.

        That is what sums come to where the kernel is constant: at W = 0.
        """

    @abstractmethod
    def constant_multiply(self, t: int, V: FloatArray) -> tuple[FloatArray, FloatArray]:
        """``X'SX V`` and ``X'DX V`` of :meth:`constant_forms`, without any d x d matrix."""

    @property
    def noise(self) -> float:
        """Changes of the total below this share of it are not to be trusted."""
        return 0.0

    def error(self, W: FloatArray, norm: float) -> EngineError:
        """How far Phi at W may be from the exact one, relative to ``norm``."""
        return EngineError()

    def refined(self, W: FloatArray, factor: float) -> AbstractEngine | None:
        """An engine ``factor`` times as exact near W; None where there is none."""
        return None

    @abstractmethod
    def bend(self, W: FloatArray) -> FloatArray:
        """All of ``-Phidot[.] W`` at once: M of shape (q, q, d, d), ``M[b, a] = M[a, b]'``.

        Costs products with (q+1)(q+2)/2 d columns but one pass of kernel evaluations: cheaper
        than a handful of products ``apply(W, XW, Z)`` while q and d are small.
        """
