"""The parts by name, and a run of some of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version

from .angles import measure_angles
from .clusters import measure_clusters
from .mapped import measure_memory
from .part import Bench, Part
from .rivals import measure_rivals
from .rows import measure_rows
from .wide import measure_wide

__all__ = ["PARTS", "run_scale"]

_QUICK = 20  # times fewer rows

PARTS: dict[str, Callable[[Bench], Part]] = {
    "rows": measure_rows,
    "angles": measure_angles,
    "memory": measure_memory,
    "wide": measure_wide,
    "clusters": measure_clusters,
    "rivals": measure_rivals,
}


def run_scale(
    parts: Sequence[str] = (),
    *,
    quick: bool = False,
    limit: float = 120.0,
    repeats: int = 3,
    progress: Callable[[int, int, str], None] = lambda done, total, name: None,
) -> Iterator[tuple[str, Part]]:
    """Measure, and hand out each part when it is done.

    Parameters
    ----------
    parts : sequence of str
        Names from ``PARTS``; all by default.
    quick : bool
        A twentieth of the rows, and fewer cases: to see that all of it works.
    limit : float
        Seconds a rival may take for one fit.
    repeats : int
        Runs behind each figure that is compared with a rival's; their median counts.
    progress : callable
        Called before each fit with the parts done, the parts there are, and what is next.
    """
    shrink = _QUICK if quick else 1
    names = list(dict.fromkeys(parts)) or list(PARTS)
    if unknown := set(names) - set(PARTS):
        raise ValueError(f"`parts` must be of {list(PARTS)}. Got {sorted(unknown)}.")
    for done, name in enumerate(names):

        def tell(what: str, done: int = done, name: str = name) -> None:
            progress(done, len(names), f"{name}: {what}")

        load = _load()
        part = PARTS[name](Bench(shrink=shrink, limit=limit, repeats=repeats, tell=tell))
        yield name, replace(part, notes=[*part.notes, _where(quick, load)], judged=not quick)
    progress(len(names), len(names), "")


def _where(quick: bool, load: str) -> str:
    """What figures depend on, besides the code."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn"))
    small = " Quick: a twentieth of the rows; the goals are not for so few." if quick else ""
    return f"Measured on {os.cpu_count()} cores{load}, with {packages}.{small}"


def _load() -> str:
    """How busy others keep the machine: ratios are for one that is quiet."""
    if not hasattr(os, "getloadavg"):
        return ""
    return f" at a load of {os.getloadavg()[0]:.1f} before the first fit"
