r"""``Gamma = E core E'`` row by row: what makes sums over pairs sums over rows.

With features c_i of the rows, ``g_ij = c_i' P c_j``, and any columns v_i ::

    sum_j Gamma_ij g_ij v_j  =  sum_k E_ik c_i' P (sum_l core_kl A_l),   A_l = sum_j E_jl c_j v_j'

so two operations on a tile of rows are all an engine needs: *gather* adds up the A_l (D x k, one
per column or *slot* of E), and *scatter* turns a D x k matrix per slot into values of rows. For
classes E is one-hot: both cost the same for any number of classes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, final

import numpy as np
from numpy.typing import DTypeLike

from .._arrays import Array, FloatArray, array_namespace
from .._columns import Column
from .._devices import beside
from .cells import Cells
from .factor_part import FactorPart
from .pieces import PiecesPart


def runs_of(codes: Array) -> list[tuple[int, slice]]:
    """The classes of sorted rows and where each of them stands."""
    cuts = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist(), codes.shape[0]]
    return [(int(codes[i]), slice(i, j)) for i, j in pairwise(cuts)]


class RowFactor(ABC):
    """``Gamma = E core E'``, ``core = roots diag(signs) roots'``."""

    n_slots: int
    roots: FloatArray
    signs: FloatArray

    n_entries: float = 1.0
    """Entries of a row of E: products with wide columns cost as many times."""

    chunk_bytes = 1_600_000
    """Of rows at a time: with copies they leave a cache that holds more."""

    @abstractmethod
    def part(self, rows: slice) -> FactorPart:
        """The rows of E in a chunk."""

    def part_beside(self, rows: slice, block: Array) -> PiecesPart:
        """The rows of E in a chunk that is on a device; there they are kept for the next pass."""
        known = self._parts.get(rows.start)
        if known is None or known.index.device != block.device or known.rows != rows:
            if known is not None:  # chunks are cut anew
                self._parts.clear()
            known = self._parts[rows.start] = self._part_beside(rows, block)
        return known

    @cached_property
    def _parts(self) -> dict[int, PiecesPart]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Without parts, which are on a device."""
        return {**self.__dict__, "_parts": {}}

    @abstractmethod
    def _part_beside(self, rows: slice, block: Array) -> PiecesPart:
        """The rows of E in a chunk that is on a device."""

    def order(self, index: Array) -> Array | None:
        """An order of some rows in which neighbours share slots: sums of a few then have few."""
        return None

    @abstractmethod
    def as_columns(self) -> tuple[FloatArray, FloatArray]:
        """``U, s`` with ``Gamma = U diag(s) U'``, written out: (n, rank) and (rank,)."""


class LateFactor(RowFactor):
    """The core is made when it is asked for: whether there is a structure is known without it."""

    def __init__(self, core: Callable[[], tuple[FloatArray, FloatArray]], n_slots: int) -> None:
        self._make_core, self.n_slots = core, n_slots

    @cached_property
    def _core(self) -> tuple[FloatArray, FloatArray]:
        return self._make_core()

    def __getstate__(self) -> dict[str, Any]:
        """With the core made, and nothing of what it is made of."""
        return {**super().__getstate__(), "_core": self._core, "_make_core": None}

    @property
    def roots(self) -> FloatArray:  # type: ignore[override]
        """One column per root."""
        return self._core[0]

    @property
    def signs(self) -> FloatArray:  # type: ignore[override]
        """Their weights."""
        return self._core[1]


