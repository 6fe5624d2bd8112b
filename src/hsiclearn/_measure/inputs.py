r"""From what a user passes to two sides: kinds of data, names of kernels, bandwidths, units.

HSIC multiplies two kernel matrices, its null distribution four. Where a kernel scales with its
rows, ``k(aX) = a^r k(X)``, rows very large or very small are measured in a power of two, which
costs no digit, and what is found is turned back: ``HSIC = 2^(e_x + e_y)`` times the one in units.
CKA and p-values have no unit.
"""

from __future__ import annotations

import math
import warnings
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from .._arrays import FloatArray
from .._columns import AbstractColumn, as_values, fold
from .._linalg import typical_distance
from .._paradigms import as_column, kind_of_target, read_labels
from .._rows import Summary, as_rows, summarise
from ..exceptions import DependenceWarning
from ..gamma import check_symmetric
from ..kernels import AbstractKernel, kernel_from_name, kernel_names, takes_bandwidth
from .evaluation import MeasureSettings
from .far_side import FarDistanceSide, FarKernelSide
from .given import Given, as_given, far_labels, far_numbers, missing_labels, no_numbers
from .side import (
    AbstractSide,
    ClassSide,
    DistanceSide,
    KernelSide,
    MatrixSide,
    SparseSide,
    typical_sparse_distance,
)

KernelLike = str | AbstractKernel

_FEWEST = {"biased": 2, "unbiased": 4}
_MODERATE = 50  # powers of two: rows within need no unit
_LARGEST = 1e60  # kernel value; the variance of the null multiplies four of them, n^2 times over


def as_sides(
    X: Any,
    Y: Any,
    kernels: tuple[KernelLike, KernelLike],
    bandwidths: tuple[float | str, float | str],
    settings: MeasureSettings,
) -> tuple[AbstractSide, AbstractSide]:
    """Both sides, or an error that says what was seen."""
    given = as_given(X, Y)
    x = _as_side(given[0], kernels[0], bandwidths[0], settings.seed)
    y = _as_side(given[1], kernels[1], bandwidths[1], settings.seed)
    x.is_fetched = y.is_fetched = given[0].is_few
    if x.n_samples != y.n_samples:
        raise ValueError(
            "X and Y must have a row each per sample. "
            f"Got {x.n_samples} rows in X and {y.n_samples} in Y."
        )
    fewest = _FEWEST[settings.estimator]
    if x.n_samples < fewest:
        raise ValueError(
            f"The {settings.estimator} estimator needs at least {fewest} rows. Got {x.n_samples}."
        )
    return x, y


def _as_side(given: Given, kernel: KernelLike, bandwidth: float | str, seed: int) -> AbstractSide:
    """One side."""
    name, letter = given.name, given.letter
    if isinstance(kernel, AbstractKernel):
        return _with_kernel(*_as_numbers(given), kernel, name)
    known = ("auto", "delta", "distance", "precomputed", *kernel_names())
    if kernel not in known:
        raise ValueError(
            f"`kernel_{letter}` must be one of {list(known)} or a kernel object. Got {kernel!r}."
        )
    if _is_sparse(given.values) and kernel in ("delta", "distance", "precomputed"):
        raise ValueError(
            f"Kernel {kernel!r} needs {name} dense. Got a sparse matrix: pass {name}.toarray()."
        )
    if kernel == "delta" or (kernel == "auto" and _is_classes(given.values, name)):
        return _as_classes(given)
    if kernel == "precomputed":
        K = _as_kernel_matrix(given)
        exponent = _unit_of(float(np.abs(K).max()))
        return MatrixSide(_in_unit(K, exponent), exponent)
    numbers, seen = _as_numbers(given)
    if kernel == "distance":
        return _with_distance(numbers, seen)
    named = "gaussian" if kernel == "auto" else kernel
    width = None
    if takes_bandwidth(named):
        width = _as_bandwidth(bandwidth, numbers, _widest(seen), letter, seed)
    return _with_kernel(numbers, seen, kernel_from_name(named, width), name)


