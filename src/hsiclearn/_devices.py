"""Arrays of other libraries (torch, CuPy, JAX), and what of them crosses to the host.

Nothing here imports such a library: who passes an array has it loaded. What its functions are
called is the array API standard, by ``array_api_compat`` for libraries that do not follow it
to the letter.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np

from ._arrays import Array, array_namespace
from .exceptions import DeviceMemoryError

A = TypeVar("A")

_LIBRARIES = ("torch", "cupy", "jax", "jaxlib", "array_api_strict")
_SHARE = 0.25  # of the memory that is free
_MOST_BYTES = 2**34
_HOST_BYTES = 2**28  # of an array that is in the memory of the host


def is_foreign(X: Any) -> bool:
    """Whether X is an array of another library than numpy, on whatever device."""
    if isinstance(X, np.ndarray):  # asked of every tile
        return False
    return library_of(X) in _LIBRARIES and hasattr(X, "shape")


def library_of(X: Any) -> str:
    """The library an array is of, also where its class was derived from that of the library."""
    roots = [base.__module__.partition(".")[0] for base in type(X).__mro__]
    return next((root for root in roots if root in _LIBRARIES), roots[0])


def is_on_host(X: Any) -> bool:
    """Whether it is one that numpy sees without a copy, and is as quick with."""
    if not is_foreign(X):
        return False
    return library_of(X) in ("torch", "jax", "jaxlib") and "cpu" in str(X.device).lower()


def to_host(array: Array) -> Any:
    """The same as an ndarray: the one place where numbers leave a device."""
    if isinstance(array, np.ndarray) or not is_foreign(array):
        return np.asarray(array)
    library = library_of(array)
    if library == "torch":
        return array.detach().cpu().numpy()
    if library == "cupy":
        return array.get()
    if library == "array_api_strict":
        array = array.to_device(array_namespace(array).Device("CPU_DEVICE"))
    return np.asarray(array)


def here(values: Any) -> Any:
    """An array of another library on the host; anything else as it is."""
    return to_host(values) if is_foreign(values) else values


def beside(values: Any, array: Array, dtype: Any = None) -> Array:
    """Values of the host, or of there, where an array is; in its dtype unless another is named.

    ``dtype`` is of numpy, such as ``np.float64``.
    """
    if not is_foreign(array):
        return np.asarray(values, dtype=array.dtype if dtype is None else dtype)
    xp = array_namespace(array)
    kind = array.dtype if dtype is None else getattr(xp, np.dtype(dtype).name)
    if is_foreign(values):
        return xp.astype(values, kind, copy=False)
    return xp.asarray(np.array(values), dtype=kind, device=array.device)  # a copy: torch writes


def in_dtype(array: Array, dtype: Any) -> Array:
    """The array in a dtype of numpy, itself where it is."""
    if not is_foreign(array):
        return array.astype(dtype, copy=False)
    xp = array_namespace(array)
    return xp.astype(array, getattr(xp, np.dtype(dtype).name), copy=False)


def writes_into(array: Array) -> bool:
    """Whether the functions of a library write where they are told, by ``out``.

    The standard has no such thing; where memory is what a pass takes longest for, it helps.
    """
    return library_of(array) in ("numpy", "torch", "cupy")


class Placed:
    """Values of the host, and a copy of them on every device where they were asked for.

    To copy them makes the device wait for all it was asked before, so it is done once.
    """

    def __init__(self, values: Any) -> None:
        self.values, self._copies = values, dict[tuple[str, ...], Array]()

    def beside(self, array: Array, dtype: Any = None) -> Array:
        """The values where an array is: see :func:`beside`."""
        if not is_foreign(array):
            return beside(self.values, array, dtype)
        kind = str(array.dtype) if dtype is None else np.dtype(dtype).name
        key = type(array).__module__, str(array.device), kind
        if key not in self._copies:
            self._copies[key] = beside(self.values, array, dtype)
        return self._copies[key]


def zeros_beside(shape: tuple[int, ...], array: Array) -> Array:
    """Zeros in double precision, where an array is."""
    if not is_foreign(array):
        return np.zeros(shape)
    xp = array_namespace(array)
    return xp.zeros(shape, dtype=xp.float64, device=array.device)


_PIECE = 2048  # rows: of so many, sums in single precision lose no digit worth the name


def product_over_rows(A: Array, B: Array) -> Array:
    """``A'B`` (a, b) of long arrays on a device, in double precision.

    Of single precision, products of short pieces are added up; the pieces side by side, as one
    after the other a device would have too little to do at a time.
    """
    xp, n = array_namespace(A), A.shape[0]
    whole = n - n % _PIECE
    left, right = (xp.reshape(M[:whole, ...], (-1, _PIECE, M.shape[1])) for M in (A, B))
    pieces = xp.matmul(xp.permute_dims(left, (0, 2, 1)), right)
    rest = A[whole:, ...].T @ B[whole:, ...]
    return xp.sum(in_dtype(pieces, np.float64), axis=0) + in_dtype(rest, np.float64)


def numpy_dtype(array: Array) -> np.dtype[Any]:
    """The dtype of an array, in numpy's terms."""
    if not is_foreign(array):
        return np.dtype(array.dtype)
    return np.dtype(str(array.dtype).rpartition(".")[2])


