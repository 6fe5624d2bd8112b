"""The measure of dependence beside its peers: time, memory, calibration, power, exactness."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .._types import Progress
from ..bench import Bench
from ..parts import Part, run_parts
from .power import measure_calibration, measure_power
from .speed import measure_accuracy, measure_rows, measure_speed

__all__ = ["DEPENDENCE_PARTS", "run_dependence"]

_QUICK = 20  # times fewer rows and draws

DEPENDENCE_PARTS: dict[str, Callable[[Bench], Part]] = {
    "speed": measure_speed,
    "rows": measure_rows,
    "accuracy": measure_accuracy,
    "calibration": measure_calibration,
    "power": measure_power,
}


def run_dependence(
    parts: Sequence[str] = (),
    *,
    quick: bool = False,
    repeats: int = 3,
    progress: Progress = lambda done, total, name: None,
) -> Iterator[tuple[str, Part]]:
    """Measure, and hand out each part when it is done.

    Parameters
    ----------
    parts : sequence of str
        Names from ``DEPENDENCE_PARTS``; all by default.
    quick : bool
        A twentieth of the rows and draws, and fewer cases: to see that all of it works.
    repeats : int
        Runs behind each time that is compared with a rival's; their median counts.
    progress : callable
        Called before each case with the parts done, the parts there are, and what is next.
    """
    shrink = _QUICK if quick else 1
    return run_parts(
        DEPENDENCE_PARTS,
        parts,
        progress,
        lambda tell: Bench(shrink=shrink, repeats=repeats, tell=tell),
        packages=("numpy", "scipy", "hyppo"),
        quick="Quick: the goals are not for so few." if quick else "",
    )
