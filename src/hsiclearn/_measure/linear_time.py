r"""The sums in linear time: one pass over the rows, with features on both sides.

For ``K ~ F diag(s) F'`` and ``L ~ G diag(t) G'`` let p and q be the diagonals of the two. Every
sum that is needed is an entry, or a product of entries, of one Gram matrix ``A'A`` of ::

    A = [F, p, G, q, 1]                                     n x (D_x + D_y + 3)

and of ``RA``, R the roots of their weights, where rows count differently (:mod:`.weighted`).
How far off are they? Let ``dK = K - F diag(s) F'``, and write |.|_1 for the sum of the absolute
eigenvalues and |.|_2 for the largest of them. As ``|Tr(MN)| <= |M|_1 |N|_2``, ::

    |Tr(Kc Lc) - Tr(K~c L~c)| <= |dK|_1 (|L~c|_2 + |dL|_1) + |K~c|_2 |dL|_1

Where the kernels are positive definite all three traces on the right are sums over rows, and
``Tr(Kc Lc) >= Tr(K~c L~c)``: the sum is never too large.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from .._arrays import FloatArray
from .._columns import AbstractColumn, Column
from .._rows import batches
from .._threads import map_in_order, with_single_threaded_blas
from .features import RowFeatures
from .sums import CenteredSums

_CHUNK_BYTES = 16 * 2**20  # of A, per thread


@dataclass(frozen=True, eq=False)
class SideSums:
    """The Gram matrix of A and what is read off it.

    ``shift`` holds what was subtracted from the features before: about their means. ``missing`` is
    what the features leave out of each side, ``|dK|_1``.
    """

    n: float
    gram: FloatArray
    features: tuple[RowFeatures, RowFeatures]
    shift: tuple[FloatArray, FloatArray]
    missing: FloatArray

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of features of either side."""
        return self.features[0].size, self.features[1].size

    def _place(self, side: int) -> slice:
        """Where ``[F, p]`` or ``[G, q]`` is among the columns of A."""
        first = 0 if side == 0 else self.features[0].size + 1
        return slice(first, first + self.features[side].size + 1)

    def mean(self, side: int) -> FloatArray:
        """Of the shifted features."""
        return self.gram[-1, self._place(side)][:-1] / self.n

    def covariance(self, i: int, j: int) -> FloatArray:
        """``F'HG`` of the features F of side i and G of side j."""
        gram = self.gram[self._place(i), self._place(j)][:-1, :-1]
        return gram - self.n * np.outer(self.mean(i), self.mean(j))

    @property
    def guaranteed(self) -> bool:
        """Whether what the features leave out is known."""
        return all(side.is_bounded for side in self.features)

    @property
    def one_sided(self) -> bool:
        """Whether sums can only be too small, as with positive definite kernels."""
        return self.guaranteed and all(np.all(side.signs > 0.0) for side in self.features)

    @cached_property
    def _norms(self) -> FloatArray:
        """``|K~c|_2`` of each side, which weighs what the other leaves out."""
        largest = [np.linalg.eigvalsh(self.covariance(i, i))[-1] for i in (0, 1)]
        return np.maximum(largest, 0.0)

    def errors(self) -> FloatArray:
        """Largest errors of ``Tr(Kc Lc)``, of either side with either."""
        norms = self._norms
        return np.outer(self.missing, norms + self.missing) + np.outer(norms, self.missing)

    def centred(self) -> CenteredSums:
        """The sums over pairs."""
        products, traces, diagonals = np.empty((2, 2)), np.empty(2), np.empty((2, 2))
        signs = [side.signs for side in self.features]
        u = [_diagonal_form(signs[i], self.mean(i)) for i in (0, 1)]
        places = [np.r_[self._place(i), self.gram.shape[0] - 1] for i in (0, 1)]
        for i, j in ((0, 0), (0, 1), (1, 1)):
            C = self.covariance(i, j)
            products[i, j] = products[j, i] = signs[i] @ (C * C) @ signs[j]
            form = u[i] @ self.gram[np.ix_(places[i], places[j])] @ u[j]
            diagonals[i, j] = diagonals[j, i] = form
            if i == j:
                traces[i] = signs[i] @ C.diagonal()
        return CenteredSums(self.n, products, traces, diagonals)


def _diagonal_form(signs: FloatArray, mean: FloatArray) -> FloatArray:
    """``Kc_ii = p_i - 2 f_i.(s a) + a.(s a)`` as a product with ``[f_i, p_i, 1]``."""
    return np.concatenate([-2.0 * signs * mean, [1.0, float(signs @ (mean * mean))]])


@with_single_threaded_blas
def feature_sums(
    x: RowFeatures,
    y: RowFeatures,
    n: int,
    column: AbstractColumn | None = None,
    weights: Column | None = None,
) -> SideSums:
    """One pass over the rows: in threads, or where a column of them is."""
    first = slice(0, min(n, 1000))
    shift = x.values(first)[0].mean(axis=0), y.values(first)[0].mean(axis=0)
    width = x.size + y.size + 3

    def task(rows: slice) -> _Part:
        A, missing = np.empty((rows.stop - rows.start, width)), np.empty(2)
        v = None if weights is None else weights[rows]
        start = 0
        for i, side in enumerate((x, y)):
            F, left_out = side.values(rows)
            missing[i] = left_out.sum() if v is None else left_out @ v
            part = A[:, start : start + side.size]
            np.subtract(F, shift[i], out=part)
            np.einsum("ij,ij,j->i", part, part, side.signs, out=A[:, start + side.size])
            start += side.size + 1
        A[:, -1] = 1.0
        if v is not None:
            A *= np.sqrt(v)[:, None]
        return A.T @ A, missing

    size = max(256, min(8192, _CHUNK_BYTES // (8 * width)))

    def share(place: slice, _: Any) -> _Part:
        parts = (
            slice(place.start + rows.start, place.start + rows.stop)
            for rows in batches(place.stop - place.start, size)
        )
        return reduce(_add, map_in_order(task, parts))

    whole = slice(0, n)
    total = share(whole, None) if column is None else column.fold(share, _add, "features")
    gram, missing = total
    return SideSums(n if weights is None else float(gram[-1, -1]), gram, (x, y), shift, missing)


_Part = tuple[FloatArray, FloatArray]
"""Of some rows: ``A'A``, and what the features leave out of either side."""


def _add(total: _Part, part: _Part) -> _Part:
    gram, missing = total
    gram += part[0]
    missing += part[1]
    return total
