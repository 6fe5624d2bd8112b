r"""``Gamma = E core E'`` row by row: what makes sums over pairs sums over rows.

With features c_i of the rows, ``g_ij = c_i' P c_j``, and any columns v_i ::

    sum_j Gamma_ij g_ij v_j  =  sum_k E_ik c_i' P (sum_l core_kl A_l),   A_l = sum_j E_jl c_j v_j'

so two operations on a tile of rows are all an engine needs: *gather* adds up the A_l (D x k, one
per column or *slot* of E), and *scatter* turns a D x k matrix per slot into values of rows. For
classes E is one-hot: both cost the same for any number of classes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray


def runs_of(codes: Array) -> list[tuple[int, slice]]:
    """The classes of sorted rows and where each of them stands."""
    cuts = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist(), codes.shape[0]]
    return [(int(codes[i]), slice(i, j)) for i, j in pairwise(cuts)]


class FactorPart(ABC):
    """The rows of E that belong to one chunk of rows, in an order that suits it."""

    order: Array | None = None
    """Where the rows of the part stand in the chunk; None if the order is kept."""

    @abstractmethod
    def gather(self, out: FloatArray, tile: slice, C: Array, V: Any) -> None:
        """Add ``sum_i E_ik c_i v_i'`` to ``out`` of shape (slots, D, k). V may be sparse."""

    @abstractmethod
    def scatter(self, tile: slice, C: Array, T: FloatArray) -> FloatArray:
        """``sum_k E_ik c_i' T_k`` for T of shape (slots, D, k): an array (rows, k)."""

    @abstractmethod
    def sizes(self) -> FloatArray:
        """Numbers ``a_i`` with ``|Gamma_ij| <= a_i a_j``."""


class RowFactor(ABC):
    """``Gamma = E core E'``, ``core = roots diag(signs) roots'``."""

    n_slots: int
    roots: FloatArray
    signs: FloatArray

    @abstractmethod
    def part(self, rows: slice) -> FactorPart:
        """The rows of E in a chunk."""

    @abstractmethod
    def as_columns(self) -> tuple[FloatArray, FloatArray]:
        """``U, s`` with ``Gamma = U diag(s) U'``, written out: (n, rank) and (rank,)."""


class OneHotFactor(RowFactor):
    """One slot per class."""

    def __init__(self, codes: Array, table: FloatArray) -> None:
        self._codes, self._table, self.n_slots = codes, table, table.shape[0]

    @cached_property
    def _spectrum(self) -> tuple[FloatArray, FloatArray]:
        """Not before it is asked for: whether there is a structure is known without it."""
        values, vectors = np.linalg.eigh(self._table)
        keep = np.abs(values) > 1e-14 * np.max(np.abs(values), initial=0.0)
        return vectors[:, keep], values[keep]

    @property
    def roots(self) -> FloatArray:  # type: ignore[override]
        """Eigenvectors of the table."""
        return self._spectrum[0]

    @property
    def signs(self) -> FloatArray:  # type: ignore[override]
        """Its eigenvalues."""
        return self._spectrum[1]

    def part(self, rows: slice) -> FactorPart:
        """Rows sorted by class."""
        sizes = np.sqrt((self.roots**2) @ np.abs(self.signs))
        return _OneHotPart(self._codes[rows], sizes)

    def as_columns(self) -> tuple[FloatArray, FloatArray]:
        """One column per root."""
        return self.roots[self._codes], self.signs


class _OneHotPart(FactorPart):
    def __init__(self, codes: Array, class_sizes: FloatArray) -> None:
        self.order = np.argsort(codes, kind="stable")
        self._codes, self._class_sizes = codes[self.order], class_sizes

    def gather(self, out: FloatArray, tile: slice, C: Array, V: Any) -> None:
        for k, run in runs_of(self._codes[tile]):
            out[k] += C[run].T @ V[run]

    def scatter(self, tile: slice, C: Array, T: FloatArray) -> FloatArray:
        values = np.empty((C.shape[0], T.shape[2]))
        for k, run in runs_of(self._codes[tile]):
            values[run] = C[run] @ T[k].astype(C.dtype, copy=False)
        return values

    def sizes(self) -> FloatArray:
        return self._class_sizes[self._codes]


class WeightedFactor(RowFactor):
    """One slot per column of ``U``, where ``Gamma = U diag(s) U'``."""

    def __init__(self, U: FloatArray, s: FloatArray) -> None:
        self._U, self.signs = U, s
        self.n_slots = s.shape[0]
        self.roots = np.eye(self.n_slots)

    def part(self, rows: slice) -> FactorPart:
        """Rows of U."""
        return _WeightedPart(self._U[rows], self.signs)

    def as_columns(self) -> tuple[FloatArray, FloatArray]:
        """What was given."""
        return self._U, self.signs


class _WeightedPart(FactorPart):
    def __init__(self, U: FloatArray, s: FloatArray) -> None:
        self._U, self._s = U, s

    def gather(self, out: FloatArray, tile: slice, C: Array, V: Any) -> None:
        U = self._U[tile].astype(C.dtype, copy=False)
        if not isinstance(V, np.ndarray):
            for k in range(U.shape[1]):
                out[k] += (C * U[:, k, None]).T @ V
            return
        wide = (U[:, :, None] * V[:, None, :]).reshape(V.shape[0], -1)
        out += (C.T @ wide).reshape(C.shape[1], U.shape[1], V.shape[1]).transpose(1, 0, 2)

    def scatter(self, tile: slice, C: Array, T: FloatArray) -> FloatArray:
        slots, D, k = T.shape
        wide = np.ascontiguousarray(T.transpose(1, 0, 2), dtype=C.dtype).reshape(D, slots * k)
        products = (C @ wide).reshape(C.shape[0], slots, k)
        return np.einsum("is,isk->ik", self._U[tile], products)

    def sizes(self) -> FloatArray:
        return np.sqrt((self._U**2) @ np.abs(self._s))
