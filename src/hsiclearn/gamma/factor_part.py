"""What the rows of E that belong to one chunk of rows can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from .._arrays import Array


class FactorPart(ABC):
    """The rows of E that belong to one chunk of rows, in an order that suits it.

    Arrays are where the chunk is.
    """

    order: Array | None = None
    """Where the rows of the part stand in the chunk; None if the order is kept."""

    slots: Array
    """Where the sums of this chunk stand among those of the whole."""

    @abstractmethod
    def gather(self, out: Array, tile: slice, C: Array, V: Any) -> None:
        """Add ``sum_i E_ik c_i v_i'`` to ``out``, (slots of the chunk, D, k). V may be sparse."""

    @abstractmethod
    def scatter(self, tile: slice, C: Array, T: Array) -> Array:
        """``sum_k E_ik c_i' T_k`` for T of shape (slots, D, k): an array (rows, k)."""

    @abstractmethod
    def sizes(self, tile: slice) -> Array:
        """Numbers ``a_i`` with ``|Gamma_ij| <= a_i a_j``, of a tile of rows."""
