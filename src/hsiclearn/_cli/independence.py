"""``hsiclearn test``: dependence of columns on others, with p-values."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .._arrays import Array
from .._measure import hsic_estimate, hsic_test
from .._progress import tell
from .console import Console, counted
from .data import column_names, leave_out_counters, maybe_names, note_few, open_table
from .independence_text import independence_text, ranked
from .labels import Labels, target_of
from .options import IndependenceOptions
from .tables import Column, Table, TableEncoder, TableError
from .tables.errors import listed, shown
from .tables.features import as_feature

_FEWEST = 6  # rows, of a test


def run_independence(options: IndependenceOptions) -> None:
    """Read, test, print."""
    console = Console(options.quiet, "test")
    table = open_table(options.data, console, text=maybe_names(options.category))
    categories = column_names(options.category, table)
    y_names = column_names(options.y, table)
    counters: list[str] = []
    if not options.x:
        asked = [*y_names, *categories, *column_names(options.drop, table)]
        counters = leave_out_counters(table, asked, console, "--x", "tests")
    table = _complete(table, y_names, console)
    x_names = _x_names(options, table.drop(counters), y_names, categories, console)
    if len(y_names) == 1 and (note := _target(table.column(y_names[0]), options).note):
        console.note(note)
    found = []
    with console.status("Testing"), console.python_warnings_as_lines():
        groups = [x_names] if options.joint else [[name] for name in x_names]
        for number, group in enumerate(groups, start=1):
            tell("", f"{number} of {len(groups)}, {listed(map(shown, group))}")
            found += _test(options, table, group, y_names, categories, console)
    if not found:
        raise _nothing_left(y_names)
    _note_rows(found, len(table), console)
    found = ranked(found)
    if options.json:
        answer: dict[str, Any] = {"data": str(options.data), "y": y_names}
        answer |= {"method": options.method, "joint": options.joint, "tests": found}
        answer |= {"notes": console.notes, "warnings": console.warnings}
        print(json.dumps(answer, indent=1))
    else:
        print(independence_text(found, y_names, joint=options.joint))


def _x_names(
    options: IndependenceOptions,
    table: Table,
    y_names: list[str],
    categories: list[str],
    console: Console,
) -> list[str]:
    """The columns asked for, which must be fit for a test; else all others that are."""
    dropped = column_names(options.drop, table)
    for name in y_names:
        if name in dropped:
            raise TableError(f"Column {shown(name)} is asked for twice: by --y and by --drop.")
    if options.x:
        return _asked_for(options, table, y_names, dropped, categories)
    names, left_out, aside = [], [], {*y_names, *dropped}
    for column in table.columns:
        if column.name in aside:
            continue
        try:
            _check(column, column.name in categories)
        except TableError as error:
            left_out.append((shown(column.name), f"left out: {error.problem}"))
        else:
            names.append(column.name)
    told = f"{len(left_out)} columns cannot be tested: {listed(name for name, _ in left_out)}"
    note_few([line for _, line in left_out], told, console)
    if not names:
        raise _nothing_left(y_names)
    return names


def _nothing_left(y_names: list[str]) -> TableError:
    return TableError(f"No column is left to test against {listed(map(shown, y_names))}.")


def _asked_for(
    options: IndependenceOptions,
    table: Table,
    y_names: list[str],
    dropped: list[str],
    categories: list[str],
) -> list[str]:
    names = column_names(options.x, table)
    for name in names:
        for option, others in (("--y", y_names), ("--drop", dropped)):
            if name in others:
                raise TableError(
                    f"Column {shown(name)} is asked for twice: by --x and by {option}."
                )
        try:
            _check(table.column(name), name in categories)
        except TableError as error:
            raise TableError(error.problem, "Leave it out of --x.") from error
    return names


def _check(column: Column, is_category: bool) -> None:
    """A column that was called a category is one, whatever its texts look like."""
    as_feature(column, is_category=is_category)
    count = int(np.count_nonzero(~column.missing))
    if count < _FEWEST:
        raise TableError(
            f"Column {shown(column.name)} has values in {counted(count, 'row')}: a test needs "
            f"{_FEWEST}."
        )
    if _is_constant(column):
        raise TableError(f"Column {shown(column.name)} is constant: nothing can depend on it.")


def _is_constant(column: Column) -> bool:
    values = (column.numbers if column.is_number else column.codes)[~column.missing]
    return bool(np.all(values == values[:1]))


def _test(
    options: IndependenceOptions,
    table: Table,
    x_names: list[str],
    y_names: list[str],
    categories: list[str],
    console: Console,
) -> list[dict[str, Any]]:
    """One test, on the rows that have all the values; none where y does not vary on them."""
    part = _complete(table.select([*x_names, *y_names]), x_names, None)
    if all(_is_constant(part.column(name)) for name in y_names):
        y_shown, x_shown = listed(map(shown, y_names)), listed(map(shown, x_names))
        console.note(f"left out: {y_shown} is constant where {x_shown} has values")
        return []
    x, kernel_x = _side(part.select(x_names), categories)
    y, kernel_y = _y_side(part.select(y_names), options, categories)
    kernels: dict[str, Any] = {
        "kernel_x": kernel_x,
        "kernel_y": kernel_y,
        "random_state": options.seed,
    }
    test = hsic_test(x, y, method=options.method, n_permutations=options.permutations, **kernels)
    cka = hsic_estimate(x, y, estimator="unbiased", normalize=True, **kernels)
    return [
        {
            "columns": x_names,
            "rows": len(part),
            "hsic": float(test.statistic),
            "cka": float(cka.value),
            "p": float(test.pvalue),
        }
    ]


def _note_rows(found: list[dict[str, Any]], n_rows: int, console: Console) -> None:
    """Say where rows were left out of a test; the answer has how many were not."""
    short = [line for line in found if line["rows"] < n_rows]
    names = [listed(map(shown, line["columns"])) for line in short]
    counts = [n_rows - line["rows"] for line in short]
    lines = [f"rows without {n} are left out: {k}" for n, k in zip(names, counts, strict=True)]
    told = f"rows without a value are left out of the tests of {listed(names)}"
    note_few(lines, told, console)


def _complete(table: Table, names: list[str], console: Console | None) -> Table:
    """The rows that have all of these values; there must be enough of them."""
    missing = np.any([table.column(name).missing for name in names], axis=0)
    what = listed(map(shown, names))
    table = table.take(~missing) if missing.any() else table
    if missing.any() and console is not None:
        console.note(f"rows without {what} are left out: {np.count_nonzero(missing)}")
    if len(table) < _FEWEST:
        raise TableError(
            f"A test needs at least {_FEWEST} rows that have values. Of {what} there are "
            f"{len(table)}."
        )
    return table


def _target(column: Column, options: IndependenceOptions) -> Labels:
    return target_of(column, options.y_kind, kind_option="--y-kind")


def _side(table: Table, categories: list[str]) -> tuple[Array, str]:
    """Labels if it is one column of text, else standardised numbers, categories as 0 and 1."""
    column = table.columns[0]
    if (
        len(table.columns) == 1
        and not as_feature(column, is_category=column.name in categories).is_number
    ):
        return column.as_categories().codes, "delta"
    encoder = TableEncoder(scale=True, as_category=[c for c in categories if c in table])
    try:
        return encoder.fit_transform(table), "gaussian"
    except TableError as error:
        raise TableError(error.problem, "Leave it out.") from error


def _y_side(table: Table, options: IndependenceOptions, categories: list[str]) -> tuple[Array, str]:
    """The other side: one column is read as a target is."""
    if len(table.columns) > 1:
        return _side(table, categories)
    target = _target(table.columns[0], options)
    return (target.y, "delta") if target.kind == "classes" else _side(table, categories)
