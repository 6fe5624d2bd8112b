r"""Features of rows on a device: kernel values at landmarks, ``K ~ s F F'``.

Landmarks are the pivots of a Cholesky factorisation of the kernel on candidates, all of it there.
A kernel that is definite between centred rows only is seen from a row o::

    k(x, z) - k(x, o) - k(o, z) + k(o, o)

which is definite everywhere, and which centring cannot tell from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import solve_triangular

from ..._arrays import Array, FloatArray, array_namespace
from ..._devices import beside, to_host, within_memory
from ..._engines.features import Accuracy
from ..._rows import batches
from ..features import RowFeatures
from ..linear_time import SideSums
from .numbers import doubles

if TYPE_CHECKING:
    from .sides import DeviceSide, Part

_CANDIDATES = 8192  # rows among which landmarks are chosen
_EPS = float(np.finfo(np.float64).eps)
_COPIES = 4  # of a chunk of features
_FEWEST, _MOST = 1024, 2**20  # rows of a chunk


@dataclass(frozen=True, eq=False)
class Landmarks:
    """Rows z and a factor of the kernel between them, ``L L'``, in double precision.

    ``is_exhausted`` where more of them would be needed for the accuracy asked for.
    """

    side: DeviceSide
    rows: Part
    factor: Array
    is_exhausted: bool

    @property
    def size(self) -> int:
        """Their number."""
        return int(self.factor.shape[0])

    @cached_property
    def root(self) -> Array:
        """``L^-1``."""
        L = np.tril(to_host(self.factor))
        root = solve_triangular(L, np.eye(self.size), lower=True)
        return beside(root, self.factor, np.float64)

    def values(self, place: slice) -> tuple[Array, Array]:
        """F on some rows, and what it leaves out of ``K_ii`` of each."""
        xp, part = array_namespace(self.factor), doubles(self.side.part(place))
        F = induced(self.side, part, self.rows) @ self.root.T
        diagonal = induced_diagonal(self.side, part)
        rest = xp.abs(diagonal - xp.sum(F * F, axis=1))
        rounding = 4.0 * self.size * _EPS * diagonal
        return F, xp.where(rest > rounding, rest, rounding)


def induced(side: DeviceSide, left: Part, right: Part) -> Array:
    """The definite kernel between two parts, in double precision."""
    K = side.definite * _double_block(side, left, right)
    if not side.centered_only:
        return K
    o = doubles(side.origin())
    a, b, c = (side.definite * _double_block(side, *p) for p in ((left, o), (o, right), (o, o)))
    return K - a - b + c


def induced_diagonal(side: DeviceSide, part: Part) -> Array:
    """The same of every row with itself."""
    d = side.definite * side.diagonal(part)
    if not side.centered_only:
        return d
    o = doubles(side.origin())
    across = side.definite * _double_block(side, part, o)[:, 0]
    return d - 2.0 * across + side.definite * side.diagonal(o)[0]


def _double_block(side: DeviceSide, left: Part, right: Part) -> Array:
    [K] = doubles((side.block(left, right),))
    return K


def choose_landmarks(side: DeviceSide, candidates: Part, rtol: float, limit: int) -> Landmarks:
    """Pivots, until no candidate is left with more than ``rtol`` of the largest ``k(x, x)``."""
    xp = array_namespace(side.like)
    candidates = doubles(candidates)
    rest = induced_diagonal(side, candidates)
    n = int(rest.shape[0])
    limit = min(limit, n)
    factor = xp.zeros((limit, n), dtype=xp.float64, device=rest.device)
    numbers = xp.arange(n, dtype=xp.int64, device=rest.device)
    pivots: list[Array] = []
    tol = rtol * float(to_host(xp.max(rest)))
    while len(pivots) < limit:
        place = xp.reshape(xp.argmax(rest), (1,))
        largest = xp.take(rest, place, axis=0)
        if not float(to_host(largest)[0]) > tol:
            break
        pivot = tuple(xp.take(array, place, axis=0) for array in candidates)
        column = induced(side, candidates, pivot)[:, 0]
        if m := len(pivots):
            column = column - xp.take(factor[:m, :], place, axis=1)[:, 0] @ factor[:m, :]
        column = column / xp.sqrt(largest)
        factor[m, :] = column
        rest = rest - column * column
        rest = xp.where((rest > 0.0) & (numbers != place), rest, xp.zeros_like(rest))
        pivots.append(place)
    is_exhausted = len(pivots) == limit and float(to_host(xp.max(rest))) > tol
    chosen = xp.concat(pivots)
    L = xp.take(factor[: len(pivots), :], chosen, axis=1).T
    rows = tuple(xp.take(array, chosen, axis=0) for array in candidates)
    return Landmarks(side, rows, L, is_exhausted)


def features_of(side: DeviceSide, accuracy: Accuracy, rng: np.random.Generator) -> RowFeatures:
    """Landmarks from a sample, and the features of all rows at them."""
    n = side.n_samples
    index = np.arange(n) if n <= _CANDIDATES else np.sort(rng.choice(n, _CANDIDATES, replace=False))
    candidates = side.chosen(beside(index, side.like, np.int64))
    marks = choose_landmarks(side, candidates, accuracy.rtol, accuracy.max_landmarks)
    signs = np.full(marks.size, float(side.definite))
    return RowFeatures(marks.values, signs, is_exhausted=marks.is_exhausted)


def chunk_rows(side: DeviceSide, numbers: int) -> int:
    """How many rows at a time, of each of which a pass makes so many double numbers."""
    return int(np.clip(side.budget // (8 * _COPIES * numbers), _FEWEST, _MOST))


def device_feature_sums(side: DeviceSide, x: RowFeatures, y: RowFeatures) -> SideSums:
    """One pass over the rows, as :func:`~.linear_time.feature_sums` makes it; ``side`` is either.

    What comes to the host is one matrix of features by features.
    """
    n, width = side.n_samples, x.size + y.size + 3
    xp, v = array_namespace(side.like), side.weights_there()
    first = slice(0, min(n, 1000))
    shift = [xp.mean(features.values(first)[0], axis=0) for features in (x, y)]

    def part(rows: slice) -> tuple[Array, Array]:
        columns, missing = [], []
        for features, mean in zip((x, y), shift, strict=True):
            F, left_out = features.values(rows)
            F = F - mean
            own = float(features.signs[0]) * xp.sum(F * F, axis=1)
            columns += [F, own[:, None]]
            missing.append(xp.sum(left_out if v is None else left_out * v[rows]))
        A = xp.concat([*columns, xp.ones_like(columns[1])], axis=1)
        if v is not None:
            A = A * xp.sqrt(v[rows])[:, None]
        return A.T @ A, xp.stack(missing)

    def run(size: int) -> tuple[FloatArray, FloatArray]:
        gram, missing = part(slice(0, min(size, n)))
        for rows in batches(n, size):
            if rows.start:
                more = part(rows)
                gram, missing = gram + more[0], missing + more[1]
        return to_host(gram), to_host(missing)

    gram, missing = within_memory(run, chunk_rows(side, width), _FEWEST)
    total = n if v is None else float(gram[-1, -1])
    return SideSums(total, gram, (x, y), (to_host(shift[0]), to_host(shift[1])), missing)
