"""Many rows: how time and memory grow, how exact the answers stay, and who else gets there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .._types import Progress
from ..bench import Bench
from ..parts import Part, run_parts
from .angles import measure_angles
from .clusters import measure_clusters
from .rows import measure_rivals, measure_rows
from .tables import measure_memory, measure_wide

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
    shrink = _QUICK if quick else 1
    return run_parts(
        PARTS,
        parts,
        progress,
        lambda tell: Bench(shrink=shrink, limit=limit, repeats=repeats, tell=tell),
        packages=("numpy", "scikit-learn"),
        quick="Quick: a twentieth of the rows; the goals are not for so few." if quick else "",
    )
