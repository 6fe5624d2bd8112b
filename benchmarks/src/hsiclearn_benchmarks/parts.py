"""The parts of a benchmark: a table each, and figures beside what was asked of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any, TypeVar

from ._types import Progress

__all__ = ["Goal", "Part", "chosen_parts", "markdown", "run_parts", "versions"]

T = TypeVar("T")


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table, aligned in plain text too; the first column to the left, the others to the right."""
    lines = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(head))]

    def row(cells: Sequence[str]) -> str:
        first, *rest = cells
        padded = [first.ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([row(lines[0]), row(rule), *(row(line) for line in lines[1:])])


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
    """One part as measured: its table, its goals, and what a reader must know.

    ``curves`` are times against rows, a list of rows and :class:`.alone.Outcome` by method.
    """

    title: str
    table: str
    goals: Sequence[Goal] = ()
    notes: Sequence[str] = ()
    judged: bool = True
    curves: Mapping[str, Any] = field(default_factory=dict)

    def report(self) -> str:
        """In markdown."""
        parts = [f"### {self.title}", self.table]
        if self.goals:
            head = ["goal", "measured", "asked for", "met"]
            parts.append(markdown(head, [goal.row(judged=self.judged) for goal in self.goals]))
        if self.notes:
            parts.append("\n".join(f"- {note}" for note in self.notes))
        return "\n\n".join(parts)


def chosen_parts(names: Sequence[str], known: Iterable[str]) -> list[str]:
    """The names, each once; all by default."""
    known = list(known)
    if unknown := set(names) - set(known):
        raise ValueError(f"`parts` must be of {known}. Got {sorted(unknown)}.")
    return list(dict.fromkeys(names)) or known


def run_parts(
    parts: Mapping[str, Callable[[T], Part]],
    names: Sequence[str],
    progress: Progress,
    given: Callable[[Callable[[str], None]], T],
    *,
    packages: Sequence[str],
    quick: str = "",
) -> Iterator[tuple[str, Part]]:
    """Measure the parts of these names, all by default, and hand out each when it is done.

    ``given`` makes what a part is given, of a function that tells what is next. ``packages`` are
    named with their versions in a note under each part; ``quick`` is what to say of a run whose
    goals are not judged, empty for one whose goals are.
    """
    names = chosen_parts(names, parts)
    for done, name in enumerate(names):

        def tell(what: str, done: int = done, name: str = name) -> None:
            progress(done, len(names), f"{name}: {what}")

        load = _load()
        part = parts[name](given(tell))
        note = f"Measured on {os.cpu_count()} cores{load}, with {versions(packages)}. {quick}"
        yield name, replace(part, notes=[*part.notes, note.strip()], judged=not quick)
    progress(len(names), len(names), "")


def versions(packages: Sequence[str]) -> str:
    """``numpy 2.4.6, scipy 1.17.1``."""
    return ", ".join(f"{name} {version(name)}" for name in packages)


def _load() -> str:
    """How busy others keep the machine: ratios are for one that is quiet."""
    if not hasattr(os, "getloadavg"):
        return ""
    return f" at a load of {os.getloadavg()[0]:.1f} before"
