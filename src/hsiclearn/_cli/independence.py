"""``hsiclearn test``: dependence of columns on others, with p-values."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .._measure import hsic_estimate, hsic_test
from .._progress import tell
from .console import Console
from .data import (
    check_asked_once,
    column_names,
    complete_rows,
    leave_out_counters,
    maybe_names,
    note_few,
    open_table,
)
from .independence_text import SMALLEST, text_of
from .labels import Labels, target_of
from .options import IndependenceOptions
from .tables import Column, Table, TableEncoder, TableError, row_counters
from .tables.errors import listed, shown
from .tables.features import as_feature
from .weights import check_whole, rows_that_count, total_of, weights_of
from .wording import counted

_FEWEST = 6  # rows, of a test


def run_independence(options: IndependenceOptions) -> None:
    """Read, test, print."""
    console = Console(options.quiet, "test")
    table = open_table(options.data, console, text=maybe_names(options.category))
    categories = column_names(options.category, table)
    y_names = column_names(options.y, table)
    counters: list[str] = []
    if not options.x:
        asked = [*y_names, *categories, *column_names(options.drop, table), *_aside(options)]
        counters = leave_out_counters(row_counters(table), asked, console, "--x", "tests")
    if options.weights is not None:
        table = _rows_that_count(table, options.weights, options.method, console)
    table = complete_rows(table, y_names, console, listed(map(shown, y_names)))
    _check_rows(table, y_names, options)
    x_names = _x_names(options, table.drop(counters), y_names, categories, console)
    if len(y_names) == 1 and (note := _target(table, y_names[0], options).note):
        console.note(note)
    found = []
    with console.status("Testing"), console.python_warnings_as_lines():
        groups = [x_names] if options.joint else [[name] for name in x_names]
        for number, group in enumerate(groups, start=1):
            tell("", f"{number} of {len(groups)}, {listed(map(shown, group))}")
            found += _test(options, table, group, y_names, categories, console)
    _check_any(found, y_names)
    _note_rows(found, len(table), console)
    found = ranked(found)
    if options.json:
        answer: dict[str, Any] = {"data": str(options.data), "y": y_names}
        answer |= {"method": options.method, "joint": options.joint, "tests": found}
        answer |= {"notes": console.notes, "warnings": console.warnings}
        print(json.dumps(answer, indent=1))
    else:
        print(text_of(found, y_names, joint=options.joint))


def _x_names(
    options: IndependenceOptions,
    table: Table,
    y_names: list[str],
    categories: list[str],
    console: Console,
) -> list[str]:
    """The columns asked for, which must be fit for a test; else all others that are."""
    dropped = column_names(options.drop, table)
    asked = column_names(options.x, table)
    aside = _aside(options)
    given = {"by --x": asked, "by --y": y_names, "by --drop": dropped, "by --weights": aside}
    check_asked_once(given)
    names, left_out = [], {}
    for name in asked or [n for n in table.names if n not in {*y_names, *dropped, *aside}]:
        try:
            _check(table, name, options, is_category=name in categories)
            names.append(name)
        except TableError as error:
            if asked:
                raise TableError(error.problem, "Leave it out of --x.") from error
            left_out[name] = f"left out: {error.problem}"
    told = f"{len(left_out)} columns cannot be tested: {listed(map(shown, left_out))}"
    note_few(list(left_out.values()), told, console)
    _check_any(names, y_names)
    return names


def _rows_that_count(table: Table, weights: str, method: str, console: Console) -> Table:
    column = table.column(weights)
    found = weights_of(column)
    if method == "permutation":
        check_whole(column)
    return rows_that_count(table, found, console)[0]


def _aside(options: IndependenceOptions) -> list[str]:
    return [] if options.weights is None else [options.weights]


def _check_any(left: list[Any], y_names: list[str]) -> None:
    if not left:
        raise TableError(f"No column is left to test against {listed(map(shown, y_names))}.")


def _check(table: Table, name: str, options: IndependenceOptions, *, is_category: bool) -> None:
    """A column that was called a category is one, whatever its texts look like."""
    column = table.column(name)
    as_feature(column, is_category=is_category)
    some = table.select([name, *_aside(options)]).take(~column.missing)
    if total_of(some, options.weights) < _FEWEST:
        raise TableError(
            f"Column {shown(name)} has values in {_rows(some, options)}: a test needs {_FEWEST}."
        )
    if _is_constant(column):
        raise TableError(f"Column {shown(name)} is constant: nothing can depend on it.")


def _rows(table: Table, options: IndependenceOptions) -> str:
    """How many rows, in words, and what they weigh."""
    weight = total_of(table, options.weights)
    return counted(len(table), "row") + (f" of weight {weight:g}" if options.weights else "")


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
    part = complete_rows(table.select([*x_names, *y_names, *_aside(options)]), x_names)
    _check_rows(part, x_names, options)
    if all(_is_constant(part.column(name)) for name in y_names):
        y_shown, x_shown = listed(map(shown, y_names)), listed(map(shown, x_names))
        console.note(f"left out: {y_shown} is constant where {x_shown} has values")
        return []
    v = None if options.weights is None else part.column(options.weights).numbers
    x, kernel_x = _side(part.select(x_names), categories, v)
    y, kernel_y = _y_side(part, y_names, options, categories, v)
    more: dict[str, Any] = {"kernel_x": kernel_x, "kernel_y": kernel_y}
    more |= {"random_state": options.seed, "sample_weight": v}
    test = hsic_test(x, y, method=options.method, n_permutations=options.permutations, **more)
    cka = hsic_estimate(x, y, estimator="unbiased", normalize=True, **more)
    figures = {"hsic": test.statistic, "cka": cka.value, "p": test.pvalue}
    figures |= {} if v is None else {"weight": v.sum()}
    floats = {name: float(value) for name, value in figures.items()}
    return [{"columns": x_names, "rows": len(part), **floats}]


def _note_rows(found: list[dict[str, Any]], n_rows: int, console: Console) -> None:
    """Say where rows were left out of a test; the answer has how many were not."""
    short = [line for line in found if line["rows"] < n_rows]
    names = [listed(map(shown, line["columns"])) for line in short]
    lines = [
        f"rows without {name} are left out: {n_rows - line['rows']}"
        for name, line in zip(names, short, strict=True)
    ]
    note_few(lines, f"rows without a value are left out of the tests of {listed(names)}", console)


def _check_rows(table: Table, names: list[str], options: IndependenceOptions) -> None:
    if total_of(table, options.weights) < _FEWEST:
        raise TableError(
            f"A test needs at least {_FEWEST} rows that have values. Of "
            f"{listed(map(shown, names))} there are {_rows(table, options)}."
        )


def _target(table: Table, name: str, options: IndependenceOptions) -> Labels:
    total = None if options.weights is None else total_of(table, options.weights)
    return target_of(table.column(name), options.y_kind, "--y-kind", n_samples=total)


def _side(table: Table, categories: list[str], weights: FloatArray | None) -> tuple[Array, str]:
    """Labels if it is one column of text, else standardised numbers, categories as 0 and 1."""
    column, *others = table.columns
    if not others and not as_feature(column, is_category=column.name in categories).is_number:
        return column.as_categories().codes, "delta"
    encoder = TableEncoder(scale=True, as_category=[c for c in categories if c in table])
    try:
        return encoder.fit(table, row_weights=weights).transform(table), "gaussian"
    except TableError as error:
        raise TableError(error.problem, "Leave it out.") from error


def _y_side(
    table: Table,
    y_names: list[str],
    options: IndependenceOptions,
    categories: list[str],
    weights: FloatArray | None,
) -> tuple[Array, str]:
    """The other side: one column is read as a target is."""
    if len(y_names) == 1:
        target = _target(table, y_names[0], options)
        if target.kind == "classes":
            return target.y, "delta"
    return _side(table.select(y_names), categories, weights)


def ranked(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tests by p-value, each with ``p_holm``.

    Where p-values are too small to be told apart, CKA is the order. Holm's p-values: the k-th
    smallest times the number of tests from it on, never falling.
    """
    lines = sorted(found, key=lambda line: (max(line["p"], SMALLEST), -line["cka"]))
    highest, adjusted = 0.0, []
    for k, line in enumerate(lines):
        highest = max(highest, min(1.0, (len(lines) - k) * line["p"]))
        adjusted.append({**line, "p_holm": highest})
    return adjusted
