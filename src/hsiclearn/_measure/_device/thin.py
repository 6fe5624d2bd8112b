r"""A centred kernel matrix as few columns: ``Kc = s G G'``, G of n rows and r columns.

Few columns reproduce K to rounding where K is smooth or has few values: of classes there are one
fewer than these, of a real column under a Gaussian some twenty or thirty. A sum over pairs is then
a product of matrices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._arrays import Array, array_namespace
from ..._devices import beside, in_dtype, numpy_dtype, to_host
from ..._rows import batches
from ..linear_time import SideSums
from ..permutations import PrincipalAxes, principal_axes
from .landmarks import choose_landmarks, chunk_rows
from .sides import DeviceSide

_MOST = 200  # columns: with more, other ways are as fast
_PIVOT = {"float64": 1e-14, "float32": 1e-9}  # share of the largest k(x, x)
_LEFT_OUT = {"float64": 1e-12, "float32": 1e-7}  # share of the trace


class Thin(NamedTuple):
    """``values`` (n, r) on the device, their columns centred, and the sign of each.

    ``dropped`` is the trace that is lost with columns that do not fit the memory.
    """

    values: Array
    signs: Array
    dropped: float = 0.0

    @property
    def rank(self) -> int:
        """R."""
        return int(self.values.shape[1])

    def diagonal(self) -> Array:
        """``Kc_ii``."""
        return (self.values * self.values) @ in_dtype(self.signs, numpy_dtype(self.values))


def exact_columns(side: DeviceSide) -> Thin | None:
    """Columns that leave out no more than what block entries round to, where few do."""
    if side.definite == 0:
        return None
    n, precision = side.n_samples, side.dtype.name
    count = max(_MOST, side.budget // (8 * _MOST))
    index = np.arange(n) if n <= count else np.linspace(0, n - 1, count).astype(np.int64)
    candidates = side.chosen(beside(index, side.like, np.int64))
    marks = choose_landmarks(side, candidates, _PIVOT[precision], _MOST)
    if marks.is_exhausted:
        return None
    parts = [marks.values(rows) for rows in batches(n, chunk_rows(side, marks.size))]
    xp = array_namespace(side.like)
    F = xp.concat([values for values, _ in parts])
    left_out = xp.sum(xp.stack([xp.sum(missing) for _, missing in parts]))
    F = F - xp.mean(F, axis=0)
    rest, C = float(to_host(left_out)), to_host(F.T @ F)
    trace = float(np.trace(C))
    if not rest <= max(_LEFT_OUT[precision], 8.0 * marks.size * np.finfo(float).eps) * trace:
        return None
    weights, W = np.linalg.eigh(C)
    keep = np.cumsum(weights) > _LEFT_OUT[precision] * trace
    signs = np.full(int(np.count_nonzero(keep)), float(side.definite))
    return Thin(F @ beside(W[:, keep], F), beside(signs, F))


def principal_columns(side: DeviceSide, sums: SideSums, which: int) -> Thin:
    """Features of all rows along the principal axes of one side, in the dtype of the rows."""
    axes: PrincipalAxes = principal_axes(sums, which, side.budget)
    features, like = sums.features[which], sums.features[which].values(slice(0, 1))[0]
    mean, projection = beside(axes.mean, like), beside(axes.projection, like)
    size = chunk_rows(side, features.size + axes.signs.size)
    parts = [
        in_dtype((features.values(rows)[0] - mean) @ projection, side.dtype)
        for rows in batches(side.n_samples, size)
    ]
    values = array_namespace(like).concat(parts)
    return Thin(values, beside(axes.signs, values), axes.dropped)
