"""How time grows with n, d and q, and how many iterations there are: the paper's other table."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from hsiclearn import Objective
from hsiclearn._engines import TiledEngine
from hsiclearn._objective import AbstractObjective, PairLoops
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian

from .._types import Progress
from ..parts import markdown
from ..processes import Watch
from .data import DATA
from .measure import MEASURES
from .solvers import REDUCERS, SolverMethod

__all__ = ["Complexity", "Exponents", "count_iterations", "measure_complexity"]

_BASE = (800, 40, 4)  # n, d, q, of which one is varied at a time
_LOOPS_BASE = (120, 40, 4)
_GROW = (1, 2, 4)
_PRINTED = {"ism+": "n^2 d t", "sm": "n^2 d q^2 t i", "dg": "n^2 d q^2 t i"}
_PRINTED_T = {"ism+": "below 5", "sm": "30 to 400", "dg": "30 to 400"}


class Exponents(NamedTuple):
    """Slopes of log time over log n, d and q: of one evaluation of cost and Phi."""

    n: float
    d: float
    q: float


@dataclass(frozen=True)
class Complexity:
    """Exponents of one evaluation in two forms, and iterations of each method on each data set."""

    tiled: Exponents
    loops: Exponents
    iterations: dict[str, dict[str, float]]

    def report(self) -> str:
        """In markdown."""
        head = ["one evaluation of cost and Phi", "n", "d", "q", "paper"]
        exponents = [
            ["matrix products (`engine='tiled'`)", *_numbers(self.tiled), "n^2 d"],
            ["two Python loops, a d x d matrix per pair", *_numbers(self.loops), "n^2 d q^2"],
        ]
        names = list(next(iter(self.iterations.values())))
        steps = [
            [
                *(key, *(f"{t:.0f}" for t in found.values())),
                *(_PRINTED_T.get(key, ""), _PRINTED.get(key, "")),
            ]
            for key, found in self.iterations.items()
        ]
        steps_head = ["iterations t, mean of its starts", *names, "paper's t", "paper's total"]
        return "\n\n".join([markdown(head, exponents), markdown(steps_head, steps)])


def measure_complexity(*, progress: Progress = lambda done, total, name: None) -> Complexity:
    """Time evaluations on random rows, and count iterations on the paper's small data sets."""
    methods = [k for k, m in REDUCERS.items() if isinstance(m, SolverMethod) and not m.in_loops]
    names = [name for name, data in DATA.items() if data.is_small]
    progress(0, 3, "matrix products")
    tiled = _exponents(_BASE, lambda objective: objective)
    progress(1, 3, "loops")
    loops = _exponents(_LOOPS_BASE, PairLoops)
    progress(2, 3, "iterations")
    iterations = {key: {name: count_iterations(key, name) for name in names} for key in methods}
    progress(3, 3, "")
    return Complexity(tiled, loops, iterations)


def count_iterations(method: str, data: str) -> float:
    """Iterations of a method on the supervised problem of the paper, the mean over its starts."""
    return float(MEASURES["supervised"](method, data, Watch())["iterations"])


def _exponents(
    base: tuple[int, int, int], form: Callable[[Objective], AbstractObjective]
) -> Exponents:
    """The slope in each of n, d and q with the others held fixed."""
    slopes = []
    for axis in range(3):
        sizes = [[v * g if i == axis else v for i, v in enumerate(base)] for g in _GROW]
        times = [_seconds(n, d, q, form) for n, d, q in sizes]
        slopes.append(float(np.polyfit(np.log(_GROW), np.log(times), 1)[0]))
    return Exponents(*slopes)


def _seconds(n: int, d: int, q: int, form: Callable[[Objective], AbstractObjective]) -> float:
    """Of one evaluation: the least of five, or of as many as fit in a second."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    W = np.linalg.qr(rng.standard_normal((d, q)))[0]
    gamma = ClassTable.centered(np.arange(n) % 3)
    pairs = partial(TiledEngine, series=False)
    objective = form(Objective(X, gamma, Gaussian(np.sqrt(2.0 * q)), pairs))
    best, began = np.inf, time.perf_counter()
    with threadpool_limits(1):
        for _ in range(5):
            start = time.perf_counter()
            _ = objective.point(W).phi
            best = min(best, time.perf_counter() - start)
            if time.perf_counter() - began > 1.0:
                break
    return best


def _numbers(exponents: Exponents) -> list[str]:
    return [f"{value:.2f}" for value in exponents]
