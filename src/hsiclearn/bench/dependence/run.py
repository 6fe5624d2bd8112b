"""The parts by name, and a run of some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..part import Part
from ..running import Progress, Tell, run_parts
from ..scale.part import Bench
from .accuracy import measure_accuracy
from .calibration import measure_calibration
from .power import measure_power
from .speed import measure_rows, measure_speed

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

    def part(measure: Callable[[Bench], Part]) -> Callable[[Tell], Part]:
        return lambda tell: measure(
            Bench(shrink=_QUICK if quick else 1, repeats=repeats, tell=tell)
        )

    return run_parts(
        {name: part(measure) for name, measure in DEPENDENCE_PARTS.items()},
        parts,
        progress,
        packages=("numpy", "scipy", "hyppo"),
        quick="Quick: the goals are not for so few." if quick else "",
    )
