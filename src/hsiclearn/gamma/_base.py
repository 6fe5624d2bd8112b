"""What a Gamma is: a symmetric n x n matrix that never has to be written out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import Column
from .._devices import beside

if TYPE_CHECKING:
    from .pair_tiles import GaussianPairs, PairTiles
    from .row_factor import RowFactor
    from .sum import Sum


class AbstractGamma(ABC):
    """A symmetric matrix that can be tiled, applied and reordered.

    ``is_centered`` (zero row sums) and ``is_psd`` are declarations the solver and the warnings
    rely on; the contract tests verify each on a small dense copy.
    """

    n_samples: int

    @abstractmethod
    def tile(self, rows: slice, cols: slice) -> Array | float:
        """``Gamma[rows, cols]``, or one number where the whole tile is constant."""

    def weigh(self, array: Array, rows: slice, cols: slice) -> tuple[float, Array]:
        """``Gamma[rows, cols] o array`` as ``(factor, array)``, in the array's own memory."""
        tile = self.tile(rows, cols)
        if isinstance(tile, float):
            return tile, array
        array *= tile
        return 1.0, array

    def tiles_on(self, like: Array) -> PairTiles:
        """Blocks of Gamma beside an array of another library; here they are made on the host."""
        return lambda rows, cols: beside(self.tile(rows, cols), like)

    @property
    def class_table(self) -> tuple[Array, FloatArray] | None:
        """The class of each row and a table of classes by classes, where that is all of it."""
        return None

    @property
    def gaussian_pairs(self) -> GaussianPairs | None:
        """A Gaussian kernel less its means, where that is all of it."""
        return None

    @abstractmethod
    def apply(self, V: Array) -> Array:
        """``Gamma @ V`` for V of shape (n, k)."""

    @abstractmethod
    def take(self, index: Array) -> AbstractGamma:
        """``Gamma[index][:, index]``, the same structure on chosen rows."""

    @abstractmethod
    def centered_on(self, index: Array, weights: Array | None = None) -> AbstractGamma:
        """``H Gamma[index][:, index] H``: what centring these rows alone would have given.

        For a centred Gamma ``H K H`` it is the same as centring the part of K. With weights v of
        the chosen rows H is ``I - 1 v' / V``, V their sum: rows less their weighted mean.
        """

    @abstractmethod
    def factors(
        self, max_rank: int, weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """``U, s`` with ``Gamma ~ U diag(s) U'`` and at most ``max_rank`` columns.

        Exact where the structure's rank allows it, else the leading eigenpairs. With weights v they
        are those of ``diag(v) Gamma diag(v)``.
        """

    @abstractmethod
    def absolute_form(self, g: FloatArray) -> float:
        """``sum_ij |Gamma_ij| g_i g_j`` for ``g >= 0``, or a bound that is not below it."""

    @property
    def row_weights(self) -> Column | None:
        """How often each row stands in the table, where that is not once: see ``Weighted``."""
        return None

    @property
    def unweighted(self) -> AbstractGamma:
        """The Gamma of single rows."""
        return self

    def is_centered_by(self, weights: Column | None) -> bool:
        """Whether every row has a sum of zero in which column j counts ``weights_j`` times."""
        if weights is None:
            return self.is_centered
        sums, scale = self.apply(weights[:, None]), self.absolute_form(weights) / weights.sum()
        return zero_up_to_rounding(sums, scale)

    def row_factor(self) -> RowFactor | None:
        """The structure row by row, for sums that cost O(n); None where there is none."""
        return None

    def finer(self) -> AbstractGamma | None:
        """The same matrix with rows that are closer to it; None where they are exact."""
        return None

    @abstractmethod
    def scaled(self, factor: float) -> AbstractGamma:
        """``factor * Gamma``."""

    @property
    @abstractmethod
    def is_centered(self) -> bool:
        """Whether every row sums to zero, up to rounding."""

    @property
    @abstractmethod
    def is_psd(self) -> bool:
        """Whether no eigenvalue is negative, up to rounding."""

    def order(self) -> Array | None:
        """A row order in which tiles come out constant, if the structure knows one."""
        return None

    def to_dense(self) -> Array:
        """The n x n matrix. For the dense engine and for tests."""
        everything = slice(0, self.n_samples)
        return self.tile(everything, everything)

    @property
    def parts(self) -> tuple[AbstractGamma, ...]:
        """The terms of a sum; one for anything else."""
        return (self,)

    def __add__(self, other: AbstractGamma) -> Sum:
        from .sum import Sum

        if not isinstance(other, AbstractGamma):
            return NotImplemented
        return Sum(self.parts + other.parts)

    def __mul__(self, factor: float) -> AbstractGamma:
        if isinstance(factor, bool) or not isinstance(factor, int | float):
            return NotImplemented
        return self.scaled(float(factor))

    __rmul__ = __mul__

    def __neg__(self) -> AbstractGamma:
        return self.scaled(-1.0)

    def __sub__(self, other: AbstractGamma) -> Sum:
        return self + (-other)


def as_matrix(array: object, name: str) -> FloatArray:
    """A finite float64 matrix, or an error that says what was seen."""
    matrix = np.asarray(array)
    if matrix.dtype.kind not in "fiub" or matrix.ndim != 2:
        raise ValueError(
            f"`{name}` must be a real matrix. Got dtype {matrix.dtype}, shape {matrix.shape}."
        )
    matrix = matrix.astype(np.float64)
    if not np.all(np.isfinite(matrix)):
        bad = int(np.count_nonzero(~np.isfinite(matrix)))
        raise ValueError(f"`{name}` must be finite. {bad} entries are NaN or infinite.")
    return matrix


def check_symmetric(matrix: FloatArray, name: str, rtol: float = 1e-10) -> None:
    """Raise unless ``matrix`` is square and symmetric up to rounding."""
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"`{name}` must be square. Got shape {matrix.shape}.")
    difference = np.abs(matrix - matrix.T)
    allowed = rtol * max(float(np.max(np.abs(matrix), initial=0.0)), np.finfo(float).tiny)
    if difference.size and float(difference.max()) > allowed:
        i, j = np.unravel_index(int(np.argmax(difference)), difference.shape)
        raise ValueError(
            f"`{name}` must be symmetric. Entry ({i}, {j}) is {matrix[i, j]:.6g} but entry "
            f"({j}, {i}) is {matrix[j, i]:.6g}. If both halves mean the same, pass "
            f"({name} + {name}.T) / 2."
        )


def leading(
    values: FloatArray, vectors: FloatArray, max_rank: int
) -> tuple[FloatArray, FloatArray]:
    """Eigenvectors of the eigenvalues of largest size, and those."""
    keep = np.argsort(-np.abs(values), kind="stable")[:max_rank]
    return vectors[:, keep], values[keep]


def zero_up_to_rounding(values: FloatArray, scale: float) -> bool:
    """Whether ``values`` vanish beside numbers of size ``scale``."""
    return bool(np.max(np.abs(values), initial=0.0) <= 1e-10 * max(scale, np.finfo(float).tiny))


def psd_up_to_rounding(eigenvalues: Array) -> bool:
    """Whether no eigenvalue is negative beside the largest."""
    scale = float(np.max(np.abs(eigenvalues), initial=0.0))
    return bool(np.min(eigenvalues, initial=0.0) >= -1e-10 * scale)