def _is_sparse(data: Any) -> bool:
    return sparse.issparse(data) or (isinstance(data, AbstractColumn) and data.is_sparse)


def _as_numbers(given: Given) -> tuple[Any, Summary]:
    """Rows of finite float64 numbers, (n, d), dense or CSR; and the range of their columns."""
    data, name = given.values, given.name
    if isinstance(data, AbstractColumn):
        far = far_numbers(data, name)
        seen = summarise(as_rows(far), name)  # before they are fetched: an error names the chunk
        return given.here(far), seen
    if sparse.issparse(data):
        if data.dtype.kind not in "fiub" or 0 in data.shape:
            raise ValueError(
                f"{name} must be a real matrix with rows and columns. Got dtype {data.dtype}, "
                f"shape {data.shape}."
            )
        numbers: Any = sparse.csr_array(data).astype(np.float64)
        return numbers, summarise(as_rows(numbers), name)
    try:
        numbers = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(no_numbers(name, np.asarray(data).dtype)) from error
    numbers = numbers[:, None] if numbers.ndim == 1 else numbers
    if numbers.ndim != 2 or 0 in numbers.shape:
        raise ValueError(
            f"{name} must be a vector or a table of rows, not empty. Got shape {numbers.shape}."
        )
    return numbers, summarise(as_rows(numbers), name)


def _with_distance(numbers: Any, seen: Summary) -> AbstractSide:
    exponent = _unit_of(_widest(seen))
    numbers = _in_unit(numbers, exponent)
    if isinstance(numbers, AbstractColumn):
        return FarDistanceSide(numbers, _seen_in_unit(seen, exponent), exponent)
    return DistanceSide(numbers, exponent)


def _with_kernel(numbers: Any, seen: Summary, kernel: AbstractKernel, name: str) -> AbstractSide:
    """Numbers under a kernel, in a unit where they need one."""
    power, exponent = _homogeneity(kernel), 0
    if power is not None:
        largest = max(np.abs(seen.lowest).max(), np.abs(seen.highest).max())
        moves = not kernel.ignores_shifts(centered=True)
        exponent = _unit_of(float(largest) if moves else _widest(seen))
        numbers = _in_unit(numbers, exponent)
    elif not all(term.pair.is_difference for _, term in kernel.terms):
        _check_range(kernel, fold(numbers, _longest, max, "norms"), name)
    if isinstance(numbers, AbstractColumn):
        seen = _seen_in_unit(seen, exponent)
        return FarKernelSide(numbers, seen, kernel, exponent * (power or 0))
    side = SparseSide if sparse.issparse(numbers) else KernelSide
    return side(numbers, kernel, exponent * (power or 0))


def _longest(_: slice, rows: Any) -> float:
    return float(row_norms(rows).max())


def _widest(seen: Summary) -> float:
    """The range of the column that has the largest."""
    return float((seen.highest - seen.lowest).max())


def _is_classes(data: Any, name: str) -> bool:
    """The rule of ``SupervisedHSIC``: one column of strings, booleans, or a few integers."""
    if _is_sparse(data):
        return False
    array = as_values(data)
    if array.dtype.kind in "cmM":
        raise ValueError(
            f"Numbers or labels are needed. Got dtype {array.dtype}: make dates and durations "
            "floats, such as days, and take complex numbers apart."
        )
    if array.ndim == 2 and array.shape[1] > 1:
        return False
    target, doubt = kind_of_target(data)
    if doubt:
        other = "gaussian" if target == "classes" else "delta"
        warnings.warn(
            f"{name} holds {doubt}, taken as {'classes' if other == 'gaussian' else 'a quantity'}. "
            f"If that is wrong, pass kernel '{other}'; naming the kernel ends this warning.",
            DependenceWarning,
            stacklevel=5,  # past the two readings below, to who called the measure
        )
    return target == "classes"


