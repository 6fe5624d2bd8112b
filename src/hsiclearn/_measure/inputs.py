"""From what a user passes to two sides: kinds of data, names of kernels, bandwidths."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from .._linalg import typical_distance
from .._paradigms import as_column, kind_of_target, read_labels
from ..exceptions import DependenceWarning
from ..gamma import check_symmetric
from ..kernels import AbstractKernel, kernel_from_name, kernel_names, takes_bandwidth
from .numbers import as_numbers, as_sparse_numbers, extremes, longest_of, size_of
from .side import AbstractSide, ClassSide, DistanceSide, KernelSide, MatrixSide
from .sparse_side import SparseSide, typical_sparse_distance
from .units import check_range, homogeneity, in_unit, unit_of

__all__ = ["KernelLike", "as_sides"]

KernelLike = str | AbstractKernel

_FEWEST = {"biased": 2, "unbiased": 4}


def as_sides(
    X: Any,
    Y: Any,
    kernels: tuple[KernelLike, KernelLike],
    bandwidths: tuple[float | str, float | str],
    estimator: str,
    seed: int,
) -> tuple[AbstractSide, AbstractSide]:
    """Both sides, or an error that says what was seen."""
    x = _as_side(X, "X", "x", kernels[0], bandwidths[0], seed)
    y = _as_side(Y, "Y", "y", kernels[1], bandwidths[1], seed)
    if x.n_samples != y.n_samples:
        raise ValueError(
            "X and Y must have a row each per sample. "
            f"Got {x.n_samples} rows in X and {y.n_samples} in Y."
        )
    fewest = _FEWEST[estimator]
    if x.n_samples < fewest:
        raise ValueError(
            f"The {estimator} estimator needs at least {fewest} rows. Got {x.n_samples}."
        )
    return x, y


def _as_side(
    data: Any, name: str, letter: str, kernel: KernelLike, bandwidth: float | str, seed: int
) -> AbstractSide:
    """One side; ``name`` and ``letter`` are for the messages."""
    if isinstance(kernel, AbstractKernel):
        return _with_kernel(data, name, lambda _: kernel)
    known = ("auto", "delta", "distance", "precomputed", *kernel_names())
    if kernel not in known:
        raise ValueError(
            f"`kernel_{letter}` must be one of {list(known)} or a kernel object. Got {kernel!r}."
        )
    if sparse.issparse(data) and kernel in ("delta", "distance", "precomputed"):
        raise ValueError(
            f"Kernel {kernel!r} needs {name} dense. Got a sparse matrix: pass {name}.toarray()."
        )
    if kernel == "delta" or (kernel == "auto" and _is_classes(data, name)):
        return _as_classes(data, name)
    if kernel == "precomputed":
        K = _as_kernel_matrix(data, name)
        exponent = unit_of(float(np.abs(K).max()))
        return MatrixSide(in_unit(K, exponent), exponent)
    if kernel == "distance":
        numbers = as_numbers(data, name)
        exponent = unit_of(float(np.ptp(numbers, axis=0).max()))
        return DistanceSide(in_unit(numbers, exponent), exponent)

    def found(numbers: Any) -> AbstractKernel:
        named = "gaussian" if kernel == "auto" else kernel
        if not takes_bandwidth(named):
            return kernel_from_name(named)
        return kernel_from_name(named, _as_bandwidth(bandwidth, numbers, letter, seed))

    return _with_kernel(data, name, found)


def _with_kernel(data: Any, name: str, kernel_of: Callable[[Any], AbstractKernel]) -> AbstractSide:
    """Numbers, dense or sparse, under a kernel, in a unit where they need one."""
    is_sparse = sparse.issparse(data)
    numbers: Any = as_sparse_numbers(data, name) if is_sparse else as_numbers(data, name)
    kernel = kernel_of(numbers)
    power, exponent = homogeneity(kernel), 0
    if power is not None:
        exponent = unit_of(size_of(numbers, kernel))
        numbers = in_unit(numbers, exponent)
    elif not all(term.pair.is_difference for _, term in kernel.terms):
        check_range(kernel, longest_of(numbers), name)
    side = SparseSide if is_sparse else KernelSide
    return side(numbers, kernel, exponent * (power or 0))


def _is_classes(data: Any, name: str) -> bool:
    """The rule of ``SupervisedHSIC``: one column of strings, booleans, or a few integers."""
    if sparse.issparse(data):
        return False
    array = np.asarray(data)
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
            stacklevel=6,
        )
    return target == "classes"


def _as_classes(data: Any, name: str) -> ClassSide:
    labels = as_column(data)
    if labels.ndim != 1 or labels.size == 0:
        raise ValueError(
            f"The delta kernel needs one label per row, a vector. Got {name} of shape "
            f"{labels.shape}: for several columns of numbers use kernel 'gaussian'."
        )
    read = read_labels(labels, name)
    if read.n_unknown:
        raise ValueError(
            f"{name} contains NaN: {read.n_unknown} of {labels.size} labels are missing. Drop "
            "those rows, or give them a label of their own."
        )
    return ClassSide(read.codes, read.classes.size)


def _as_kernel_matrix(data: Any, name: str) -> FloatArray:
    K = as_numbers(data, name)
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"kernel 'precomputed' needs {name} as a matrix of shape (n_samples, n_samples). "
            f"Got shape {K.shape}."
        )
    check_symmetric(K, name, rtol=1e-6)  # a kernel in float32 is symmetric to 1e-7
    return K


def _as_bandwidth(bandwidth: float | str, numbers: Array, letter: str, seed: int) -> float:
    if isinstance(bandwidth, Real):
        return float(bandwidth)
    if bandwidth != "median":
        raise ValueError(
            f"`bandwidth_{letter}` must be 'median' or a positive number. Got {bandwidth!r}."
        )
    rng = np.random.default_rng(seed)
    low, high = extremes(numbers)
    if np.array_equal(low, high):
        return 1.0  # as good as any: the kernel is constant, and HSIC is 0
    if sparse.issparse(numbers):
        return typical_sparse_distance(numbers, rng)
    return typical_distance(numbers, rng)
