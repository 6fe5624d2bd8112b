"""Does Phi_0 replace random starts? The paper says so; here is where it holds."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from hsiclearn import solve
from hsiclearn.datasets import make_planted
from hsiclearn.gamma import AbstractGamma, ClassTable
from hsiclearn.kernels import Gaussian

from .._types import FloatArray, Progress, Rows
from ..parts import markdown
from .data import DATA
from .measure import standardised
from .methods import paper_kernel

__all__ = ["StartsRow", "compare_starts", "starts_report"]

N_RANDOM = 12
_SHRINK = (1.0, 0.25)  # bandwidth over the median
_TIE = 1e-6


@dataclass(frozen=True)
class StartsRow:
    """Costs from Phi_0, from second moments, and from random starts, at one bandwidth."""

    data: str
    q: int
    shrink: float
    phi_zero: float
    second_moments: float
    random: tuple[float, ...]

    @property
    def excess(self) -> float:
        """How far Phi_0 ends above the lowest cost of all, relatively."""
        lowest = min(self.phi_zero, self.second_moments, *self.random)
        return (self.phi_zero - lowest) / abs(lowest)

    @property
    def share_as_low(self) -> float:
        """Share of random starts that end as low as Phi_0 or lower."""
        margin = _TIE * abs(self.phi_zero)
        return float(np.mean([cost <= self.phi_zero + margin for cost in self.random]))


def compare_starts(
    *,
    n_random: int = N_RANDOM,
    progress: Progress = lambda done, total, name: None,
) -> list[StartsRow]:
    """Minimise from every start, at the paper's bandwidth and at a quarter of it."""
    problems = [(name, standardised(name), d.q) for name, d in DATA.items() if d.is_small]
    problems += [
        (kind, _planted_rows(kind), q) for kind, q in (("xor", 2), ("ring", 2), ("step", 1))
    ]
    plan = [(problem, shrink) for problem in problems for shrink in _SHRINK]
    rows = []
    for i, ((name, (X, y), q), shrink) in enumerate(plan):
        progress(i, len(plan), f"{name} at {shrink:g} of the median")
        kernel, gamma = Gaussian(shrink * paper_kernel(X).bandwidth), ClassTable.centered(y)
        rows.append(_row(name, X, gamma, kernel, q, shrink, n_random))
    progress(len(plan), len(plan), "")
    return rows


def starts_report(rows: list[StartsRow]) -> str:
    """In markdown; costs are ``-Tr(Gamma K)`` with ones on the diagonal of K."""
    head = ["data", "q", "bandwidth / median", "from Phi_0", "from second moments"]
    head += ["random, lowest", "random, median", "Phi_0 above the lowest", "random as low as Phi_0"]
    body = [
        [
            *(row.data, row.q, f"{row.shrink:g}"),
            *(f"{row.phi_zero:.3f}", f"{row.second_moments:.3f}"),
            *(f"{min(row.random):.3f}", f"{np.median(row.random):.3f}"),
            *(f"{100 * row.excess:.2g} %", f"{100 * row.share_as_low:.0f} %"),
        ]
        for row in rows
    ]
    return markdown(head, body)


def _row(
    name: str,
    X: FloatArray,
    gamma: AbstractGamma,
    kernel: Gaussian,
    q: int,
    shrink: float,
    n_random: int,
) -> StartsRow:
    def cost(init: str, seed: int = 0) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where it ends is all that counts
            return solve(X, gamma, kernel, q, init=init, random_state=seed, max_iter=300).cost

    return StartsRow(
        data=name,
        q=q,
        shrink=shrink,
        phi_zero=cost("phi-zero"),
        second_moments=cost("second-moments"),
        random=tuple(cost("random", seed) for seed in range(n_random)),
    )


def _planted_rows(kind: str) -> Rows:
    X, y, _ = make_planted(kind, 300)
    return X, y
