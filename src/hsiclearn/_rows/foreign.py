"""Arrays of other libraries as tables: which are taken, and where one is, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Array, array_namespace
from .._devices import is_foreign, is_on_host, library_of, name_of_device, numpy_dtype

_FLOATS = ("float32", "float64")
_DENSE = "torch.strided"  # a layout; those of sparse arrays have other names


def place_of(array: Any) -> tuple[str, str]:
    """The library and the device of an array; what is none of another library is numpy's."""
    if not is_foreign(array):
        return "numpy", "cpu"
    return library_of(array), str(getattr(array, "device", "cpu"))


def in_words(array: Any) -> str:
    """The same, for messages."""
    library, _ = place_of(array)
    return library if library == "numpy" else f"{library} on {name_of_device(array)}"


def check_takes_no_gradients(array: Array, name: str) -> None:
    """A tensor of torch that requires them is an error."""
    if getattr(array, "requires_grad", False):
        raise ValueError(
            f"`{name}` must not require gradients: nothing here is differentiated. Pass "
            f"{name}.detach()."
        )


def name_of_dtype(array: Array) -> str:
    """Without the library it is of."""
    return str(array.dtype).rpartition(".")[2]


def check_table(X: Array, *, least: int) -> None:
    """A dense matrix of numbers that sums can be made of, or an error."""
    check_takes_no_gradients(X, "X")
    if library_of(X) in ("jax", "jaxlib") and not is_on_host(X):
        raise ValueError(
            "Arrays of JAX cannot be written to, which sums on a device are. Got one on "
            f"{name_of_device(X)}: pass torch.from_dlpack(X), which copies nothing, or put it on "
            "JAX's CPU."
        )
    if place_of(X)[0] == "torch" and str(X.layout) != _DENSE:
        raise ValueError(
            f"A sparse matrix must be one of scipy. Got an array of layout {X.layout}: pass "
            "X.to_dense(), or a scipy.sparse matrix on the host."
        )
    if len(X.shape) != 2:
        raise ValueError(
            f"Expected 2D array, got {len(X.shape)}D array instead: X must have a row for each "
            f"sample and a column for each feature. Got shape {tuple(X.shape)}."
        )
    n, d = X.shape
    if n < least:
        raise ValueError(
            f"Found array with {n} sample(s) (shape={(n, d)}) while a minimum of {least} is "
            "required."
        )
    if d < 1:
        raise ValueError(
            f"Found array with {d} feature(s) (shape={(n, d)}) while a minimum of 1 is required."
        )
    _check_dtype(X)


def _is_whole(name: str) -> bool:
    return name.startswith(("int", "uint", "bool"))


def _check_dtype(X: Array) -> None:
    """Single or double precision, or whole numbers, on a device that has double precision."""
    name = name_of_dtype(X)
    if name not in _FLOATS and not _is_whole(name):
        remedy = "its real and imaginary parts as columns" if "complex" in name else "X in float32"
        raise ValueError(
            "X must be of float32 or float64, or of whole numbers or booleans, which are taken "
            f"as float64. Got {name}: pass {remedy}."
        )
    if not _has_double_precision(X):
        raise ValueError(
            "Sums are made in double precision, which the device must have. X is of "
            f"{in_words(X)}, which has none, or has it switched off (JAX: set "
            "jax_enable_x64): pass X on another device, or as a numpy array."
        )


def _has_double_precision(X: Array) -> bool:
    if name_of_dtype(X) == "float64":
        return True
    xp = array_namespace(X)
    try:
        return bool(numpy_dtype(xp.zeros(1, dtype=xp.float64, device=X.device)) == np.float64)
    except (TypeError, RuntimeError, ValueError):
        return False
