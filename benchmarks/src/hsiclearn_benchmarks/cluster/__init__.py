"""Fits on a cluster: what it costs, what travels, what may die, and how far it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .._types import Progress
from ..parts import Part, run_parts
from .given import Given
from .kills import measure_kills
from .lazy import measure_lazy
from .overhead import measure_overhead
from .simulate import measure_simulation
from .traffic import measure_traffic

__all__ = ["PARTS", "run_cluster"]

PARTS: dict[str, Callable[[Given], Part]] = {
    "overhead": measure_overhead,
    "traffic": measure_traffic,
    "kills": measure_kills,
    "lazy": measure_lazy,
    "simulate": measure_simulation,
}


def run_cluster(
    parts: Sequence[str] = (),
    *,
    scale: float = 1.0,
    progress: Progress = lambda done, total, name: None,
) -> Iterator[tuple[str, Part]]:
    """Measure parts, all by default, each handed out when it is done; ``scale`` is of the rows."""
    return run_parts(
        PARTS,
        parts,
        progress,
        lambda tell: Given(scale=scale, tell=tell),
        packages=("numpy", "dask", "distributed"),
        quick="" if scale >= 1.0 else f"A share of {scale:g} of the rows; goals are of all.",
    )
