"""The table a command works on: read, looked at, and told about."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from .._arrays import Array, FloatArray
from .._estimators import BaseHSIC
from .console import Console
from .fit_options import FitOptions
from .tables import Table, TableEncoder, TableError, read_table, summary
from .tables.errors import listed, option_for, shown
from .wording import plain

_LARGEST = 1e70
_TOLD = 3  # notes of a kind, one by one
_FEW = 20  # categories that are never too many; --category allows any number


def open_table(path: Path, console: Console, fewest: int = 1, text: Iterable[str] = ()) -> Table:
    """Read a file that must have some rows; columns of ``text`` are not taken for numbers."""
    with console.status(f"Reading {path.name}"):
        table = read_table(path, text=tuple(text))
    for note in table.notes:
        console.note(note)
    if not len(table):
        raise TableError(f"{shown(path)} has names of columns but no rows.")
    if len(table) < fewest:
        raise TableError(f"{shown(path)} has {len(table)} row: at least {fewest} are needed.")
    return table


def column_names(asked: Iterable[str], table: Table) -> list[str]:
    """Names given to an option, which may be separated by commas; unknown ones are an error."""
    names: list[str] = []
    for text in asked:
        # A name may hold a comma itself.
        names += [text] if text in table else [part.strip() for part in text.split(",")]
    for name in names:
        table.column(name)
    return list(dict.fromkeys(names))


def maybe_names(asked: Iterable[str]) -> list[str]:
    """Names that an option may mean, before the names of the columns are known."""
    names = [part for text in asked for part in (text, *(p.strip() for p in text.split(",")))]
    return list(dict.fromkeys(names))


def check_asked_once(asked: dict[str, list[str]]) -> None:
    """No column may be asked for in two ways."""
    found: dict[str, str] = {}
    for how, names in asked.items():
        for name in names:
            if found.setdefault(name, how) != how:
                raise TableError(
                    f"Column {shown(name)} is asked for twice: {found[name]} and {how}."
                )


def complete_rows(
    table: Table, names: Sequence[str], console: Console | None = None, what: str = ""
) -> Table:
    """The rows that have a value in each of these columns; a console tells how many have not."""
    missing = np.any([table.column(name).missing for name in names], axis=0)
    if not missing.any():
        return table
    if console is not None:
        console.note(f"rows without {what} are left out: {np.count_nonzero(missing)}")
    return table.take(~missing)


def row_names(table: Table, name: str | None) -> list[str] | None:
    """The column of ``--id`` as texts; rows without a name have the empty one."""
    if name is None:
        return None
    values = table.column(name).as_categories().values
    return ["" if value is None else str(value) for value in values]


def encoding_notes(encoder: TableEncoder, n_rows: int, console: Console) -> None:
    """Say what became of categories, dates and missing values, in a few lines."""
    for line in summary(encoder):
        console.note(line)
    many = [
        f"{shown(name)} has {len(coding.categories)} categories"
        for name, coding in encoder.codings().items()
        if coding.reference is not None and len(coding.categories) > max(_FEW, n_rows / 2)
    ]
    if many:
        console.warn(
            f"column {listed(many)} in {n_rows} rows: columns that single out rows fit anything; "
            "leave it out by --drop"
        )


def note_few(lines: Sequence[str], together: str, console: Console) -> None:
    """Notes of the same kind one by one if they are few, else one for all of them."""
    for line in lines if len(lines) <= _TOLD else [together]:
        console.note(line)


def leave_out_counters(
    counters: Iterable[str],
    asked: Iterable[str],
    console: Console,
    option: str,
    does: str = "keeps",
) -> list[str]:
    """Of columns that number the rows those not asked for; what ``option`` ``does`` is told."""
    wanted = set(asked)
    names = [name for name in counters if name not in wanted]
    if len(names) == 1:
        console.note(
            f"column {shown(names[0])} numbers the rows and is left out; "
            f"{option_for(option, names[0])} {does} it"
        )
    elif names:
        told = listed(map(shown, names))
        console.note(f"columns {told} number the rows and are left out; {option} {does} them")
    return names


def constant_columns(X: FloatArray, names: Sequence[str] | Array, console: Console) -> None:
    """Say which columns have no part in any direction."""
    constant = [
        shown(name)
        for name, low, high in zip(names, X.min(0), X.max(0), strict=True)
        if low == high
    ]
    if len(constant) == len(names):
        raise TableError(
            f"All columns are constant over {X.shape[0]} rows ({listed(constant)}): there is "
            "nothing to find."
        )
    if constant:
        verb = "column {} is" if len(constant) == 1 else "columns {} are"
        console.note(f"{verb.format(listed(constant))} constant: no part in any direction")


def check_magnitude(table: Table) -> None:
    """Numbers may be finite and yet too large to be squared and summed."""
    culprits = [
        column.name
        for column in table.columns
        if np.any((np.abs(column.numbers) > _LARGEST) & np.isfinite(column.numbers))
    ]
    if culprits:
        raise TableError(
            f"Numbers in {listed(map(shown, culprits))} are too large: at most {_LARGEST:g} can be "
            "squared and summed."
        )


def note_of_one_name(options: FitOptions, names: Sequence[str] | None, console: Console) -> None:
    """Say how rows of one name are held out together, where several have one."""
    if options.target is None or options.id is None or names is None or options.groups is not None:
        return
    n_names = len(set(names))
    if n_names < len(names):
        console.note(
            f"{len(names)} rows have {n_names} names in {shown(options.id)}: if rows of one name "
            f"belong together, use --groups {shlex.quote(options.id)}, so that they are held out "
            "together"
        )


def note_of_time(
    options: FitOptions, encoder: TableEncoder, X: FloatArray, console: Console
) -> None:
    """Say what rows held out do not tell, where rows follow each other in time."""
    if options.target is None or options.groups is not None:
        return
    names = encoder.get_feature_names_out().tolist()
    in_order = [
        shown(column)
        for column, coding in encoder.codings().items()
        if coding.date is not None and _is_monotone(X[:, names.index(f"{column}:days")])
    ]
    if in_order:
        console.note(
            f"the dates of {listed(in_order)} run with the rows: rows held out lie between rows "
            "fitted on, so what holds for them need not hold for later ones"
        )


def _is_monotone(values: FloatArray) -> bool:
    steps = np.diff(values)
    return bool(np.all(steps >= 0) or np.all(steps <= 0))


def warn_of_spread(estimator: BaseHSIC, names_of_rows: list[str] | None, console: Console) -> None:
    """Warn of directions that single out rows; those without names are counted from 1."""

    def named(rows: Array) -> str:
        names = names_of_rows
        return ", ".join(str(i + 1) if names is None else plain(names[i]) for i in rows.tolist())

    for remark in estimator.spread_.remarks("--components {}".format, named):
        console.warn(remark)
