"""What features are to a sum over pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from ..._arrays import Array, FloatArray
from ..._devices import zeros_beside

if TYPE_CHECKING:
    from .landmarks import Candidates


class Features(ABC):
    r"""``g(beta_ij) ~ c_i' P c_j`` with ``P = R' diag(signs) R``.

    ``c_i`` (D numbers) depends on row i alone. Sums of the c_i are formed first and R, which may
    be the inverse of a large matrix, meets only those: no n D^2 term.
    """

    signs: FloatArray
    size: int
    is_exact: bool = False
    """Whether the features reproduce g up to rounding."""
    is_bounded: bool = True
    """Whether :meth:`missing` bounds the error of every pair."""
    is_exhausted: bool = False
    """Whether they are fewer than the accuracy asked for needs."""

    landmarks: Candidates | None = None
    """The rows at which they are values of a kernel, where they are."""

    def at(self, landmarks: Candidates) -> Features:
        """The same features with these rows at other places; only where there are any."""
        return self

    @abstractmethod
    def values(self, w: Array, scales: Array | None, workspace: Array | None) -> Array:
        """``C``, one row c_i per projected row, in the dtype of w."""

    @abstractmethod
    def whiten(self, A: Array) -> Array:
        """``R A`` for A of shape (D, k); on a device of shape (..., D, k)."""

    @abstractmethod
    def unwhiten(self, B: Array) -> Array:
        """``R' B``, likewise."""

    def missing(self, C: Array, workspace: Array | None = None) -> Array:
        """``e_i = |g(0)| - |R c_i|^2 >= 0`` with ``|g_ij - c_i'Pc_j| <= sqrt(e_i e_j)``.

        Only where ``is_bounded``.
        """
        return zeros_beside((C.shape[0],), C)
