"""Both tables of the paper, measured cell by cell beside the printed figures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from .._types import Progress
from .data import DATA
from .printed import PRINTED, Printed, agrees
from .solvers import CLUSTERERS, METHODS, REDUCERS
from .worker import Measured, open_worker

__all__ = ["Cell", "PaperRun", "run_paper"]

_AT_OR_BELOW = 1e-6  # relative, for "no higher than"


@dataclass(frozen=True)
class Cell:
    """A method on a data set: what was measured, beside what is printed."""

    table: str
    data: str
    method: str
    title: str
    seconds: float | None
    cost: float | None
    score: float | None
    iterations: float | None
    status: str
    problem: str
    history: tuple[tuple[float, float], ...]
    printed: Printed | None

    @property
    def failed(self) -> bool:
        """Whether there is a problem other than time."""
        return bool(self.problem) and not self.problem.startswith("over")

    @classmethod
    def of(cls, table: str, data: str, method: str, measured: Measured) -> Cell:
        """From what the worker returned."""
        figures = measured.figures or dict.fromkeys(("seconds", "cost", "score", "iterations"))
        rows = PRINTED.get(table, {}).get(data, {})
        return cls(
            table=table,
            data=data,
            method=method,
            title=METHODS[method].title,
            seconds=figures["seconds"],
            cost=figures["cost"],
            score=figures["score"],
            iterations=figures["iterations"],
            status=figures.get("status") or "",
            problem=measured.problem,
            history=measured.history,
            printed=rows.get(method.removesuffix("-loops")),
        )


@dataclass(frozen=True)
class PaperRun:
    """All cells of a run."""

    cells: tuple[Cell, ...]
    budget: float

    def complaints(self) -> list[str]:
        """Where the run contradicts what it should show; empty is good.

        ``ism+`` reproduces the printed costs, and ``spectral`` is at or below every cost.
        """
        found = [
            f"{c.table} {c.data} {c.method}: {c.problem}"
            for c in self.cells
            if c.failed or (c.problem and METHODS[c.method].is_quick)
        ]
        for cell in self.cells:
            if cell.method == "ism+" and cell.cost is not None and not _reproduces(cell):
                assert cell.printed is not None
                found.append(
                    f"{cell.table} {cell.data}: ism+ ends at {cell.cost:.4f}, printed is "
                    f"{cell.printed.cost}"
                )
        ours = {(c.table, c.data): c.cost for c in self.cells if c.method == "spectral"}
        for cell in self.cells:
            lowest = ours.get((cell.table, cell.data))
            if cell.cost is None or lowest is None:
                continue
            if lowest > cell.cost + _AT_OR_BELOW * abs(cell.cost):
                found.append(
                    f"{cell.table} {cell.data}: {cell.method} at {cell.cost:.6f} is below "
                    f"spectral at {lowest:.6f}"
                )
        return found

    def write_json(self, path: Path) -> None:
        """Every figure, with the costs over time."""
        cells = [
            asdict(cell) | {"printed": cell.printed and cell.printed._asdict()}
            for cell in self.cells
        ]
        content = {"budget": self.budget, "cells": cells}
        path.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")


def run_paper(
    *,
    data: Sequence[str] = (),
    quick: bool = False,
    heldout: bool = False,
    budget: float = 15.0,
    progress: Progress = lambda done, total, name: None,
) -> PaperRun:
    """Measure all cells, one after the other in one process.

    Parameters
    ----------
    data : sequence of str
        Names of data sets; all by default.
    quick : bool
        Without the rivals that are slow.
    heldout : bool
        Cross-validated errors besides, which the paper does not have.
    budget : float
        Seconds per cell for the method itself; ten times that for the folds of a held-out error.
    progress : callable
        Called before each cell with how many are done, how many there are, and its name.
    """
    names = list(dict.fromkeys(data)) or list(DATA)
    unknown = set(names) - set(DATA)
    if unknown:
        raise ValueError(f"`data` must be of {list(DATA)}. Got {sorted(unknown)}.")
    plan = [
        (table, name, key)
        for table, methods in (("supervised", REDUCERS), ("unsupervised", CLUSTERERS))
        for name in names
        for key in methods
        if not quick or METHODS[key].is_quick
    ]
    if heldout:
        plan += [
            ("heldout", name, key) for name in names for key, m in REDUCERS.items() if m.is_held_out
        ]
    for name in names:  # here, so that a table that cannot be had is an error, not a slow method
        _ = (DATA[name].load(), heldout and DATA[name].load_all())
    with open_worker() as worker:
        cells = []
        for i, (table, name, key) in enumerate(plan):
            progress(i, len(plan), f"{table} {name} {key}")
            folds = 10.0 if table == "heldout" else 1.0
            measured = worker.measure(table, key, name, folds * budget)
            cells.append(Cell.of(table, name, key, measured))
    progress(len(plan), len(plan), "")
    return PaperRun(tuple(cells), budget)


def _reproduces(cell: Cell) -> bool:
    if cell.printed is None or cell.printed.cost is None or cell.cost is None:
        return True
    spread = DATA[cell.data].spread
    if cell.table == "supervised" and spread is not None:
        return spread[0] <= cell.cost <= spread[1]
    return agrees(cell.cost, cell.printed.cost)


def cells_of(run: PaperRun, table: str) -> Iterable[tuple[str, list[Cell]]]:
    """The cells of a table, by data set."""
    for name in dict.fromkeys(cell.data for cell in run.cells):
        some = [cell for cell in run.cells if cell.table == table and cell.data == name]
        if some:
            yield name, some
