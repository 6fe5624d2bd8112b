r"""Numbers as sums of half-precision ones, so that matrix units multiply them exactly.

``z = h + m`` with h the nearest half-precision number and m what is left: 22 bits. Of a product of
two such numbers ``m m'`` is left out, 2^-24 of it. The exponent of a pair is one product of rows::

    -|z_i - z_j|^2 / 2 = z_i . z_j + n_i + n_j,      n = -|z|^2 / 2 = n1 + n2 + n3
    a_i = [h, h, m, n1, n2, n3, 1, 1, 1]             b_j = [h, m, h, 1, 1, 1, n1, n2, n3]
"""

from __future__ import annotations

from typing import Any

Tensor = Any

_LARGEST = 2.0**13  # of entries after scaling: sums of tiles stay far within single precision
_NOTHING = -60000.0  # exponent of a row that is only there to fill a block


def halves(x: Tensor) -> tuple[Tensor, Tensor]:
    """``h, m`` in half precision with ``h + m ~ x``."""
    high = x.half()
    return high, (x - high.to(x.dtype)).half()


def padded(parts: list[Tensor], width: int) -> Tensor:
    """Columns side by side, zeros after them, in memory of its own."""
    import torch

    rows = torch.cat(parts, dim=1)
    out = torch.zeros((rows.shape[0], width), dtype=torch.float16, device=rows.device)
    out[:, : rows.shape[1]] = rows
    return out


def width_of(columns: int) -> int:
    """A power of two that holds so many columns, 16 at least."""
    return max(16, 1 << (columns - 1).bit_length())


def exponents(z: Tensor, is_there: Tensor, lift: float) -> tuple[Tensor, Tensor]:
    """``a, b`` of rows in double precision; ``2^lift`` times the kernel, 0 of rows not there."""
    import torch

    h, m = halves(z)
    rounded = h.double() + m.double()
    norm = -0.5 * (rounded * rounded).sum(dim=1, keepdim=True)
    left = torch.where(is_there[:, None], norm, torch.full_like(norm, _NOTHING))
    width, one = width_of(3 * z.shape[1] + 6), torch.ones_like(norm, dtype=torch.float16)

    def thirds(n: Tensor) -> list[Tensor]:
        first = n.half()
        second, third = halves(n - first.double())
        return [first, second, third]

    a = padded([h, h, m, *thirds(left + lift), one, one, one], width)
    b = padded([h, m, h, one, one, one, *thirds(left)], width)
    return a, b


def products(left: Tensor, right: Tensor) -> tuple[Tensor, Tensor]:
    """Rows whose dot products are those of ``left`` and ``right``, as sums of halves."""
    (h, m), (k, n) = halves(left), halves(right)
    width = width_of(3 * left.shape[1])
    return padded([m, h, h], width), padded([k, n, k], width)


def column_units(largest: Tensor) -> Tensor:
    """Powers of two that bring columns of such largest entries to 2^13 or just below."""
    import torch

    exponent = torch.floor(torch.log2(_LARGEST / largest.clamp(min=1e-30)))
    return torch.exp2(exponent)
