"""What a part of a benchmark hands back: a table, and figures beside what was asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .tables import markdown

__all__ = ["Goal", "Part"]


@dataclass(frozen=True)
class Goal:
    """A figure beside what was asked of it; None where it could not be had."""

    what: str
    value: float | None
    bound: float
    at_most: bool = True
    unit: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the figure is there, and on the right side."""
        if self.value is None:
            return False
        return self.value <= self.bound if self.at_most else self.value >= self.bound

    def row(self, *, judged: bool = True) -> list[str]:
        """As a line of a table; what is not judged is neither met nor missed."""
        sign = "<=" if self.at_most else ">="
        measured = "none" if self.value is None else f"{self.value:.3g}{self.unit}"
        goal = f"{sign} {self.bound:g}{self.unit}"
        verdict = "yes" if self.is_met else "no"
        return [self.what, measured, goal, verdict if judged else "quick run"]


@dataclass(frozen=True)
class Part:
    """One part as measured: its table, its goals, and what a reader must know."""

    title: str
    table: str
    goals: Sequence[Goal] = ()
    notes: Sequence[str] = ()
    judged: bool = True

    def report(self) -> str:
        """In markdown."""
        parts = [f"### {self.title}", self.table]
        if self.goals:
            head = ["goal", "measured", "asked for", "met"]
            parts.append(markdown(head, [goal.row(judged=self.judged) for goal in self.goals]))
        if self.notes:
            parts.append("\n".join(f"- {note}" for note in self.notes))
        return "\n\n".join(parts)
