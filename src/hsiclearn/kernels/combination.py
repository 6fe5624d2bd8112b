"""Weighted sums of kernels: ``2*k1 + k2``, ``-k``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

from .._arrays import Array
from ..exceptions import InvalidKernelError
from ._base import AbstractKernel
from ._pairs import Pair


@final
@dataclass(frozen=True)
class Combination(AbstractKernel):
    """``k = sum_t weight_t k_t``, where the terms may differ in pair type.

    Positive weights keep a positive definite kernel positive definite; a negative weight
    (``-k``) turns the objective round, which is what ``Squared`` and ``Multiquadratic`` need.
    Written with ``+``, ``*`` and unary ``-`` rather than built by hand.
    """

    parts: tuple[tuple[float, AbstractKernel], ...]

    def __post_init__(self) -> None:
        for weight, kernel in self.parts:
            if weight == 0 or not math.isfinite(weight):
                raise InvalidKernelError(
                    f"The weight of a kernel in a sum must be finite and not 0. Got {weight!r} "
                    f"for {kernel!r}. Leave the term out instead."
                )

    @property
    def terms(self) -> tuple[tuple[float, AbstractKernel], ...]:
        """The weighted terms."""
        return self.parts

    @property
    def pair(self) -> Pair:  # type: ignore[override]
        """The pair type, where all terms share one."""
        pairs = {kernel.pair for _, kernel in self.parts}
        if len(pairs) > 1:
            raise InvalidKernelError(
                "This sum mixes inner-product and difference kernels, so it is no function of a "
                "single beta. Evaluate its terms one by one."
            )
        return pairs.pop()

    def f(self, beta: Array) -> Array:
        """The kernel's value, for terms of one pair type."""
        return self._sum("f", beta)

    def df(self, beta: Array) -> Array:
        """The first derivative."""
        return self._sum("df", beta)

    def d2f(self, beta: Array) -> Array:
        """The second derivative."""
        return self._sum("d2f", beta)

    def _sum(self, name: str, beta: Array) -> Array:
        _ = self.pair
        first, *rest = (weight * getattr(kernel, name)(beta) for weight, kernel in self.parts)
        return sum(rest, first)

    def __repr__(self) -> str:
        """The sum as it would be written."""
        return " + ".join(f"{weight:g}*{kernel!r}" for weight, kernel in self.parts)
