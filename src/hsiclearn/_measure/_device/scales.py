"""Scales of rows by their neighbours, found on a device."""

from __future__ import annotations

import numpy as np

from ..._arrays import Array, array_namespace
from ..._devices import in_dtype, memory_budget, to_host, within_memory
from ..._rows import batches
from ...exceptions import DegenerateDataError
from ...kernels import DIFFERENCE, AbstractKernel, RelativeGaussian

_COPIES = 6  # of a block of squared distances, with its order
_ROUNDING = 1e-14  # of a squared distance, beside the squared lengths of the rows


def neighbour_scales(kernel: AbstractKernel, X: Array) -> Array:
    """``1 / sigma_i`` with ``sigma_i = max(d_i, floor d_m)``, as :class:`RelativeGaussian` has it.

    Distances are roots of products, exact to 1e-7 of the length of a row.
    """
    assert isinstance(kernel, RelativeGaussian)
    xp, n = array_namespace(X), int(X.shape[0])
    k = min(int(kernel.n_neighbors), n - 1)
    x = in_dtype(X, np.float64)

    def run(size: int) -> Array:
        left, right = DIFFERENCE.beta_factors(x)
        squares = xp.sum(x * x, axis=1)
        found = []
        for rows in batches(n, size):
            beta = xp.sort(DIFFERENCE.beta(left[rows, :], right), axis=1)[:, k]
            is_rounding = beta <= _ROUNDING * squares[rows]
            found.append(xp.where(is_rounding, xp.zeros_like(beta), beta))
        return xp.sqrt(xp.concat(found))

    size = int(np.clip(memory_budget(X) // (8 * _COPIES * n), 16, n))
    distance = within_memory(run, size, 1)
    in_order = xp.sort(distance)
    places = n // 2, int(np.ceil(0.9 * (n - 1)))
    typical = [float(to_host(in_order[place])) for place in places]
    reference = typical[0] or typical[1]
    if not 0.0 < reference < np.inf:
        raise DegenerateDataError(
            "RelativeGaussian needs rows at a distance from each other: about 90 % of "
            f"the {n} rows have {k} duplicates or more. Remove duplicates, raise "
            "n_neighbors, or use the Gaussian kernel."
        )
    lowest = xp.full_like(distance, float(kernel.floor) * reference)
    scales = 1.0 / xp.where(distance > lowest, distance, lowest)
    return xp.astype(scales, X.dtype, copy=False)
