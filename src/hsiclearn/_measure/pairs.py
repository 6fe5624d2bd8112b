"""The sums from all pairs of rows, exactly: dense where they are few, else in tiles."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .._arrays import FloatArray
from .._engines import Block, Schedule, Sums, Workspace
from .._threads import with_single_threaded_blas
from .side import AbstractSide
from .sums import CenteredSums, centre_in_place, dense_sums

__all__ = ["exact_sums", "sums_in_tiles"]

_TYPICAL = 200  # rows that tell the typical kernel value


@with_single_threaded_blas
def exact_sums(x: AbstractSide, y: AbstractSide) -> CenteredSums:
    """From two full matrices: 16 n^2 bytes."""
    return dense_sums(centre_in_place(x.matrix()), centre_in_place(y.matrix()))


@with_single_threaded_blas
def sums_in_tiles(x: AbstractSide, y: AbstractSide, n_threads: int | None = None) -> CenteredSums:
    r"""One pass over the symmetric half of the pairs, in threads and in bounded memory.

    ``Tr(Kc Lc) = sum K o L - (2/n) k.l + (1'k)(1'l)/n^2`` with row sums k and l. A typical value
    is subtracted from each K first: centring removes it anyway, and digits are not lost to it.
    """
    n, typical = x.n_samples, (_typical_value(x), _typical_value(y))

    def task(blocks: Iterable[Block], workspace: Workspace) -> Sums:
        products, row_sums, diagonals = np.zeros(3), np.zeros((2, n)), np.zeros((2, n))
        for rows, cols in blocks:
            K, L = x.tile(rows, cols, workspace[0]), y.tile(rows, cols, workspace[1])
            K -= typical[0]
            L -= typical[1]
            both = 1.0 if rows == cols else 2.0
            products += both * np.array([np.vdot(K, L), np.vdot(K, K), np.vdot(L, L)])
            for sums, tile in zip(row_sums, (K, L), strict=True):
                sums[rows] += tile @ np.ones(tile.shape[1])
                if rows != cols:
                    sums[cols] += np.ones(tile.shape[0]) @ tile
            if rows == cols:
                diagonals[:, rows] = K.diagonal(), L.diagonal()
        return products, row_sums, diagonals

    return _centred(n, *Schedule(n, n_threads=n_threads).sum_over(task))


def _typical_value(side: AbstractSide) -> float:
    some = np.unique(np.linspace(0, side.n_samples - 1, _TYPICAL).astype(np.intp))
    return float(side.take(some).matrix().mean())


def _centred(
    n: int, products: FloatArray, row_sums: FloatArray, diagonals: FloatArray
) -> CenteredSums:
    """Sums of centred matrices from those of the matrices as they are."""
    total = row_sums.sum(axis=1)
    inner = row_sums @ row_sums.T
    xy, xx, yy = (
        float(product - 2.0 / n * inner[i, j] + total[i] * total[j] / n**2)
        for product, (i, j) in zip(products, ((0, 1), (0, 0), (1, 1)), strict=True)
    )
    k, ell = diagonals - 2.0 / n * row_sums + (total / n**2)[:, None]
    return CenteredSums(
        n,
        xy,
        xx,
        yy,
        trace_x=float(k.sum()),
        trace_y=float(ell.sum()),
        diagonal_xy=float(k @ ell),
        diagonal_xx=float(k @ k),
        diagonal_yy=float(ell @ ell),
    )
