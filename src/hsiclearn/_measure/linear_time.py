r"""The sums in linear time: one pass over the rows, with features on both sides.

For ``K ~ F diag(s) F'`` and ``L ~ G diag(t) G'`` let p and q be the diagonals of the two. Every
sum that is needed is an entry, or a product of entries, of one Gram matrix ``A'A`` of ::

    A = [F, p, G, q, 1]                                     n x (D_x + D_y + 3)

How far off are they? Let ``dK = K - F diag(s) F'``, and write |.|_1 for the sum of the absolute
eigenvalues and |.|_2 for the largest of them. As ``|Tr(MN)| <= |M|_1 |N|_2``, ::

    |Tr(Kc Lc) - Tr(K~c L~c)| <= |dK|_1 (|L~c|_2 + |dL|_1) + |K~c|_2 |dL|_1

Where the kernels are positive definite all three traces on the right are sums over rows, and
``Tr(Kc Lc) >= Tr(K~c L~c)``: the sum is never too large.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._arrays import FloatArray
from .._threads import map_in_order, with_single_threaded_blas
from .features import RowFeatures
from .sums import CenteredSums

__all__ = ["FeatureSums", "Leftover", "feature_sums"]

_CHUNK_BYTES = 16 * 2**20  # of A, per thread


@dataclass(frozen=True)
class Leftover:
    """What features leave out: ``|dK|_1``, and ``|K~c|_2`` to weigh the other side's with."""

    missing_x: float
    missing_y: float
    norm_x: float
    norm_y: float
    guaranteed: bool
    one_sided: bool
    """Whether sums can only be too small, as they are where all kernels are positive definite."""

    @property
    def xy(self) -> float:
        """Largest error of ``Tr(Kc Lc)``."""
        return _bound(self.missing_x, self.norm_x, self.missing_y, self.norm_y)

    @property
    def xx(self) -> float:
        """Largest error of ``Tr(Kc Kc)``."""
        return _bound(self.missing_x, self.norm_x, self.missing_x, self.norm_x)

    @property
    def yy(self) -> float:
        """Largest error of ``Tr(Lc Lc)``."""
        return _bound(self.missing_y, self.norm_y, self.missing_y, self.norm_y)


def _bound(missing_x: float, norm_x: float, missing_y: float, norm_y: float) -> float:
    return missing_x * (norm_y + missing_y) + norm_x * missing_y


@dataclass(frozen=True)
class FeatureSums:
    """The Gram matrix of A and what is read off it.

    ``shift`` holds what was subtracted from the features before: about their means.
    """

    n: int
    gram: FloatArray
    x: RowFeatures
    y: RowFeatures
    shift: tuple[FloatArray, FloatArray]
    missing: tuple[float, float]

    @property
    def _places(self) -> tuple[slice, slice]:
        """Where ``[F, p]`` and ``[G, q]`` are among the columns of A."""
        middle = self.x.size + 1
        return slice(0, middle), slice(middle, middle + self.y.size + 1)

    @cached_property
    def means(self) -> tuple[FloatArray, FloatArray]:
        """Of the shifted features of either side."""
        x, y = self._places
        return self.gram[-1, x][:-1] / self.n, self.gram[-1, y][:-1] / self.n

    @cached_property
    def covariances(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """``F'HF``, ``G'HG`` and ``F'HG``."""
        a, b = self.means
        x, y = self._places
        blocks = ((x, x, a, a), (y, y, b, b), (x, y, a, b))
        xx, yy, xy = (self.gram[i, j][:-1, :-1] - self.n * np.outer(u, v) for i, j, u, v in blocks)
        return xx, yy, xy

    def leftover(self) -> Leftover:
        """How much the features leave out."""
        norm_x, norm_y = (max(float(np.linalg.eigvalsh(C)[-1]), 0.0) for C in self.covariances[:2])
        missing_x, missing_y = self.missing
        guaranteed = self.x.is_bounded and self.y.is_bounded
        positive = bool(np.all(self.x.signs > 0.0) and np.all(self.y.signs > 0.0))
        one_sided = guaranteed and positive
        return Leftover(missing_x, missing_y, norm_x, norm_y, guaranteed, one_sided)

    def centred(self) -> CenteredSums:
        """The nine numbers."""
        s, t = self.x.signs, self.y.signs
        xx, yy, xy = self.covariances
        u, v = _diagonal_form(s, self.means[0]), _diagonal_form(t, self.means[1])
        i, j = (np.r_[place, self.gram.shape[0] - 1] for place in self._places)
        return CenteredSums(
            n=self.n,
            xy=float(s @ (xy * xy) @ t),
            xx=float(s @ (xx * xx) @ s),
            yy=float(t @ (yy * yy) @ t),
            trace_x=float(s @ xx.diagonal()),
            trace_y=float(t @ yy.diagonal()),
            diagonal_xy=float(u @ self.gram[np.ix_(i, j)] @ v),
            diagonal_xx=float(u @ self.gram[np.ix_(i, i)] @ u),
            diagonal_yy=float(v @ self.gram[np.ix_(j, j)] @ v),
        )


def _diagonal_form(signs: FloatArray, mean: FloatArray) -> FloatArray:
    """``Kc_ii = p_i - 2 f_i.(s a) + a.(s a)`` as a product with ``[f_i, p_i, 1]``."""
    return np.concatenate([-2.0 * signs * mean, [1.0, float(signs @ (mean * mean))]])


@with_single_threaded_blas
def feature_sums(x: RowFeatures, y: RowFeatures, n: int) -> FeatureSums:
    """One pass over the rows, in threads."""
    first = slice(0, min(n, 1000))
    shift = x.values(first)[0].mean(axis=0), y.values(first)[0].mean(axis=0)
    width = x.size + y.size + 3

    def task(rows: slice) -> tuple[FloatArray, float, float]:
        A, missing = np.empty((rows.stop - rows.start, width)), []
        start = 0
        for side, mean in zip((x, y), shift, strict=True):
            F, left_out = side.values(rows)
            missing.append(left_out)
            part = A[:, start : start + side.size]
            np.subtract(F, mean, out=part)
            np.einsum("ij,ij,j->i", part, part, side.signs, out=A[:, start + side.size])
            start += side.size + 1
        A[:, -1] = 1.0
        return A.T @ A, missing[0], missing[1]

    gram, missing_x, missing_y = np.zeros((width, width)), 0.0, 0.0
    for part, left_x, left_y in map_in_order(task, _chunks(n, width)):
        gram += part
        missing_x += left_x
        missing_y += left_y
    return FeatureSums(n, gram, x, y, shift, (missing_x, missing_y))


def _chunks(n: int, width: int) -> Iterator[slice]:
    size = max(256, min(8192, _CHUNK_BYTES // (8 * width)))
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))
