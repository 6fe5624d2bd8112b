"""The array namespace: the one seam between the mathematics and an array library.

Kernels and tiles ask an array for its own library instead of importing one, so that arrays on
another device need no second version of a formula. What is small (d x d, q x q) stays on the
host and in numpy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .exceptions import MissingExtraError

Array = Any
"""An array of any library that follows the array API standard."""

FloatArray = npt.NDArray[np.float64]
"""A float64 array on the host."""

FLOATS = (np.float64, np.float32)
"""What a table may be; other types become the first."""


def array_namespace(array: Array) -> Any:
    """Return the module whose functions work on ``array`` (``numpy`` for an ndarray)."""
    if isinstance(array, np.ndarray):
        return np
    try:
        import array_api_compat
    except ImportError as error:
        if hasattr(array, "__array_namespace__"):
            return array.__array_namespace__()
        library = type(array).__module__.partition(".")[0]
        purpose = f"To work on arrays of {library}"
        raise MissingExtraError("array-api-compat", "gpu", purpose) from error
    return array_api_compat.array_namespace(array)


def matmul_into(workspace: Array | None, left: Array, right: Array) -> Array:
    """``left @ right``, in the first part of a flat workspace where there is one."""
    if workspace is None:
        return left @ right
    shape = (left.shape[0], right.shape[1])
    out = workspace[: shape[0] * shape[1]].reshape(shape)
    return np.matmul(left, right, out=out)


_UNPACKED = 900_000  # multiplications of a product for which BLAS copies nothing
_THIN = 12  # columns


def thin_product(A: FloatArray, V: FloatArray) -> FloatArray:
    """``A V`` for a V of few columns, rows of A by rows.

    A large product first copies A into the order its inner loop wants, which for few columns takes
    several times as long as the product itself. Small ones are done in place, where BLAS has
    routines for them; where it has none, this costs nothing worth the name.
    """
    (n, d), b = A.shape, V.shape[1]
    if b == 1 or b > _THIN or n * d * b <= _UNPACKED:
        return A @ V
    AV, step = np.empty((n, b)), max(_UNPACKED // (d * b), 1)
    for i in range(0, n, step):
        np.matmul(A[i : i + step], V, out=AV[i : i + step])
    return AV
