"""A Gamma that depends only on the classes of the two rows."""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import Column, as_values, count_codes
from .._weights import weights_of_classes
from ._base import (
    AbstractGamma,
    as_matrix,
    check_symmetric,
    leading,
    psd_up_to_rounding,
    zero_up_to_rounding,
)
from .pair_tiles import PairTiles, table_tiles
from .row_factor import OneHotFactor, RowFactor, runs_of


@final
class ClassTable(AbstractGamma):
    """``Gamma_ij = table[y_i, y_j]``: n codes and a c x c table instead of n x n numbers.

    Parameters
    ----------
    codes : array of int, shape (n_samples,)
        The class of each row, 0 .. c-1; or a handle to an array that is elsewhere.
    table : array, shape (c, c)
        Symmetric.
    """

    def __init__(self, codes: Column, table: Array) -> None:
        self.table = as_matrix(table, "table")
        check_symmetric(self.table, "table")
        self.codes = as_values(codes)
        c = self.table.shape[0]
        if self.codes.ndim != 1 or self.codes.dtype.kind not in "iu":
            raise ValueError(
                "`codes` must be a vector of integers. "
                f"Got dtype {self.codes.dtype}, shape {self.codes.shape}."
            )
        is_here = isinstance(self.codes, np.ndarray)
        if is_here and self.codes.size and not (self.codes.min() >= 0 and self.codes.max() < c):
            raise ValueError(
                f"`codes` must lie in 0 .. {c - 1}, the rows of `table`. "
                f"Got values from {self.codes.min()} to {self.codes.max()}."
            )
        self.n_samples = self.codes.shape[0]

    @classmethod
    def centered(
        cls, codes: Column, weights: Array | None = None, row_weights: Column | None = None
    ) -> ClassTable:
        """``H Y diag(weights) Y' H`` for one-hot labels Y.

        Row i of HY is ``e_{y_i} - p`` with p the class shares, so the table is
        ``(I - 1p') diag(w) (I - p1')``, which is ``w_k [k = l] - w_k p_k - w_l p_l + sum w p^2``.
        With ``row_weights`` p are the classes' shares of these.
        """
        codes = as_values(codes)
        is_wrong = codes.ndim != 1 or codes.dtype.kind not in "iu"
        if is_wrong or (isinstance(codes, np.ndarray) and codes.min(initial=0) < 0):
            raise ValueError(
                "`codes` must be a vector of class numbers 0, 1, ... Got dtype "
                f"{codes.dtype}, shape {codes.shape}. For labels of any kind: "
                "codes = np.unique(labels, return_inverse=True)[1]."
            )
        counts = count_codes(codes)
        c = counts.shape[0]
        w = np.ones(c) if weights is None else np.asarray(weights, dtype=np.float64)
        if w.shape != (c,):
            raise ValueError(f"`weights` must hold one number per class, {c}. Got shape {w.shape}.")
        if row_weights is not None:
            counts = weights_of_classes(codes, row_weights, c)
        return cls(codes, _centered(np.diag(w), counts / counts.sum()))

    @cached_property
    def _is_sorted(self) -> bool:
        if not isinstance(self.codes, np.ndarray):
            return False
        return bool(np.all(self.codes[1:] >= self.codes[:-1]))

    @cached_property
    def _counts(self) -> FloatArray:
        counts, c = count_codes(self.codes), self.table.shape[0]
        return np.pad(counts, (0, c - counts.size)).astype(np.float64)

    def order(self) -> Array | None:
        """Rows by class: then most tiles are a single number."""
        return None if self._is_sorted else np.argsort(self.codes, kind="stable")

    def tile(self, rows: slice, cols: slice) -> Array | float:
        """One number inside a pair of classes, a look-up elsewhere."""
        a, b = self.codes[rows], self.codes[cols]
        if self._is_sorted and a[0] == a[-1] and b[0] == b[-1]:
            return float(self.table[a[0], b[0]])
        if self.table.shape[0] > a.shape[0]:
            return self.table[np.ix_(a, b)]  # most of the table is of other classes
        return self.table[:, b][a]

    def weigh(self, array: Array, rows: slice, cols: slice) -> tuple[float, Array]:
        """Multiply class by class, with no array of weights, where rows are sorted."""
        if not self._is_sorted:
            return super().weigh(array, rows, cols)
        row_runs, col_runs = runs_of(self.codes[rows]), runs_of(self.codes[cols])
        if len(row_runs) == len(col_runs) == 1:
            return float(self.table[row_runs[0][0], col_runs[0][0]]), array
        if len(row_runs) * len(col_runs) > 64:  # small pieces: a look-up is cheaper
            return super().weigh(array, rows, cols)
        for k, i in row_runs:
            for m, j in col_runs:
                array[i, j] *= self.table[k, m]
        return 1.0, array

    def tiles_on(self, like: Array) -> PairTiles:
        """By looking up."""
        return table_tiles(self.codes, self.table, like)

    @property
    def class_table(self) -> tuple[Array, FloatArray]:
        """All of it."""
        return self.codes, self.table

    def to_dense(self) -> Array:
        """The n x n matrix, also where it is constant."""
        return self.table[self.codes][:, self.codes]

    def apply(self, V: Array) -> Array:
        """``Gamma V = table[y] (Y'V)``, O(n k)."""
        order = np.argsort(self.codes, kind="stable")
        present, starts = np.unique(self.codes[order], return_index=True)
        sums = np.zeros((self.table.shape[0], V.shape[1]))
        sums[present] = np.add.reduceat(V[order], starts, axis=0)
        return (self.table @ sums)[self.codes]

    def take(self, index: Array) -> ClassTable:
        """The same table on chosen rows; a subset of a centred Gamma is not centred."""
        return ClassTable(self.codes[index], self.table)

    def centered_on(self, index: Array, weights: Array | None = None) -> ClassTable:
        """The same table, centred by the shares of the classes among the chosen rows.

        Where it is larger than they are many, only the classes that are among them.
        """
        codes, table = self.codes[index], self.table
        if table.shape[0] > codes.size:
            present, codes = np.unique(codes, return_inverse=True)
            table = table[np.ix_(present, present)]
        counts = np.bincount(codes, weights, minlength=table.shape[0])
        shares = counts / (codes.size if weights is None else counts.sum())
        return ClassTable(codes, _centered(table, shares))

    def factors(
        self, max_rank: int, weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Exact: eigenpairs of ``N^1/2 table N^1/2``, spread over the rows.

        N are the class counts, or the sums of the squares of weights by class.
        """
        c = self.table.shape[0]
        root = np.sqrt(
            self._counts if weights is None else np.bincount(self.codes, weights**2, minlength=c)
        )
        values, vectors = np.linalg.eigh(root[:, None] * self.table * root)
        is_known = np.abs(values) > 1e-12 * np.max(np.abs(values))
        vectors, values = leading(values[is_known], vectors[:, is_known], max_rank)
        U = (vectors / np.where(root > 0, root, 1.0)[:, None])[self.codes]
        return (U if weights is None else weights[:, None] * U), values

    def absolute_form(self, g: FloatArray) -> float:
        """Exact, from the sums of g by class."""
        sums = np.bincount(self.codes, g, minlength=self.table.shape[0])
        return float(sums @ (np.abs(self.table) @ sums))

    def row_factor(self) -> RowFactor:
        """One-hot rows."""
        return OneHotFactor(self.codes, self.table)

    def scaled(self, factor: float) -> ClassTable:
        """``factor * Gamma``."""
        return ClassTable(self.codes, factor * self.table)

    @property
    def is_centered(self) -> bool:
        """Zero row sums: ``table @ counts = 0``."""
        return self.is_centered_by(None)

    def is_centered_by(self, weights: Column | None) -> bool:
        """``table @ (weights of the classes) = 0``."""
        counts, total = self._counts, float(self.n_samples)
        if weights is not None:
            counts = weights_of_classes(self.codes, weights, self.table.shape[0])
            total = float(counts.sum())
        return zero_up_to_rounding(self.table @ counts, float(np.abs(self.table).max() * total))

    @property
    def is_psd(self) -> bool:
        """The non-zero spectrum of Gamma is that of ``N^1/2 table N^1/2``, N the class counts."""
        root = np.sqrt(self._counts)
        return psd_up_to_rounding(np.linalg.eigvalsh(root[:, None] * self.table * root))

    def __repr__(self) -> str:
        """The size of the structure."""
        return f"ClassTable(n_samples={self.n_samples}, n_classes={self.table.shape[0]})"


def _centered(table: FloatArray, shares: FloatArray) -> FloatArray:
    """``(I - 1p') T (I - p1')`` without a product of two tables: O(c^2), and symmetric."""
    rows = table @ shares
    centered: FloatArray = table - rows - rows[:, None] + shares @ rows
    return centered