def _as_classes(given: Given) -> ClassSide:
    name, labels = given.name, as_column(given.values)
    if labels.ndim != 1 or labels.size == 0:
        raise ValueError(
            f"The delta kernel needs one label per row, a vector. Got {name} of shape "
            f"{labels.shape}: for several columns of numbers use kernel 'gaussian'."
        )
    if isinstance(labels, AbstractColumn):
        labels = given.here(far_labels(labels, name))
    read = read_labels(labels, name)
    if not isinstance(labels, AbstractColumn) and read.n_unknown:
        raise ValueError(missing_labels(name, read.n_unknown, labels.size))
    return ClassSide(read.codes, read.classes.size)


def _as_kernel_matrix(given: Given) -> FloatArray:
    name = given.name
    if isinstance(given.values, AbstractColumn) and not given.is_few:
        raise ValueError(
            f"kernel 'precomputed' needs {name} as a matrix in memory. Got {len(given.values)} "
            "rows of Dask, too many to be fetched: pass the rows themselves and a kernel between "
            "them."
        )
    K, _ = _as_numbers(given)
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"kernel 'precomputed' needs {name} as a matrix of shape (n_samples, n_samples). "
            f"Got shape {K.shape}."
        )
    check_symmetric(K, name, rtol=1e-6)  # a kernel in float32 is symmetric to 1e-7
    return K


def _as_bandwidth(
    bandwidth: float | str, numbers: Any, widest: float, letter: str, seed: int
) -> float:
    if isinstance(bandwidth, Real):
        return float(bandwidth)
    if bandwidth != "median":
        raise ValueError(
            f"`bandwidth_{letter}` must be 'median' or a positive number. Got {bandwidth!r}."
        )
    rng = np.random.default_rng(seed)
    if widest == 0.0:
        return 1.0  # as good as any: the kernel is constant, and HSIC is 0
    if _is_sparse(numbers):
        return typical_sparse_distance(numbers, rng)
    return typical_distance(numbers, rng)


def _unit_of(size: float) -> int:
    """The exponent of the unit for numbers of this size; 0 for ordinary ones."""
    exponent = math.frexp(size)[1] if size > 0.0 else 0
    return exponent if abs(exponent) > _MODERATE else 0


def _in_unit(numbers: Any, exponent: int) -> Any:
    """``2^-exponent`` times an array, dense or sparse, or a column, exactly."""
    if exponent == 0:
        return numbers
    if isinstance(numbers, AbstractColumn):
        return numbers.map(partial(_in_unit, exponent=exponent), is_kept=False).kept()
    half = -exponent // 2  # for the smallest numbers 2^-exponent is none
    return numbers * 2.0**half * 2.0 ** (-exponent - half)


def _seen_in_unit(seen: Summary, exponent: int) -> Summary:
    return Summary(*(_in_unit(part, exponent) for part in (seen.mean, seen.lowest, seen.highest)))


def _homogeneity(kernel: AbstractKernel) -> int | None:
    """The power r with ``k(aX) = a^r k(X)``; None where there is none."""
    powers = set()
    for _, term in kernel.terms:
        found = np.flatnonzero(term.coefficients if term.coefficients is not None else (1.0, 1.0))
        powers |= set(found.tolist())
    return 2 * powers.pop() if len(powers) == 1 and 0 not in powers else None


def _check_range(kernel: AbstractKernel, longest: float, name: str) -> None:
    """Raise unless the kernel of inner products is moderate at the longest of the rows."""
    with np.errstate(over="ignore"):
        largest = sum(
            abs(weight * float(np.asarray(term.f(np.array([longest**2])))[0]))
            for weight, term in kernel.terms
            if not term.pair.is_difference
        )
    if not largest <= _LARGEST:
        raise ValueError(
            f"The kernel of {name}, {kernel!r}, is as large as {largest:.1g} on these rows: more "
            f"than {_LARGEST:g}, of which products overflow. Scale {name} (StandardScaler)."
        )
