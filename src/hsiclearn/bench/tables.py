"""Tables in markdown, which a terminal shows well enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .data import DATA
from .methods import METHODS
from .paper import Cell, PaperRun, cells_of

__all__ = ["heldout_table", "markdown", "paper_report", "paper_table", "ratios"]

_SCORES = {"supervised": "error %", "unsupervised": "NMI"}


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table, aligned in plain text too; the first column to the left, the others to the right."""
    lines = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]

    def row(cells: Sequence[str]) -> str:
        first, *rest = cells
        padded = [first.ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([row(lines[0]), row(rule), *(row(line) for line in lines[1:])])


def paper_report(run: PaperRun) -> str:
    """Both tables, the ratios of times, and the held-out errors if there are any."""
    parts = []
    for table in ("supervised", "unsupervised"):
        for name, cells in cells_of(run, table):
            data = DATA[name]
            q = data.q if table == "supervised" else data.q_unsupervised
            note = f" ({data.note})" if data.note else ""
            parts += [f"### {name}, {table}, q = {q}{note}", paper_table(cells)]
    if any(True for _ in cells_of(run, "supervised")):
        parts += ["### Time, as a multiple of `spectral`'s in the same run", ratios(run)]
    if any(METHODS[cell.method].as_published for cell in run.cells):
        parts += ["### The same, rivals as published", ratios(run, as_published=True)]
    if any(True for _ in cells_of(run, "heldout")):
        parts += ["### Errors on held-out rows, %", heldout_table(run)]
    return "\n\n".join(parts)


def paper_table(cells: Sequence[Cell]) -> str:
    """One data set: every figure beside the printed one."""
    score = _SCORES[cells[0].table]
    head = ["method", "seconds", "printed", "cost", "printed", score, "printed", "iterations"]
    return markdown(head, [_row(cell) for cell in cells])


def _row(cell: Cell) -> list[str]:
    digits = 1 if cell.table == "supervised" else 3
    printed = cell.printed
    return [
        cell.title,
        cell.problem or _seconds(cell.seconds),
        "" if printed is None else f"{printed.seconds:g}",
        _cost(cell),
        "" if printed is None else printed.cost or "",
        _number(cell.score, digits),
        "" if printed is None else f"{printed.score:g}",
        "" if cell.iterations is None else str(cell.iterations),
    ]


def _cost(cell: Cell) -> str:
    """The final cost; of a cell that ran out, the lowest seen, in brackets."""
    if cell.cost is not None or not cell.history:
        return _number(cell.cost, 3)
    return f"({min(cost for _, cost in cell.history):.3f})"


def ratios(run: PaperRun, *, as_published: bool = False) -> str:
    """Seconds over those of ``spectral``; a cell that ran out gives a lower bound."""
    tables = [
        (table, name, cells)
        for table in ("supervised", "unsupervised")
        for name, cells in cells_of(run, table)
    ]
    used = {cell.method for _, _, cells in tables for cell in cells}
    keys = [k for k, m in METHODS.items() if k in used and m.as_published is as_published]
    rows = []
    for key in keys:
        row = [METHODS[key].title]
        for _, _, cells in tables:
            ours = next((c.seconds for c in cells if c.method == "spectral"), None)
            theirs = next((c for c in cells if c.method == key), None)
            row.append(_ratio(theirs, ours, run.budget))
        rows.append(row)
    return markdown(["method", *(f"{name}, {table[:-5]}." for table, name, _ in tables)], rows)


def _ratio(cell: Cell | None, ours: float | None, budget: float) -> str:
    if cell is None or not ours:
        return ""
    if cell.seconds is None:
        return f"> {budget / ours:.3g}" if cell.problem.startswith("over") else "-"
    return f"{cell.seconds / ours:.3g}"


def heldout_table(run: PaperRun) -> str:
    """Rows are methods, columns data sets."""
    columns = dict(cells_of(run, "heldout"))
    keys = list(dict.fromkeys(cell.method for cells in columns.values() for cell in cells))
    rows = []
    for key in keys:
        found = [next((c for c in cells if c.method == key), None) for cells in columns.values()]
        figures = [c.problem or _number(c.score, 2) if c is not None else "" for c in found]
        rows.append([METHODS[key].title, *figures])
    return markdown(["method", *columns], rows)


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
