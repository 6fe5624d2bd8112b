"""What a part of the quality suite is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..measure import Figures
from .units import Store, Tell, Unit, perform

__all__ = ["Suite", "problems"]


@dataclass(frozen=True)
class Suite:
    """How much of it, over how many processes, and the one way to have units done.

    ``only`` are the names of data sets; none stands for all. A quick suite has one seed and small
    sets.
    """

    store: Store = field(default_factory=Store)
    jobs: int = 1
    only: tuple[str, ...] = ()
    quick: bool = False
    tell: Tell = lambda done, total, name: None

    def run(self, part: str, units: Sequence[Unit], *, alone: bool = False) -> dict[str, Figures]:
        """The figures of all units by name, from the store where it has them."""
        return perform(part, units, self.store, jobs=self.jobs, tell=self.tell, alone=alone)

    def some(self, items: Sequence[Any]) -> Sequence[Any]:
        """All of them; of a quick suite the first."""
        return items[:1] if self.quick else items


def problems(found: Mapping[str, Figures]) -> list[str]:
    """What failed and why, as notes."""
    return [f"Failed: {name}: {f['problem']}" for name, f in found.items() if "problem" in f]
