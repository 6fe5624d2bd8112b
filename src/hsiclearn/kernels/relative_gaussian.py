"""The Gaussian kernel with a scale per row."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import final

from .._arrays import Array, FloatArray
from ..exceptions import InvalidKernelError
from ._base import AbstractKernel, Scaled, check_positive
from ._neighbours import NeighbourScales
from ._pairs import DIFFERENCE
from .gaussian import Gaussian

_UNIT = Gaussian(1.0)


@final
@dataclass(frozen=True)
class RelativeGaussian(AbstractKernel):
    """``f(b) = exp(-b s_i s_j / 2)`` on differences, ``s_i = 1/sigma_i``.

    ``sigma_i = max(d_i, floor * median_j d_j)``, where d_i is the distance of row i to its k-th
    neighbour and the median is the upper one. The floor keeps duplicate rows from taking a scale
    of zero; where that median is itself zero, the 0.9 quantile takes its place.

    The neighbours are those in the space of all columns, except in the clustering estimators:
    there they are those of the projected rows, and the scales move with W.

    Parameters
    ----------
    n_neighbors : int, default=7
        The neighbour k >= 1 that sets a row's scale (fewer rows: the last neighbour there is).
    floor : float, default=0.5
        Smallest scale, as a share of the median scale.
    """

    n_neighbors: int = 7
    floor: float = 0.5
    pair = DIFFERENCE
    has_row_scales = True

    def __post_init__(self) -> None:
        check_positive("RelativeGaussian", "floor", self.floor)
        if not isinstance(self.n_neighbors, Integral) or self.n_neighbors < 1:
            raise InvalidKernelError(
                "RelativeGaussian needs an integer `n_neighbors` >= 1. "
                f"Got n_neighbors={self.n_neighbors!r}."
            )

    def scales_of(self, rows: FloatArray) -> NeighbourScales:
        """The scales with all that is needed to differentiate them."""
        return NeighbourScales.of(rows, int(self.n_neighbors), float(self.floor))

    def f(self, beta: Array) -> Array:
        """``exp(-t / 2)`` at ``t = s_i s_j b``."""
        return _UNIT.f(beta)

    def df(self, beta: Array) -> Array:
        """``-f / 2``; the factor ``s_i s_j`` is the tile's."""
        return _UNIT.df(beta)

    def d2f(self, beta: Array) -> Array:
        """``f / 4``; the factor ``(s_i s_j)^2`` is the tile's."""
        return _UNIT.d2f(beta)

    def jet(self, beta: Array, order: int) -> tuple[Scaled, ...]:
        """One exponential serves all three."""
        return _UNIT.jet(beta, order)
