"""What has been tried to break the library, and how often: counts, not promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .._types import Progress
from ..parts import Part, run_parts
from .forgeries import measure_forgeries
from .fuzz import measure_fuzz
from .given import Given
from .kills import measure_kills
from .mutants import measure_mutants
from .properties import measure_properties
from .soak import measure_soak
from .versions import measure_versions

__all__ = ["PARTS", "run_trust"]

PARTS: dict[str, Callable[[Given], Part]] = {
    "versions": measure_versions,
    "soak": measure_soak,
    "forgeries": measure_forgeries,
    "kills": measure_kills,
    "mutants": measure_mutants,
    "properties": measure_properties,
    "fuzz": measure_fuzz,
}


def run_trust(
    parts: Sequence[str] = (),
    *,
    scale: float = 1.0,
    seed: int = 0,
    progress: Progress = lambda done, total, name: None,
) -> Iterator[tuple[str, Part]]:
    """Count parts, all by default, each handed out when it is done; ``scale`` is of the counts."""
    return run_parts(
        PARTS,
        parts,
        progress,
        lambda tell: Given(scale=scale, seed=seed, tell=tell),
        packages=("numpy", "scipy", "scikit-learn"),
        quick="" if scale >= 1.0 else f"A share of {scale:g} of the counts; goals are of all.",
    )