def _spectrum(table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvectors and -values of a table of slots by slots."""
    values, vectors = np.linalg.eigh(table)
    keep = np.abs(values) > 1e-14 * np.max(np.abs(values), initial=0.0)
    return vectors[:, keep], values[keep]


@final
class OneHotFactor(LateFactor):
    """One slot per class."""

    def __init__(self, codes: Column, table: FloatArray) -> None:
        super().__init__(partial(_spectrum, table), table.shape[0])
        self._codes = codes

    def part(self, rows: slice) -> FactorPart:
        """Rows sorted by class."""
        return _OneHotPart(self._codes[rows], self._class_sizes)

    @property
    def _class_sizes(self) -> FloatArray:
        sizes: FloatArray = np.sqrt((self.roots**2) @ np.abs(self.signs))
        return sizes

    def _part_beside(self, rows: slice, block: Array) -> PiecesPart:
        # Of the smallest type: sorting takes a pass for each byte.
        codes = self._codes[rows].astype(np.min_scalar_type(self.n_slots))
        first = np.arange(self.n_slots + 1)

        def sizes(part: PiecesPart, tile: slice, shares: Array) -> Array:
            return part.combined(tile, shares, self._class_sizes)

        return PiecesPart(rows, block, codes, first, sizes)

    def order(self, index: Array) -> Array | None:
        """By class."""
        return np.argsort(self._codes[index], kind="stable")

    def as_columns(self) -> tuple[FloatArray, FloatArray]:
        """One column per root."""
        return self.roots[self._codes], self.signs


class _OneHotPart(FactorPart):
    def __init__(self, codes: Array, class_sizes: FloatArray) -> None:
        self.order = np.argsort(codes, kind="stable")
        self.slots, self._codes = np.unique(codes[self.order], return_inverse=True)
        self._class_sizes = class_sizes

    def gather(self, out: FloatArray, tile: slice, C: Array, V: Any) -> None:
        for k, run in runs_of(self._codes[tile]):
            out[k] += C[run].T @ V[run]

    def scatter(self, tile: slice, C: Array, T: FloatArray) -> FloatArray:
        values = np.empty((C.shape[0], T.shape[2]))
        for k, run in runs_of(self._codes[tile]):
            values[run] = C[run] @ T[self.slots[k]].astype(C.dtype, copy=False)
        return values

    def sizes(self, tile: slice) -> FloatArray:
        return self._class_sizes[self.slots[self._codes[tile]]]


@final
class CellFactor(LateFactor):
    """Rows share the slots of their cell: ``E_ik`` are the shares of row i, zero elsewhere.

    ``means`` are numbers of slots, ``row_means`` those of rows by their shares, and ``sizes`` makes
    of these numbers ``a_i`` with ``|Gamma_ij| <= a_i a_j``.
    """

    chunk_bytes = 6_000_000  # so that a cell has many rows in a chunk

    def __init__(
        self,
        grid: Cells,
        core: Callable[[], tuple[FloatArray, FloatArray]],
        means: Callable[[], FloatArray],
        row_means: Callable[[slice], FloatArray],
        sizes: Callable[[Array], Array],
    ) -> None:
        super().__init__(core, int(grid.first[-1]))
        self._grid, self._sizes, self.n_entries = grid, sizes, grid.n_entries
        self._means, self._row_means = means, row_means

    def part(self, rows: slice) -> FactorPart:
        """Rows sorted by cell."""
        grid = self._grid

        def sizes() -> FloatArray:
            found: FloatArray = self._sizes(self._row_means(rows))
            return found

        return _CellPart(grid.cells[rows], grid.first, grid.shares(rows), sizes)

    def _part_beside(self, rows: slice, block: Array) -> PiecesPart:
        grid, seeds = self._grid, self._grid.seeds(rows)

        def sizes(part: PiecesPart, tile: slice, shares: Array) -> Array:
            return self._sizes(part.combined(tile, shares, self._means()))

        return PiecesPart(
            rows, block, grid.cells[rows], grid.first, sizes, seeds, grid.grown, is_kept=True
        )

    def order(self, index: Array) -> Array | None:
        """By cell."""
        return np.argsort(self._grid.cells[index], kind="stable")

    def as_columns(self) -> tuple[FloatArray, FloatArray]:
        """One column per root."""
        cells, first, shares = self._grid.cells, self._grid.first, self._grid.shares(slice(None))
        U, last = np.zeros((cells.size, self.signs.size)), first[cells + 1]
        for j in range(shares.shape[1]):
            slots = np.minimum(first[cells] + j, last - 1)  # beyond, a share of 0
            U += shares[:, j, None] * self.roots[slots]
        return U, self.signs


class _CellPart(FactorPart):
    def __init__(
        self, cells: Array, first: Array, shares: FloatArray, sizes: Callable[[], FloatArray]
    ) -> None:
        self.order = np.argsort(cells, kind="stable")
        present, self._cells = np.unique(cells[self.order], return_inverse=True)
        self._shares, self._make_sizes = shares[self.order], sizes
        widths = np.diff(first)[present]
        self._first = np.concatenate([[0], np.cumsum(widths)])
        self.slots = np.repeat(first[present] - self._first[:-1], widths) + np.arange(widths.sum())

    def _runs(self, tile: slice, dtype: DTypeLike) -> Iterator[tuple[slice, slice, Array]]:
        """Rows of one cell, its slots, and their shares in these."""
        shares = self._shares[tile].astype(dtype, copy=False)
        for cell, run in runs_of(self._cells[tile]):
            own = slice(self._first[cell], self._first[cell + 1])
            yield run, own, shares[run, : own.stop - own.start]

    def gather(self, out: FloatArray, tile: slice, C: Array, V: Any) -> None:
        D, k = out.shape[1:]
        for run, own, shares in self._runs(tile, C.dtype):
            if shares.shape[1] == 1:
                out[own.start] += (shares * C[run]).T @ V[run]
            elif k < D and isinstance(V, np.ndarray):  # the narrower side is written out
                sums = C[run].T @ _shared(shares, V[run])
                out[own] += sums.reshape(D, -1, k).transpose(1, 0, 2)
            else:
                out[own] += (_shared(shares, C[run]).T @ V[run]).reshape(-1, D, k)

    def scatter(self, tile: slice, C: Array, T: FloatArray) -> FloatArray:
        _, D, k = T.shape
        values = np.empty((C.shape[0], k))
        for run, own, shares in self._runs(tile, C.dtype):
            start, count = self.slots[own.start], shares.shape[1]  # neighbours in the whole, too
            some = T[start : start + count].transpose(1, 0, 2).astype(C.dtype, order="C")
            products = (C[run] @ some.reshape(D, count * k)).reshape(-1, count, k)
            values[run] = np.einsum("is,isk->ik", shares, products)
        return values

    @cached_property
    def _sizes(self) -> FloatArray:
        return self._make_sizes()[self.order]

    def sizes(self, tile: slice) -> FloatArray:
        return self._sizes[tile]


@final
class WeightedFactor(RowFactor):
    """One slot per column of ``U``, where ``Gamma = U diag(s) U'``."""

    def __init__(self, U: Column, s: FloatArray) -> None:
        self._U, self.signs = U, s
        self.n_slots, self.n_entries = s.shape[0], float(s.shape[0])
        self.roots = np.eye(self.n_slots)

    def part(self, rows: slice) -> FactorPart:
        """Rows of U."""
        return _WeightedPart(self._U[rows], self.signs)

    def _part_beside(self, rows: slice, block: Array) -> PiecesPart:
        U, one_cell = self._U[rows], np.array([0, self.n_slots])

        def sizes(_: PiecesPart, tile: slice, shares: Array) -> Array:
            return _lengths(shares, self.signs)

        return PiecesPart(rows, block, None, one_cell, sizes, U)

    def as_columns(self) -> tuple[FloatArray, FloatArray]:
        """What was given."""
        return self._U, self.signs


@final
class LazyFactor(RowFactor):
    """Rows of E that are made when they are needed: ``Gamma = E roots diag(signs) roots' E'``.

    ``make`` turns rows of ``Y`` into those of E, wherever they are.
    """

    def __init__(
        self, Y: Column, make: Callable[[Array], Array], roots: FloatArray, signs: FloatArray
    ) -> None:
        self._Y, self._make, self.roots, self.signs = Y, make, roots, signs
        self.n_slots, self.n_entries = signs.shape[0], float(signs.shape[0])

    def part(self, rows: slice) -> FactorPart:
        """Rows of E."""
        return _WeightedPart(self._make(self._Y[rows]), self.signs, self.roots)

    def _part_beside(self, rows: slice, block: Array) -> PiecesPart:
        Y, one_cell = self._Y[rows], np.array([0, self.n_slots])

        def sizes(_: PiecesPart, tile: slice, shares: Array) -> Array:
            return _lengths(shares @ beside(self.roots, shares), self.signs)

        return PiecesPart(rows, block, None, one_cell, sizes, Y, self._make)

    def as_columns(self) -> tuple[FloatArray, FloatArray]:
        """All rows at once."""
        return self._make(self._Y[:]) @ self.roots, self.signs


class _WeightedPart(FactorPart):
    def __init__(self, U: FloatArray, s: FloatArray, roots: FloatArray | None = None) -> None:
        self._U, self._s, self.slots, self._roots = U, s, np.arange(s.size), roots

    def gather(self, out: FloatArray, tile: slice, C: Array, V: Any) -> None:
        U, (r, D, k) = self._U[tile].astype(C.dtype, copy=False), out.shape
        if not isinstance(V, np.ndarray):
            for j in range(r):
                out[j] += (C * U[:, j, None]).T @ V
            return
        # The narrower side is written out, a few rows at a time: it is to stay in a cache.
        for rows in _few(C.shape[0], r * min(D, k)):
            if k < D:
                sums = C[rows].T @ _shared(U[rows], V[rows])
                out += sums.reshape(D, r, k).transpose(1, 0, 2)
            else:
                out += (_shared(U[rows], C[rows]).T @ V[rows]).reshape(r, D, k)

    def scatter(self, tile: slice, C: Array, T: FloatArray) -> FloatArray:
        slots, D, k = T.shape
        wide = np.ascontiguousarray(T.transpose(1, 0, 2), dtype=C.dtype).reshape(D, slots * k)
        products = (C @ wide).reshape(C.shape[0], slots, k)
        return np.einsum("is,isk->ik", self._U[tile], products)

    def sizes(self, tile: slice) -> FloatArray:
        U = self._U[tile] if self._roots is None else self._U[tile] @ self._roots
        return _lengths(U, self._s)


def _lengths(U: Array, s: FloatArray) -> Array:
    """``(sum_k |s_k| U_ik^2)^1/2``."""
    return array_namespace(U).sqrt((U**2) @ beside(np.abs(s), U))


def _few(n: int, width: int) -> Iterator[slice]:
    """Rows in order, as many at a time as make an array of that width fit a cache."""
    size = max(64, 2**16 // max(width, 1))
    return (slice(i, i + size) for i in range(0, n, size))


def _shared(shares: Array, V: Array) -> Array:
    """``E_ik v_i`` for each slot k, (rows, slots times columns of V)."""
    wide: Array = (shares[:, :, None] * V[:, None, :]).reshape(V.shape[0], -1)
    return wide
