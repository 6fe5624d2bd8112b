"""Names of columns as a file gives them: different ones, and some for those without."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from .checks import is_float
from .counters import is_consecutive
from .errors import TableError, listed, repeated, shown
from .table import Table

__all__ = ["named", "without_nameless"]


def named(given: Sequence[str], path: Path) -> tuple[list[str], set[str]]:
    """The names, and those among them that are made up because there were none."""
    names = [name.strip() for name in given]
    if not any(names):
        raise TableError(f"The first line of {shown(path)} is blank: it must name the columns.")
    if twice := repeated([name for name in names if name]):
        raise TableError(
            f"Every column of {shown(path)} must have a name of its own.",
            f"More than one is called {listed(map(shown, twice))}: rename them.",
        )
    taken, made_up = set(names), set()
    for j, name in enumerate(names):
        if not name:
            names[j] = _free_name(j, taken)
            made_up.add(names[j])
    return names, made_up


def _free_name(j: int, taken: Collection[str]) -> str:
    name = f"column{j + 1}"
    while name in taken:
        name += "_"
    return name


def without_nameless(table: Table, made_up: Collection[str], notes: Sequence[str] = ()) -> Table:
    """Leave out nameless columns that are empty or number the rows, as data frames write them."""
    kept, told, new = [], list(notes), []
    for column in table.columns:
        if column.name not in made_up:
            kept.append(column)
        elif is_consecutive(column):
            told.append("a column without a name numbers the rows and is left out")
        elif not column.missing.all():
            kept.append(column)
            new.append(shown(column.name))
    if new:
        what = "a column without a name is" if len(new) == 1 else "columns without a name are"
        told.append(f"{what} called {listed(new)}")
    if kept and all(is_float(column.name) for column in kept):
        told.append("the names of all columns are numbers: the first line must be a header")
    return Table(kept, told)
