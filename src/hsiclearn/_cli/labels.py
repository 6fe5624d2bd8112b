"""Columns that are not features: a target, known labels, labels to stay away from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._arrays import Array
from .._paradigms import UNKNOWN, kind_of_integers, most_classes
from .fit_options import FitOptions
from .options import ReportOptions
from .tables import Column, TableError
from .tables.checks import check_category, check_number, rows_of
from .tables.errors import shown

_OPTIONS_OF_FIT = ("--target-kind", "--drop-missing-target")
_MEND = "Mend it, or name another column."


@dataclass(frozen=True)
class Labels:
    """A column as an estimator takes it.

    ``kind`` is ``"classes"``, ``"real"`` or ``"known"``, ``counts`` the rows of each class in
    order, ``note`` what was decided by a rule and how to decide otherwise.
    """

    column: Column
    kind: str
    counts: dict[str, int]
    note: str = ""

    @cached_property
    def y(self) -> Array:
        """One value a row."""
        return values_of(self.column, self.kind)

    @property
    def dtype(self) -> Any:
        """That the values of any of these rows fit in."""
        if self.kind == "real" or self.column.kind == "integer":
            return np.float64 if self.kind == "real" else np.int64
        return np.array([*self.counts, str(UNKNOWN)]).dtype

    @property
    def classes(self) -> Array:
        """Those that there are, in order."""
        return np.array(list(self.counts)).astype(self.dtype)


def values_of(column: Column, kind: str) -> Array:
    """What an estimator takes of a column, or of some of its rows, that was read as this kind."""
    if kind == "real":
        return column.numbers
    if column.kind == "integer":
        return np.nan_to_num(column.numbers, nan=UNKNOWN).astype(np.int64)
    values = column.as_categories().values
    return (np.where(column.missing, str(UNKNOWN), values) if kind == "known" else values).astype(
        str
    )


def labels_asked_for(options: FitOptions | ReportOptions) -> tuple[str, list[str]]:
    """The role of the columns that options call labels, and their names as they were typed."""
    if options.target is not None:
        return "target", [options.target]
    if options.known is not None:
        return "known", [options.known]
    return "against" if options.against else "", list(dict.fromkeys(options.against))


def read_labels(
    role: str, columns: Iterable[Column], kind: str = "auto", *, is_fit: bool = False
) -> dict[str, Labels]:
    """Columns in this role, by their names; remedies of a fit name its options."""
    kind_option, missing_option = _OPTIONS_OF_FIT if is_fit else ("", "")

    def read(column: Column) -> Labels:
        if role == "target":
            return target_of(column, kind, kind_option, missing_option)
        if role == "known":
            return _known_labels(column)
        what = f"The column {shown(column.name)}{' of --against' if is_fit else ''}"
        return _classes(column, what, missing_option)

    return {column.name: read(column) for column in columns}


def target_of(
    column: Column,
    kind: str,
    kind_option: str = "",
    missing_option: str = "",
    n_samples: float | None = None,
) -> Labels:
    """A target as classes or as a quantity; ``kind`` may be ``"auto"``.

    ``n_samples`` is the sum of the weights, if rows have any.

    The options are those by which the verb lets its user overrule the kind, and leave out rows that
    have none; ``""`` if it does not.
    """
    what = f"The target {shown(column.name)}"
    _check_complete(column, what, missing_option)
    note = ""
    if kind == "auto":
        kind, note = _kind_of(column, kind_option, n_samples)
    labels = _quantity(column, what, kind_option) if kind == "real" else _classes(column, what)
    return replace(labels, note=note)


def _kind_of(column: Column, option: str, n_samples: float | None) -> tuple[str, str]:
    """The rule: text, booleans and a few whole numbers are classes, other numbers a quantity."""
    if column.kind in ("text", "boolean", "date"):
        return "classes", ""  # dates are refused there, by their name
    count = np.unique(column.numbers).size
    is_whole = column.kind == "integer"
    if is_whole and kind_of_integers(column.numbers, n_samples).target == "classes":
        note = (
            f"column {shown(column.name)} holds {count} different whole numbers, taken as classes"
        )
        return "classes", note + (f"; if they are a quantity, use {option} real" if option else "")
    note = f"column {shown(column.name)} is taken as a quantity"
    remedy = f"; if its {count} different numbers are classes, use {option} classes"
    may_be_classes = bool(option) and count <= most_classes(len(column))
    return "real", note + (remedy if may_be_classes else "")


def _quantity(column: Column, what: str, option: str) -> Labels:
    if not column.is_number:
        _check(check_category, column, what, _MEND)
        raise TableError(
            f"{what} must hold numbers to be a quantity. It holds text, such as "
            f"{shown(column.categories[0])}.",
            f"Use {option} classes." if option else "",
        )
    _check(check_number, column, what, "Mend or leave out these rows.")
    if np.all(column.numbers == column.numbers[0]):
        raise TableError(f"{what} is {column.numbers[0]:g} in all rows: nothing depends on it.")
    return Labels(column, "real", {})


def _check(check: Callable[[Column], object], column: Column, what: str, remedy: str) -> None:
    """A check of features, whose own remedy is to drop the column."""
    try:
        check(column)
    except TableError as error:
        raise TableError(f"{what} cannot be used. {error.problem}", remedy) from error


def _classes(column: Column, what: str, missing_option: str = "") -> Labels:
    """A column as labels, one a row; ``what`` begins the messages."""
    _check_complete(column, what, missing_option)
    if not column.is_number:
        _check(check_category, column, what, _MEND)
    coded = column.as_categories()
    if len(coded.categories) < 2:
        raise TableError(
            f"{what} is {shown(coded.categories[0])} in all {len(coded)} rows: there must be two "
            "classes at least."
        )
    if len(coded.categories) > most_classes(len(coded)):
        raise TableError(
            f"{what} has {len(coded.categories)} different values in {len(coded)} rows: too many "
            "for classes."
        )
    return Labels(column, "classes", _counts(coded))


def _known_labels(column: Column) -> Labels:
    """Partial labels: empty cells, and the number -1, are unknown."""
    what = f"The column {shown(column.name)} of known labels"
    if column.kind in ("date", "other"):
        raise TableError(f"{what} holds neither numbers nor text.")
    coded = column.as_categories()
    known = ~coded.missing
    if column.is_number:
        known &= column.numbers != UNKNOWN
    counts = {name: n for name, n in _counts(coded.take(known)).items() if n}
    if len(counts) < 1:
        raise TableError(f"{what} is empty: at least one row must have a label.")
    if len(counts) > most_classes(int(np.count_nonzero(known))):
        raise TableError(f"{what} has {len(counts)} different labels: too many for classes.")
    return Labels(column, "known", counts)


def _counts(coded: Column) -> dict[str, int]:
    codes = coded.codes[coded.codes >= 0]
    counts = np.bincount(codes, minlength=len(coded.categories)).tolist()
    return dict(zip(coded.categories, counts, strict=True))


def _check_complete(column: Column, what: str, option: str) -> None:
    if column.kind == "other":
        raise TableError(f"{what} holds neither numbers nor text.")
    missing = np.flatnonzero(column.missing)
    if missing.size == len(column):
        raise TableError(f"{what} is empty.")
    if missing.size:
        raise TableError(
            f"{what} is missing in {missing.size} of {len(column)} rows ({rows_of(missing)}).",
            f"Leave these rows out{f': use {option}' if option else ''}.",
            cure=(option,) if option else (),
        )
