"""Rows in an order that suits tiles, and a Gamma as a tile of the fused kernel computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._arrays import FloatArray
from ..._devices import to_host
from ...gamma import AbstractGamma, GaussianPairs
from .splits import Tensor, dot_products, exponents, torch_of

BM, BN = 128, 32  # rows and columns of a tile; measured
MOST_FACTORS = 40
"""Columns of Gamma's factors: three halves of each make one product of 128."""

_FILLED = 0.25  # of the rows: so many more at most, so that no tile has two classes ...
_FEW = 2**16  # ... unless they are few all the same: samples of rows of many classes
_TO_BASE_2 = float(np.sqrt(np.log2(np.e)))

Rows = tuple[Tensor, Tensor]
"""Rows of the one side and of the other, whose dot products are meant."""


@dataclass(frozen=True, eq=False)
class PairLayout:
    """Where every row of the table stands, and Gamma, ``size`` times what tiles compute.

    ``source`` is the row at each place, ``is_there`` false at places that only fill a block;
    ``diagonal`` is the sum of Gamma_ii.
    """

    source: Tensor
    is_there: Tensor
    diagonal: float
    size: float = 1.0
    classes: Tensor | None = None  # of every block of columns
    table: Tensor | None = None
    factors: Rows | None = None
    exponents: Rows | None = None

    @property
    def n_places(self) -> int:
        """Rows with those that fill."""
        return int(self.source.shape[0])


def layout_of(gamma: AbstractGamma, like: Tensor) -> PairLayout | None:
    """None where Gamma is no table, no factors of few columns and no Gaussian of a target."""
    if (known := gamma.class_table) is not None:
        found = _by_class(*known, like)
        if found is not None:
            return found
    if (pairs := gamma.gaussian_pairs) is not None:
        return _of_target(pairs, like)
    if not _has_few_factors(gamma):
        return None
    U, s = gamma.factors(MOST_FACTORS)
    return _of_factors(U, s, like) if s.size else None


def can_lay_out(gamma: AbstractGamma) -> bool:
    """Whether there is a layout, without making it."""
    if (known := gamma.class_table) is not None and _fits_by_class(np.bincount(known[0])):
        return True
    return gamma.gaussian_pairs is not None or _has_few_factors(gamma)


def _has_few_factors(gamma: AbstractGamma) -> bool:
    factor = gamma.row_factor()
    return factor is not None and factor.signs.size <= MOST_FACTORS


def _fits_by_class(counts: Any) -> bool:
    """Whether few places would only fill tiles."""
    filled = -(-counts // BM) * BM
    return int(filled.sum()) <= max((1.0 + _FILLED) * int(counts.sum()) + BM, _FEW)


def _by_class(codes: Any, table: FloatArray, like: Tensor) -> PairLayout | None:
    """Rows by class, each class filled up to whole tiles."""
    torch = torch_of(like)
    n, c = len(codes), table.shape[0]
    there = torch.as_tensor(np.asarray(codes), device=like.device).long()
    counts = torch.bincount(there, minlength=c)
    if not _fits_by_class(to_host(counts)):
        return None
    filled = (counts + BM - 1) // BM * BM
    order = torch.argsort(there, stable=True)
    own = there[order]
    starts, before = filled.cumsum(0) - filled, counts.cumsum(0) - counts
    places = starts[own] + torch.arange(n, device=like.device) - before[own]
    source = torch.zeros(int(filled.sum()), dtype=torch.int64, device=like.device)
    is_there = torch.zeros(source.shape, dtype=torch.bool, device=like.device)
    source[places], is_there[places] = order, True
    blocks = torch.arange(c, device=like.device).repeat_interleave(filled // BN).int()
    size = float(np.abs(table).max()) or 1.0
    numbers = torch.as_tensor(table / size, dtype=torch.float32, device=like.device)
    diagonal = float(np.diag(table) @ to_host(counts))
    return PairLayout(source, is_there, diagonal, size, classes=blocks, table=numbers.contiguous())


def _as_they_are(n: int, like: Tensor) -> tuple[Tensor, Tensor]:
    """Rows in their order, filled up at the end."""
    torch = torch_of(like)
    places = torch.arange(-(-n // BM) * BM, device=like.device)
    return places.clamp(max=n - 1), places < n


def _of_factors(U: FloatArray, s: FloatArray, like: Tensor) -> PairLayout:
    source, is_there = _as_they_are(U.shape[0], like)
    torch = torch_of(like)
    right = torch.as_tensor(U, dtype=torch.float64, device=like.device)[source]
    left = right * torch.as_tensor(s, dtype=torch.float64, device=like.device)
    sizes = [float(side.abs().max()) or 1.0 for side in (left, right)]
    factors = dot_products(left / sizes[0], right / sizes[1])
    diagonal = float(np.einsum("ik,k,ik->", U, s, U))
    return PairLayout(source, is_there, diagonal, sizes[0] * sizes[1], factors=factors)


def _of_target(pairs: GaussianPairs, like: Tensor) -> PairLayout:
    """``2^(y_i . x_j) - k_i - k_j + c``: the means are a product of three columns."""
    source, is_there = _as_they_are(pairs.Y.shape[0], like)
    torch = torch_of(like)
    Y, k = (
        torch.as_tensor(np.asarray(part), dtype=torch.float64, device=like.device)[source]
        for part in (pairs.Y, pairs.means)
    )
    one = torch.ones_like(k)
    left = torch.stack([-k, one, pairs.mean * one], dim=1)
    right = torch.stack([one, -k, one], dim=1)
    z = (Y - Y.mean(dim=0)) * _TO_BASE_2
    everywhere = torch.ones_like(is_there)
    return PairLayout(
        source,
        is_there,
        pairs.factor * float((1.0 + pairs.mean - 2.0 * pairs.means).sum()),
        pairs.factor,
        factors=dot_products(left, right),
        exponents=exponents(z, everywhere),
    )
