"""The run as tables in markdown, which a terminal shows well enough."""

from __future__ import annotations

from collections.abc import Sequence

from ..parts import markdown
from .data import DATA
from .run import Cell, PaperRun, cells_of
from .solvers import METHODS

__all__ = ["heldout_table", "paper_report", "paper_table", "ratios"]

_SCORES = {"supervised": "error %", "unsupervised": "NMI"}


def paper_report(run: PaperRun) -> str:
    """Both tables, the ratios of times, and the held-out errors if there are any."""
    parts = []
    for table in ("supervised", "unsupervised"):
        for name, cells in cells_of(run, table):
            parts += [_title(name, table), paper_table(cells)]
    if any(True for _ in cells_of(run, "supervised")):
        parts += ["### Time, as a multiple of `spectral`'s in the same run", ratios(run)]
    if any(METHODS[cell.method].in_loops for cell in run.cells):
        title = "### The same, sums over pairs in Python loops, as published"
        parts += [title, ratios(run, in_loops=True)]
    if any(True for _ in cells_of(run, "heldout")):
        parts += ["### Errors on held-out rows, %", heldout_table(run)]
    return "\n\n".join([*parts, *_notes(run)])


def _title(name: str, table: str) -> str:
    data = DATA[name]
    is_supervised = table == "supervised"
    q = data.q if is_supervised else data.q_unsupervised
    note = data.note if is_supervised else data.note_unsupervised
    return f"### {name}, {table}, q = {q}" + (f" ({note})" if note else "")


def _notes(run: PaperRun) -> list[str]:
    """What a reader must know to compare times, and what went wrong."""
    used = {cell.method for cell in run.cells}
    told = {m.title: m.settings for key, m in METHODS.items() if key in used and m.settings}
    lines = [f"- {title}: {settings}." for title, settings in told.items()]
    lines.append(
        f'- "over {run.budget:g} s": out of budget; the cost in brackets is the lowest it had '
        "reached. Iterations are the mean over starts."
    )
    failed = [f"- {c.table} {c.data} {c.title}: {c.problem}" for c in run.cells if c.failed]
    return ["### Notes", "\n".join(lines), *(["### Failed", "\n".join(failed)] if failed else [])]


def paper_table(cells: Sequence[Cell]) -> str:
    """One data set: every figure beside the printed one."""
    score = _SCORES[cells[0].table]
    head = ["method", "seconds", "printed", "cost", "printed", score, "printed"]
    head += ["iterations", "ended"]
    return markdown(head, [_row(cell) for cell in cells])


def _row(cell: Cell) -> list[str]:
    digits = 1 if cell.table == "supervised" else 3
    printed = cell.printed
    return [
        _name(cell.method),
        "failed" if cell.failed else cell.problem or _seconds(cell.seconds),
        "" if printed is None else f"{printed.seconds:g}",
        _cost(cell),
        "" if printed is None else printed.cost or "",
        _number(cell.score, digits),
        "" if printed is None else f"{printed.score:g}",
        _number(cell.iterations, 0),
        cell.status.lower().replace("_", " "),
    ]


def _name(method: str) -> str:
    return METHODS[method].title + (", in loops" if METHODS[method].in_loops else "")


def _cost(cell: Cell) -> str:
    """The final cost; of a cell that ran out, the lowest seen, in brackets."""
    if cell.cost is not None or not cell.history:
        return _number(cell.cost, 3)
    return f"({min(cost for _, cost in cell.history):.3f})"


def ratios(run: PaperRun, *, in_loops: bool = False) -> str:
    """Seconds over those of ``spectral``; a cell that ran out gives a lower bound."""
    tables = [
        (table, name, cells)
        for table in ("supervised", "unsupervised")
        for name, cells in cells_of(run, table)
    ]
    used = {cell.method for _, _, cells in tables for cell in cells}
    keys = [k for k, m in METHODS.items() if k in used and m.in_loops is in_loops]
    rows = []
    for key in keys:
        row = [_name(key)]
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
        return "-" if cell.failed else f"> {budget / ours:.3g}"
    return f"{cell.seconds / ours:.3g}"


def heldout_table(run: PaperRun) -> str:
    """Rows are methods, columns data sets."""
    columns = dict(cells_of(run, "heldout"))
    keys = list(dict.fromkeys(cell.method for cells in columns.values() for cell in cells))
    rows = []
    for key in keys:
        found = [next((c for c in cells if c.method == key), None) for cells in columns.values()]
        figures = [c.problem or _number(c.score, 2) if c is not None else "" for c in found]
        rows.append([_name(key), *figures])
    return markdown(["method", *columns], rows)


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
