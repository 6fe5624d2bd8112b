"""What a part of a benchmark is given where every fit is a process, and figures as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .alone import Limits, Outcome, Task, run_alone

__all__ = [
    "Bench",
    "Curve",
    "cpu_seconds",
    "end_of",
    "megabytes",
    "seconds",
]

_FEWEST = 200  # rows

Curve = list[tuple[int, Outcome]]
"""How a method fared at each number of rows."""


@dataclass(frozen=True)
class Bench:
    """How large, how often and how long; and the one way to run something.

    A bench that shrinks has fewer rows, by that factor, fewer cases, and does not repeat.
    """

    shrink: int = 1
    limit: float = 120.0
    repeats: int = 3
    tell: Callable[[str], None] = lambda name: None

    @property
    def quick(self) -> bool:
        """Whether it is only to be seen that all of it works."""
        return self.shrink > 1

    def size(self, n: float) -> int:
        """A number of rows, or of columns that go with them."""
        return max(round(n / self.shrink), _FEWEST) if self.quick else round(n)

    def some(self, items: Sequence[Any], count: int = 1) -> Sequence[Any]:
        """All of them, or the first, or the first and the last."""
        return [items[0], items[-1]][:count] if self.quick else items

    def run(self, name: str, task: Task, *, limited: bool = False, **settings: Any) -> Outcome:
        """One fit in its own process; ``limited`` to the seconds a rival may take."""
        self.tell(name)
        return run_alone(task, Limits(self.limit) if limited else Limits(), **settings)

    def pair(self, names: tuple[str, str], task: Task, **settings: Any) -> tuple[Outcome, Outcome]:
        """Two methods in turn, so that a noisy machine troubles both; the median of each."""
        times = 1 if self.quick else self.repeats
        found: tuple[list[Outcome], list[Outcome]] = ([], [])
        for _ in range(times):
            for outcomes, name in zip(found, names, strict=True):
                what = f"{name}, {settings['n']} rows"
                outcomes.append(self.run(what, task, method=name, **settings))
        return _median(found[0]), _median(found[1])


def _median(outcomes: list[Outcome]) -> Outcome:
    """The run of median time; one that did not finish, if there is any."""
    for outcome in outcomes:
        if not outcome.finished:
            return outcome
    return sorted(outcomes, key=lambda o: o.seconds or 0.0)[(len(outcomes) - 1) // 2]


def seconds(outcome: Outcome) -> str:
    """The seconds of a fit, or how it ended."""
    return end_of(outcome) if outcome.seconds is None else f"{outcome.seconds:.3g}"


def cpu_seconds(outcome: Outcome) -> str:
    """The same of all its threads."""
    return "" if outcome.cpu is None else f"{outcome.cpu:.3g}"


def end_of(outcome: Outcome) -> str:
    """How a fit ended; of a failure, what was said."""
    return outcome.problem.splitlines()[0][:60] if outcome.problem else outcome.status


def megabytes(outcome: Outcome) -> float:
    """Memory beyond the data; NaN where it was not measured."""
    return np.nan if outcome.peak is None else outcome.peak / 1e6
