r"""Numbers as sums of half-precision ones, so that matrix units multiply them exactly.

``z = h + m`` with h the nearest half-precision number and m what is left: 22 bits. Of a product of
two such numbers ``m m'`` is left out, 2^-24 of it. The exponent of a pair is one product of rows::

    -|z_i - z_j|^2 / 2 = z_i . z_j + n_i + n_j,      n = -|z|^2 / 2 = 16 (n1 + n2 + n3)
    a_i = [h, h, m, n1, n2, n3, 16, 16, 16]          b_j = [h, m, h, 16, 16, 16, n1, n2, n3]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._arrays import FloatArray

Tensor = Any

FARTHEST = 400.0
"""Units: rows farther out are drawn in to there. A Gaussian of them is nothing to all others, but
for rows that are far out together: what an engine measures of its error has those in it."""

_LARGEST = 2.0**13  # of entries after scaling: sums of tiles stay far within single precision
_UNIT = 16.0  # of parts of the norm, whose half of the square of the farthest must be a half
_NOTHING = -60000.0  # parts of the exponent of a row that is only there to fill a block


def torch_of(x: Tensor) -> Any:
    """The library, which whoever has a tensor has loaded."""
    import torch

    return torch


def halves(x: Tensor) -> tuple[Tensor, Tensor]:
    """``h, m`` in half precision with ``h + m ~ x``."""
    high = x.half()
    return high, (x - high.to(x.dtype)).half()


def side_by_side(parts: list[Tensor]) -> Tensor:
    """Columns of halves, in a width that matrix units take: zeros after them."""
    torch = torch_of(parts[0])
    rows = torch.cat(parts, dim=1)
    return torch.nn.functional.pad(rows, (0, width_of(rows.shape[1]) - rows.shape[1])).contiguous()


def width_of(columns: int) -> int:
    """A power of two that holds so many columns, 16 at least."""
    return max(16, 1 << (columns - 1).bit_length())


def exponents(z: Tensor, is_there: Tensor, lift: float = 0.0) -> tuple[Tensor, Tensor]:
    """``a, b`` of rows in double precision: ``a_i . b_j = lift - |z_i - z_j|^2 / 2``.

    Of rows that are not there it is so low that no kernel has a value.
    """
    torch = torch_of(z)
    size = z.norm(dim=1, keepdim=True).clamp(min=1e-300)
    h, m = halves(z * (FARTHEST / size).clamp(max=1.0))
    norm = -0.5 * (h.double() + m.double()).square().sum(dim=1, keepdim=True)
    unit = torch.full_like(h[:, :1], _UNIT)

    def thirds(n: Tensor) -> list[Tensor]:
        n = torch.where(is_there[:, None], n / _UNIT, torch.full_like(n, _NOTHING))
        first = n.half()
        return [first, *halves(n - first.double())]

    a = side_by_side([h, h, m, *thirds(norm + lift), unit, unit, unit])
    return a, side_by_side([h, m, h, unit, unit, unit, *thirds(norm)])


def dot_products(left: Tensor, right: Tensor) -> tuple[Tensor, Tensor]:
    """Rows whose dot products are those of ``left`` and ``right``, the small parts first."""
    (h, m), (k, n) = halves(left), halves(right)
    return side_by_side([m, h, h]), side_by_side([k, n, k])


def lifted_products(left: Tensor, right: Tensor) -> tuple[Tensor, Tensor]:
    """The same of numbers up to 1, 2^26 times as large: far below 1 halves have few digits."""
    return dot_products(_LARGEST * left, _LARGEST * right)


def column_units(largest: FloatArray) -> FloatArray:
    """Powers of two that bring columns of such largest entries to 2^13 or just below."""
    exponent = np.floor(np.log2(_LARGEST / np.maximum(largest, 1e-30)))
    return np.exp2(np.clip(exponent, -100.0, 100.0))
