"""One visit of the pairs by the fused kernel: what it is given, what it leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...kernels import AbstractKernel
from .layout import BM, BN, PairLayout
from .splits import Tensor, torch_of, width_of

_WIDEST = 64  # columns of V that one program has
_WARPS, _STAGES = 4, 2  # measured
_TO_BASE_2 = float(np.sqrt(np.log2(np.e)))


class Halves(NamedTuple):
    """Columns of all places as sums of halves, each in a unit of its own."""

    high: Tensor
    low: Tensor
    units: Tensor  # (k,)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.units.shape[0])

    def doubles(self, places: slice) -> Tensor:
        """Some rows of the columns."""
        k = self.width
        return (self.high[places, :k].double() + self.low[places, :k].double()) / self.units


class Profile(NamedTuple):
    """A derivative of a kernel as the fused one has it: ``size P``, z in units of ``unit``."""

    size: float
    unit: float
    power: float | None  # None of a Gaussian

    @classmethod
    def of(cls, kernel: AbstractKernel, order: int) -> Profile | None:
        """None of a kernel that is neither a Gaussian nor a power."""
        if kernel.has_row_scales or not kernel.pair.is_difference:
            return None
        if kernel.rate is not None:
            unit = float((-0.5 / kernel.rate) ** 0.5)
            return cls(kernel.rate**order, unit / _TO_BASE_2, None)
        if kernel.power is None:
            return None
        size, unit, exponent = kernel.power.slope(order)
        return cls(size, unit**0.5, exponent)


class Exponents(NamedTuple):
    """Rows whose dot products are exponents, and what a pair makes of one."""

    a: Tensor
    b: Tensor
    power: float | None
    kappa: float


class Sums(NamedTuple):
    """Of one pass, on the device: what ``use`` made of ``S V``, in parts, and sums over rows."""

    found: list[Any]
    degree: Tensor
    values: Tensor | None


class PairsPass(NamedTuple):
    """One visit of the pairs."""

    layout: PairLayout
    pairs: Exponents
    columns: Halves
    dots: tuple[Tensor, Tensor] | None
    half: bool
    products: int

    def over(self, chunks: Iterator[slice], use: Callable[[slice, Tensor], Any]) -> Sums:
        """Sums of what ``use`` makes of ``S V``, chunk by chunk, and the sums over rows."""
        from ._triton import FIXED, LIFT

        torch, n = torch_of(self.pairs.a), self.layout.n_places
        rows, values = (
            torch.zeros(n, dtype=torch.float32, device=self.pairs.a.device) for _ in range(2)
        )
        down = torch.zeros(n, dtype=torch.int64, device=self.pairs.a.device)
        found = []
        for places in chunks:
            out = self._launch(places, rows, values, down)[:, : self.columns.width]
            found.append(use(places, out.double() / (2.0**LIFT * self.columns.units)))
        degree = rows.double() / 2.0**LIFT
        if self.half:
            degree = degree + down.double() / 2.0 ** (LIFT + FIXED)
        with_values = self.half and self.pairs.power is not None
        return Sums(found, degree, values.double() / 2.0**LIFT if with_values else None)

    def _launch(self, places: slice, rows: Tensor, values: Tensor, down: Tensor) -> Tensor:
        from ._triton import pairs_kernel

        torch, layout, columns = torch_of(self.pairs.a), self.layout, self.columns
        n_rows, padded = places.stop - places.start, int(columns.high.shape[1])
        wide = min(padded, _WIDEST)
        out = torch.empty((n_rows, padded), dtype=torch.float32, device=self.pairs.a.device)
        a, b = self.pairs.a, self.pairs.b
        sides = [layout.factors, layout.exponents, self.dots]
        u, y, d = (side or (a, a) for side in sides)
        widths = [0 if side is None else int(side[0].shape[1]) for side in sides]
        has_classes = layout.classes is not None
        pairs_kernel[(n_rows // BM, padded // wide)](
            *(a, b, *u, *y, *d),
            *(columns.high, columns.low),
            *((layout.classes, layout.table) if has_classes else (a, a)),
            *(out, rows, values, down),
            *(places.start // BM, layout.n_places),
            *((layout.table.shape[0] if layout.table is not None else 0), padded, padded),
            *(2.0 * self.pairs.kappa, self.pairs.power or 0.0),
            KA=int(a.shape[1]),
            **dict(zip(("KU", "KY", "KD"), widths, strict=True)),
            BM=BM,
            BN=BN,
            BD=wide,
            HALF=self.half,
            GAUSSIAN=self.pairs.power is None,
            CLASSES=has_classes,
            WITH_VALUES=self.half and self.pairs.power is not None,
            PRODUCTS=self.products,
            num_warps=_WARPS,
            num_stages=_STAGES,
        )
        return out


def padded_width(columns: int) -> int:
    """The columns of V with those that fill up the last of a program's."""
    return width_of(columns) if columns <= _WIDEST else -(-columns // _WIDEST) * _WIDEST
