"""How good the answers are at defaults: errors beside rivals', true subspaces, and the cost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from joblib import cpu_count

from .._types import Progress
from ..parts import Part, chosen_parts, versions
from ..units import Store
from .comparison import measure_design, measure_fresh, measure_further, measure_sets
from .cost import measure_cost
from .planted import measure_angles, measure_dimension
from .sets import SETS
from .sparse import measure_sparse
from .suite import Suite

__all__ = ["QUALITY_PARTS", "check_choice", "run_quality"]

QUALITY_PARTS: dict[str, Callable[[Suite], Part]] = {
    "sets": measure_sets,
    "further": measure_further,
    "design": measure_design,
    "fresh": measure_fresh,
    "angles": measure_angles,
    "dimension": measure_dimension,
    "sparse": measure_sparse,
    "cost": measure_cost,
}

_OF_SETS = ("sets", "further", "fresh")


def run_quality(
    parts: Sequence[str] = (),
    *,
    only: Sequence[str] = (),
    jobs: int | None = None,
    quick: bool = False,
    json: Path | None = None,
    resume: bool = False,
    progress: Progress = lambda done, total, name: None,
) -> Iterator[tuple[str, Part]]:
    """Measure, and hand out each part when it is done.

    Parameters
    ----------
    parts : sequence of str
        Names from ``QUALITY_PARTS``; all by default, but those that ``only`` or ``quick`` rules
        out.
    only : sequence of str
        Names of data sets, for the parts made of them; such a choice has no goals.
    jobs : int, optional
        Processes, one core each; as many as there are cores by default.
    quick : bool
        One seed, small sets, no judgement, to see that all of it works; without the further and the
        fresh sets, and what is said of all design sets together.
    json : path, optional
        A file that every figure is written to as it comes.
    resume : bool
        Take from that file what it has: rivals' figures of this scikit-learn, and ours of this very
        code. Figures of another version of the benchmark itself are not told apart.
    progress : callable
        Called after each unit of work with those done, those there are, and its name.
    """
    names = check_choice(parts, only, quick=quick)
    if resume and json is None:
        raise ValueError("`resume` needs `json`, a file of an earlier run. Got json=None.")
    jobs = cpu_count() if jobs is None else jobs
    if jobs < 1:
        raise ValueError(f"`jobs` must be None or at least 1. Got {jobs}.")
    suite = Suite(Store(json, resume=resume), jobs, tuple(only), quick, progress)
    for name in names:
        part = QUALITY_PARTS[name](suite)
        yield name, replace(part, notes=[*part.notes, _where(quick)], judged=not quick)


def check_choice(parts: Sequence[str], only: Sequence[str], *, quick: bool) -> list[str]:
    """The parts to run, or an error that says why a choice makes no sense."""
    chosen_parts(parts, QUALITY_PARTS)
    allowed = [s.name for s in SETS.values() if s.is_quick or not quick]
    if unknown := set(only) - set(allowed):
        small = " of a quick run" if quick else ""
        raise ValueError(f"`only`{small} must be of {allowed}. Got {sorted(unknown)}.")
    chosen = {SETS[name].part for name in only or allowed}
    possible = [
        part for part in QUALITY_PARTS if (part in chosen if part in _OF_SETS else not only)
    ]
    if quick and "design" in possible:
        possible.remove("design")
    if unknown := set(parts) - set(possible):
        raise ValueError(
            f"With only={list(only)} and quick={quick}, `parts` must be of {possible}. "
            f"Got {sorted(unknown)}."
        )
    return list(dict.fromkeys(parts)) or possible


def _where(quick: bool) -> str:
    """What figures depend on, besides the code."""
    packages = versions(("numpy", "scikit-learn"))
    small = " Quick: one seed and small sets; the goals are not for so few." if quick else ""
    return f"Measured on {os.cpu_count()} cores, with {packages}.{small}"
