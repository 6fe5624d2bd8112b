"""When an objective is flat: below what its Phi and Phidot are rounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._rows import ArrayRows, summarise
from .rounding import rounding_of_phi

if TYPE_CHECKING:
    from .objective import Objective

_NOTHING = 1e-12  # of |Phi(0)|
_SAME = 8.0 * float(np.finfo(float).eps)
_BENT = 1e-10  # of |Phi(0)|: Phidot is hundred times as large at most


@dataclass(frozen=True)
class Flatness:
    """What ``|Phi|`` and ``|Phidot[Z] W|``, Z a unit direction, exceed if there is anything.

    Either all pairs are far outside the kernel's reach, and Phi is nothing beside Phi(0); or Gamma
    takes everything away, as for a target that is balanced over the rows: then Phi(0) itself is
    rounding, and is measured by what it was summed up from.
    """

    phi: float
    phi_dot: float

    @staticmethod
    def of(objective: Objective, rtol: float) -> Flatness:
        """One pass over the rows where they are in memory; elsewhere ``|Phi(0)|`` has to do.

        ``rtol`` is that of an engine in linear time, which is off by that share of
        ``|Phi(0)| |f''(0)| |x|^2 / |f'(0)|`` where all pairs add up to exp(-5000).
        """
        size = objective.norm_at_zero
        phi = _NOTHING * size
        if isinstance(objective.rows, ArrayRows):
            W = np.zeros((objective.n_features, 1))
            phi = max(phi, rounding_of_phi(objective.rows, objective.gamma, objective.kernel, W))
        if _is_one_row(objective):
            phi = np.inf
        bent = _BENT / _NOTHING * phi
        if objective.is_in_linear_time:
            bent = max(bent, rtol * size * _steepness(objective))
        return Flatness(phi, bent)


def _is_one_row(objective: Objective) -> bool:
    """Whether all rows are the same, and a centred Gamma takes away what they have in common.

    Asked where no slope at 0 tells it: of ``(x_i'WW'x_j)^2`` Phi(0) is 0 for any rows. The same up
    to rounding, since rows may have been turned.
    """
    zero = np.zeros(1)
    if any(np.any(kernel.df(zero)) for _, kernel in objective.kernel.terms):
        return False
    seen = summarise(objective.rows)
    apart = float(np.max(seen.highest - seen.lowest))
    size = float(np.max(np.abs([seen.lowest, seen.highest])))
    return apart <= _SAME * size and objective.gamma.is_centered


def _steepness(objective: Objective) -> float:
    """``|f''(0)| |x|^2 / |f'(0)|`` of rows as far apart as any; 0 where a slope at 0 is."""
    zero = np.zeros(1)
    at_zero = [(k.df(zero), k.d2f(zero)) for _, k in objective.kernel.terms]
    slopes, bends = (np.abs(np.array(values, dtype=float)) for values in zip(*at_zero, strict=True))
    if slopes.min() == 0.0:
        return 0.0
    seen = summarise(objective.rows)
    return float((bends / slopes).max() * np.sum((seen.highest - seen.lowest) ** 2))
