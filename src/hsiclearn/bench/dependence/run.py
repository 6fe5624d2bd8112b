"""The parts by name, and a run of some of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version

from ..part import Part
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
    progress: Callable[[int, int, str], None] = lambda done, total, name: None,
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
    names = list(dict.fromkeys(parts)) or list(DEPENDENCE_PARTS)
    if unknown := set(names) - set(DEPENDENCE_PARTS):
        raise ValueError(f"`parts` must be of {list(DEPENDENCE_PARTS)}. Got {sorted(unknown)}.")
    for done, name in enumerate(names):

        def tell(what: str, done: int = done, name: str = name) -> None:
            progress(done, len(names), f"{name}: {what}")

        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
        bench = Bench(shrink=_QUICK if quick else 1, repeats=repeats, tell=tell)
        part = DEPENDENCE_PARTS[name](bench)
        yield name, replace(part, notes=[*part.notes, _where(quick, load)], judged=not quick)
    progress(len(names), len(names), "")


def _where(quick: bool, load: float) -> str:
    """What figures depend on, besides the code."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "hyppo"))
    small = " Quick: the goals are not for so few." if quick else ""
    machine = f"{os.cpu_count()} cores at a load of {load:.1f} before"
    return f"Measured on {machine}, with {packages}.{small}"
