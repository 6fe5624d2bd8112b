"""The parts by name, and a run of some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..running import Progress, Tell, run_parts
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
    progress: Progress = lambda done, total, name: None,
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

    def part(measure: Callable[[Bench], Part]) -> Callable[[Tell], Part]:
        shrink = _QUICK if quick else 1
        return lambda tell: measure(Bench(shrink=shrink, limit=limit, repeats=repeats, tell=tell))

    return run_parts(
        {name: part(measure) for name, measure in PARTS.items()},
        parts,
        progress,
        packages=("numpy", "scikit-learn"),
        quick="Quick: a twentieth of the rows; the goals are not for so few." if quick else "",
    )