def name_of_device(array: Array) -> str:
    """Where an array is, in words: of a GPU its name, too."""
    device = str(getattr(array, "device", "cpu"))
    if device.startswith("cuda") and "torch" in sys.modules:
        return f"{device}, {sys.modules['torch'].cuda.get_device_name(array.device)}"
    return device


def memory_budget(array: Array) -> int:
    """Bytes that sums over an array may take beside it: a quarter of what is free on its device.

    Rounded down to a power of two, and 16 GiB at most: rows are cut into parts by it, and sums of
    the same parts have the same bits.
    """
    return min(1 << (max(_a_quarter(array), 1).bit_length() - 1), _MOST_BYTES)


def _a_quarter(array: Array) -> int:
    library, device = library_of(array), str(getattr(array, "device", ""))
    if library == "torch" and device.startswith("cuda"):
        torch = sys.modules["torch"]
        free = torch.cuda.mem_get_info(array.device)[0]
        kept = torch.cuda.memory_reserved(array.device) - torch.cuda.memory_allocated(array.device)
        return int(_SHARE * (free + kept))
    if library == "cupy":
        return int(_SHARE * sys.modules["cupy"].cuda.runtime.memGetInfo()[0])
    return _HOST_BYTES


def within_memory(run: Callable[[int], A], size: int, smallest: int) -> A:
    """``run(size)``; where the device has no memory for it, with half the rows, and so on."""
    while True:
        try:
            return run(size)
        except Exception as error:
            if isinstance(error, DeviceMemoryError) or not is_out_of_memory(error):
                raise
            if size <= smallest:
                raise DeviceMemoryError(
                    f"The device has no memory for sums over {size} rows at a time, beside what it "
                    f"holds already: {error}. Free some of it, pass float32, or fit on the host."
                ) from error
        size = max(smallest, size // 2)
        _return_memory()


def is_out_of_memory(error: Exception) -> bool:
    """Whether an allocation on a device failed, as torch, CuPy and JAX say it."""
    words = str(error)
    said = ("RESOURCE_EXHAUSTED", "out of memory", "can't allocate memory")
    is_told = any(what in words for what in said)
    return type(error).__name__ == "OutOfMemoryError" or is_told


def raise_in_words(error: BaseException) -> None:
    """Raise what an allocation on a device that failed means; nothing of other errors."""
    is_ours = isinstance(error, DeviceMemoryError) or not isinstance(error, Exception)
    if not is_ours and is_out_of_memory(error):  # type: ignore[arg-type]
        raise DeviceMemoryError(
            f"The device has no memory for this beside what it holds already: {error}. Free some "
            "of it, pass float32, or fit on the host."
        ) from error


def _return_memory() -> None:
    """What an allocator keeps for later goes back."""
    if "torch" in sys.modules:
        with suppress(Exception):
            sys.modules["torch"].cuda.empty_cache()
