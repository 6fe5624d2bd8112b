"""From what a user passes to two sides: kinds of data, names of kernels, bandwidths."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from .._columns import AbstractColumn, as_values, fold
from .._devices import is_foreign, numpy_dtype, to_host
from .._linalg import typical_distance
from .._paradigms import as_column, kind_of_target, read_labels
from .._rows import AbstractRows, Summary, as_rows, summarise
from ..exceptions import DependenceWarning
from ..gamma import check_symmetric
from ..kernels import AbstractKernel, kernel_from_name, kernel_names, takes_bandwidth
from ._device import DeviceNumbers, label_side, with_labels_alike
from .evaluation import MeasureSettings
from .far_side import FarDistanceSide, FarKernelSide
from .given import GivenSide, as_given, far_labels, far_numbers, missing_labels, no_numbers
from .side import (
    AbstractSide,
    ClassSide,
    DistanceSide,
    KernelSide,
    MatrixSide,
)
from .single_rows import SingleRows, needs_single_rows
from .sparse_side import SparseSide, typical_sparse_distance
from .units import check_range, homogeneity, in_unit, seen_in_unit, unit_of, widest
from .weighted import check_enough, check_same_length

KernelLike = str | AbstractKernel

_FEWEST = {"biased": 2, "unbiased": 4}


def as_sides(
    X: Any,
    Y: Any,
    kernels: tuple[KernelLike, KernelLike],
    bandwidths: tuple[float | str, float | str],
    settings: MeasureSettings,
    sample_weight: Any = None,
    *,
    single: SingleRows | None = None,
    is_ratio: bool = False,
) -> tuple[AbstractSide, AbstractSide]:
    """Both sides, or an error that says what was seen.

    ``single`` is what needs rows of weight 2 as two rows; of a ``is_ratio`` weights are shares.
    """
    are_matrices = _is_matrix(kernels[0]), _is_matrix(kernels[1])
    single = single or needs_single_rows(kernels, settings)
    given = as_given(X, Y, sample_weight, are_matrices, single)
    x = _as_side(given[0], kernels[0], bandwidths[0], settings.seed)
    y = _as_side(given[1], kernels[1], bandwidths[1], settings.seed)
    with_labels_alike(x, y)
    x.is_fetched = y.is_fetched = given[0].is_few
    check_same_length(x.n_samples, y.n_samples)
    for side in (x, y):
        side.weigh(given[0].weights, given[0].total)
    if not (is_ratio and settings.estimator == "biased" and x.weights is not None):
        check_enough(x, _FEWEST[settings.estimator], f"The {settings.estimator} estimator")
    return x, y


def _is_matrix(kernel: KernelLike) -> bool:
    return isinstance(kernel, str) and kernel == "precomputed"


def _as_side(
    given: GivenSide, kernel: KernelLike, bandwidth: float | str, seed: int
) -> AbstractSide:
    """One side."""
    name, letter = given.name, given.letter
    if isinstance(kernel, AbstractKernel):
        return _with_kernel(*_as_numbers(given), kernel, given)
    known = ("auto", "delta", "distance", "precomputed", *kernel_names())
    if kernel not in known:
        raise ValueError(
            f"`kernel_{letter}` must be one of {list(known)} or a kernel object. Got {kernel!r}."
        )
    if _is_sparse(given.values) and kernel in ("delta", "distance", "precomputed"):
        raise ValueError(
            f"Kernel {kernel!r} needs {name} dense. Got a sparse matrix: pass {name}.toarray()."
        )
    if kernel == "delta" or (kernel == "auto" and _is_classes(given)):
        return _as_classes(given)
    if kernel == "precomputed":
        return _with_matrix(*_as_kernel_matrix(given))
    numbers, seen = _as_numbers(given)
    if kernel == "distance":
        return _with_distance(numbers, seen)
    named = "gaussian" if kernel == "auto" else kernel
    width = None
    if takes_bandwidth(named):
        width = _as_bandwidth(bandwidth, numbers, widest(seen), given, seed)
    return _with_kernel(numbers, seen, kernel_from_name(named, width), given)


def _is_sparse(data: Any) -> bool:
    return sparse.issparse(data) or (isinstance(data, AbstractColumn) and data.is_sparse)


def _as_numbers(given: GivenSide) -> tuple[Any, Summary]:
    """Rows of finite float64 numbers, (n, d), dense or CSR; and the range of their columns.

    On a device they stay there, or go there, in the precision that they have.
    """
    data, name = given.values, given.name
    if given.device is not None and is_foreign(data):
        return _as_device_numbers(given, DeviceNumbers.of(data, given.device))
    if isinstance(data, AbstractColumn):
        far = far_numbers(data, name)
        seen = _seen(as_rows(far), given)  # before they are fetched: an error names the chunk
        return given.here(far), seen
    if sparse.issparse(data):
        if data.dtype.kind not in "fiub" or 0 in data.shape:
            raise ValueError(
                f"{name} must be a real matrix with rows and columns. Got dtype {data.dtype}, "
                f"shape {data.shape}."
            )
        numbers: Any = sparse.csr_array(data).astype(np.float64)
        return numbers, _seen(as_rows(numbers), given)
    try:
        numbers = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(no_numbers(name, np.asarray(data).dtype)) from error
    numbers = numbers[:, None] if numbers.ndim == 1 else numbers
    if numbers.ndim != 2 or 0 in numbers.shape:
        raise ValueError(
            f"{name} must be a vector or a table of rows, not empty. Got shape {numbers.shape}."
        )
    seen = _seen(as_rows(numbers), given)
    return (numbers if given.device is None else DeviceNumbers.of(numbers, given.device)), seen


def _as_device_numbers(given: GivenSide, numbers: DeviceNumbers) -> tuple[DeviceNumbers, Summary]:
    if 0 in numbers.array.shape or numbers.array.ndim != 2:
        raise ValueError(
            f"{given.name} must be a vector or a table of rows, not empty. Got shape "
            f"{tuple(given.values.shape)}."
        )
    return numbers, _seen(numbers.rows, given)


def _seen(rows: AbstractRows, given: GivenSide) -> Summary:
    return summarise(rows, given.name, given.weights)


def _with_matrix(K: Any, seen: Summary) -> AbstractSide:
    exponent = unit_of(max(abs(float(seen.lowest.min())), abs(float(seen.highest.max()))))
    K = in_unit(K, exponent)
    if isinstance(K, DeviceNumbers):
        return K.as_matrix(seen, exponent)
    return MatrixSide(K, exponent)


def _with_distance(numbers: Any, seen: Summary) -> AbstractSide:
    exponent = unit_of(widest(seen))
    numbers = in_unit(numbers, exponent)
    if isinstance(numbers, AbstractColumn):
        return FarDistanceSide(numbers, seen_in_unit(seen, exponent), exponent)
    if isinstance(numbers, DeviceNumbers):
        return numbers.with_distance(seen_in_unit(seen, exponent), exponent)
    return DistanceSide(numbers, exponent)


def _with_kernel(
    numbers: Any, seen: Summary, kernel: AbstractKernel, given: GivenSide
) -> AbstractSide:
    """Numbers under a kernel, in a unit where they need one."""
    power, exponent = homogeneity(kernel), 0
    if power is not None:
        largest = max(np.abs(seen.lowest).max(), np.abs(seen.highest).max())
        moves = not kernel.ignores_shifts(centered=True)
        exponent = unit_of(float(largest) if moves else widest(seen))
        numbers = in_unit(numbers, exponent)
    elif not all(term.pair.is_difference for _, term in kernel.terms):
        is_there = isinstance(numbers, DeviceNumbers)
        longest = numbers.longest() if is_there else fold(numbers, _longest, max, "norms")
        check_range(kernel, longest, given.name)
    if isinstance(numbers, DeviceNumbers):
        return numbers.with_kernel(seen_in_unit(seen, exponent), kernel, exponent * (power or 0))
    if isinstance(numbers, AbstractColumn):
        seen = seen_in_unit(seen, exponent)
        return FarKernelSide(numbers, seen, kernel, exponent * (power or 0))
    side = SparseSide if sparse.issparse(numbers) else KernelSide
    return side(numbers, kernel, exponent * (power or 0), given.weights)


def _longest(_: slice, rows: Any) -> float:
    return float(row_norms(rows).max())


def _is_classes(given: GivenSide) -> bool:
    """The rule of ``SupervisedHSIC``: one column of strings, booleans, or a few integers."""
    data, name = given.values, given.name
    if _is_sparse(data):
        return False
    if is_foreign(data):
        if numpy_dtype(data).kind == "f" or (data.ndim > 1 and data.shape[1] > 1):
            return False
        data = to_host(data)
    array = as_values(data)
    if array.dtype.kind in "cmM":
        raise ValueError(
            f"Numbers or labels are needed. Got dtype {array.dtype}: make dates and durations "
            "floats, such as days, and take complex numbers apart."
        )
    if array.ndim == 2 and array.shape[1] > 1:
        return False
    target, doubt = kind_of_target(data, given.total)
    if doubt:
        other = "gaussian" if target == "classes" else "delta"
        warnings.warn(
            f"{name} holds {doubt}, taken as {'classes' if other == 'gaussian' else 'a quantity'}. "
            f"If that is wrong, pass kernel '{other}'; naming the kernel ends this warning.",
            DependenceWarning,
            stacklevel=5,  # past the two readings below, to who called the measure
        )
    return target == "classes"


def _as_classes(given: GivenSide) -> AbstractSide:
    name = given.name
    labels = as_column(to_host(given.values) if is_foreign(given.values) else given.values)
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
    side = ClassSide(read.codes, read.classes.size)
    return side if given.device is None else label_side(side, given.device)


def _as_kernel_matrix(given: GivenSide) -> tuple[Any, Summary]:
    name = given.name
    if isinstance(given.values, AbstractColumn) and not given.is_few:
        raise ValueError(
            f"kernel 'precomputed' needs {name} as a matrix in memory. Got {len(given.values)} "
            "rows of Dask, too many to be fetched: pass the rows themselves and a kernel between "
            "them."
        )
    K, seen = _as_numbers(given)
    shape = K.rows.shape if isinstance(K, DeviceNumbers) else K.shape
    if shape[0] != shape[1]:
        raise ValueError(
            f"kernel 'precomputed' needs {name} as a matrix of shape (n_samples, n_samples). "
            f"Got shape {shape}."
        )
    rtol = 1e-6  # a kernel in float32 is symmetric to 1e-7
    if isinstance(K, DeviceNumbers):
        K.check_symmetric(name, rtol)
    else:
        check_symmetric(K, name, rtol=rtol)
    return K, seen


def _as_bandwidth(
    bandwidth: float | str, numbers: Any, spread: float, given: GivenSide, seed: int
) -> float:
    if isinstance(bandwidth, Real):
        return float(bandwidth)
    if bandwidth != "median":
        raise ValueError(
            f"`bandwidth_{given.letter}` must be 'median' or a positive number. Got {bandwidth!r}."
        )
    rng = np.random.default_rng(seed)
    if spread == 0.0:
        return 1.0  # as good as any: the kernel is constant, and HSIC is 0
    if _is_sparse(numbers):
        return typical_sparse_distance(numbers, rng, given.weights)
    if isinstance(numbers, DeviceNumbers):
        return numbers.typical_distance(rng, given.weights)
    return typical_distance(numbers, rng, given.weights)
