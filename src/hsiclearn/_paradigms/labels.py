"""One reading of labels: which classes there are, and the number of each row's among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import and_, itemgetter
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray, array_namespace
from .._columns import AbstractColumn, Column, View, as_values, fold, mapped
from .._counts import Counts
from .._devices import here, in_dtype, is_foreign, numpy_dtype, to_host
from ..exceptions import DegenerateDataError

LARGEST_TABLE = 5000
"""Classes: theirs by themselves takes 200 MB."""

UNKNOWN = -1
"""The code of a row whose class is not known."""


@dataclass(frozen=True, eq=False)
class ClassLabels:
    """``codes`` number the ``classes``, which are in order; -1 where a row's class is unknown."""

    codes: Column
    classes: Array

    @property
    def known(self) -> Array:
        """Which rows have a class."""
        return self.codes >= 0

    @property
    def n_unknown(self) -> int:
        """Rows without a class."""
        return int(np.count_nonzero(self.codes < 0))

    @property
    def counts(self) -> Array:
        """Rows of every class."""
        return np.bincount(self.codes[self.known], minlength=self.classes.size)

    @property
    def names(self) -> tuple[str, ...]:
        """The classes as text."""
        return tuple(str(label) for label in self.classes)

    def centered_one_hot(self, counts: Counts | None = None) -> FloatArray | View:
        """``H Yhat`` among the rows with a class, as often as these count; zero for the others.

        Of codes that are elsewhere rows of Yhat itself, when some are fetched.
        """
        if isinstance(self.codes, AbstractColumn):
            return View(lambda index: one_hot(self.codes[index], self.classes.size))
        U = one_hot(self.codes, self.classes.size)
        known = np.flatnonzero(self.known)
        U[known] -= (counts or Counts(len(U))).take(known).mean(U[known])
        return U


def one_hot(codes: Array, n_classes: int) -> FloatArray:
    """``Y_ic = 1`` where row i is of class c; rows of class -1 are zero."""
    return np.asarray(np.asarray(codes)[:, None] == np.arange(n_classes), dtype=np.float64)


def as_column(y: Any) -> Array:
    """Y as an array, a matrix of one column as a vector."""
    values = as_values(here(y))
    return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values


def missing_among(values: Array) -> Array:
    """Which entries are None, NaN, NaT or pandas' NA."""
    if values.dtype.kind in "fc":
        return np.isnan(values)
    if values.dtype.kind not in "OMm":
        return np.zeros(values.shape, dtype=bool)

    def is_missing(label: Any) -> bool:
        try:
            return label is None or bool(label != label)  # noqa: PLR0124
        except TypeError:  # pandas' NA is equal to nothing and has no truth value
            return True

    found = [is_missing(label) for label in values.ravel()]
    return np.array(found, dtype=bool).reshape(values.shape)


def is_minus_one(labels: Array) -> Array:
    """Which labels are -1, as a number or as a string."""
    if labels.dtype.kind in "iufb":
        return labels == UNKNOWN
    words = ("-1", "-1.0") if labels.dtype.kind == "O" else ("-1",)
    return np.isin(labels.astype(str), words)


def kind_of_guidance(y: Any) -> str:
    """The rule behind ``guidance="auto"``: a column of integers or strings is partial labels."""
    values = as_values(y)

    def is_whole_with_minus_one(_: slice, part: Array) -> Array:
        return np.array([np.any(part == UNKNOWN), not np.any(part != np.round(part))])

    def both(a: Array, b: Array) -> Array:
        return np.array([a[0] or b[0], a[1] and b[1]])

    is_column = values.ndim == 1 and values.dtype.kind == "f"
    if is_column and fold(values, is_whole_with_minus_one, both, "check").all():
        raise ValueError(
            "y is a column of whole numbers in floating point with -1 among them: partial "
            "labels or scores? Pass guidance='labels' or guidance='scores'."
        )
    return "labels" if values.ndim == 1 and values.dtype.kind in "iubOUS" else "scores"


def read_labels(y: Any, name: str = "y", *, partial: bool = False) -> ClassLabels:
    """A vector of labels. What is missing is unknown; with ``partial``, so is -1."""
    if isinstance(y, AbstractColumn):
        return _read_elsewhere(y, name, partial)
    if is_foreign(y) and not partial:
        return _read_on_device(y)
    labels = to_host(y)
    known = ~missing_among(labels)
    if partial:
        known &= ~is_minus_one(labels)
    try:
        classes, found = np.unique(labels[known], return_inverse=True)
    except TypeError as error:
        kinds = sorted({type(label).__name__ for label in labels[known]})
        raise ValueError(
            f"The labels in {name} must be comparable. Got a mixture of {kinds}: make them strings."
        ) from error
    codes = np.full(labels.size, UNKNOWN, dtype=np.intp)
    codes[known] = found
    return ClassLabels(codes, classes)


def different_on_device(y: Array) -> Array:
    """The different ones of a column of whole numbers, in order, where it is; of booleans 0, 1."""
    whole = in_dtype(y, np.int8) if numpy_dtype(y).kind == "b" else y
    xp = array_namespace(whole)
    return xp.sort(xp.unique_values(xp.reshape(whole, (-1,))))


def _read_on_device(y: Array) -> ClassLabels:
    """Whole numbers or booleans: the number of each is found there, and comes here in 32 bits."""
    found = different_on_device(y)
    codes = array_namespace(found).searchsorted(found, in_dtype(y, numpy_dtype(found)))
    classes = to_host(found).astype(numpy_dtype(y))
    return ClassLabels(to_host(in_dtype(codes, np.int32)), classes)


def different(a: Array, b: Array, name: str) -> Array:
    """The different labels of two parts, each of which has some of one kind."""
    try:
        return np.unique(np.concatenate([a, b]))
    except TypeError as error:
        kinds = sorted({type(label).__name__ for label in (a[0], b[0])})
        raise ValueError(
            f"The labels in {name} must be comparable. Got a mixture of {kinds}: make them strings."
        ) from error


def _read_elsewhere(y: AbstractColumn, name: str, partial: bool) -> ClassLabels:
    """What there is in all parts, and codes that stay where these are."""
    n = len(y)

    def classes_of(_: slice, labels: Array) -> Array:
        return read_labels(labels, name, partial=partial).classes

    def both(a: Array, b: Array) -> Array:
        classes = different(a, b, name)
        if classes.size > LARGEST_TABLE:
            raise ValueError(
                f"At most {LARGEST_TABLE} classes can be told apart: a table of classes by "
                f"classes is kept. Got more than that in {name}, which has {n} rows. If they "
                "are quantities, pass floats or target='real'; if they are names of rows, pass "
                "another column."
            )
        return classes

    classes = y.fold(classes_of, both, "classes")
    dtype = np.min_scalar_type(-max(classes.size, 1) if partial else classes.size)

    def codes_of(labels: Array) -> Array:
        read = read_labels(labels, name, partial=partial)
        numbers = np.append(np.searchsorted(classes, read.classes), UNKNOWN)
        return numbers[read.codes].astype(dtype)

    return ClassLabels(y.map(codes_of), classes)


def read_labellings(y: Any, n_samples: int) -> list[ClassLabels]:
    """One complete labelling, or each column of several, that group the rows."""
    labels = _checked(y, partial(_finite, remedy="drop those rows, or name the missing class"))
    if labels.ndim not in (1, 2) or labels.shape[0] != n_samples:
        raise ValueError(
            f"y must hold one label per row of X, shape ({n_samples},), or several labellings, "
            f"shape ({n_samples}, m). Got shape {labels.shape}."
        )
    if labels.ndim == 1:
        return [_grouping(labels)]
    return [_grouping(mapped(labels, itemgetter((slice(None), j)))) for j in range(labels.shape[1])]


def _checked(y: Any, read: Callable[[Array], Array]) -> Column:
    """Labels as they are read; elsewhere part by part, and an error names the part."""
    if not isinstance(y, AbstractColumn):
        return read(np.asarray(y))
    y.fold(lambda _, part: bool(len(read(part))), and_, "check")
    return y.map(read)


def _grouping(column: Column) -> ClassLabels:
    labels = read_labels(column)
    n_classes = labels.classes.size
    if n_classes < 2:
        raise DegenerateDataError(
            f"A labelling to stay away from must have at least 2 classes. Got one, "
            f"{labels.classes.tolist()[0]!r}, in {column.size} rows: leave it out."
        )
    if n_classes == column.size:
        raise DegenerateDataError(
            f"A labelling to stay away from must group rows. Got {n_classes} different labels "
            f"in {column.size} rows: bin a quantity into a few classes first."
        )
    return labels


def read_partial_labels(y: Any, n_samples: int) -> ClassLabels:
    """A column of labels, whole numbers or strings, in which -1 means unknown."""
    labels = _checked(y, _partial)
    if labels.shape != (n_samples,):
        raise ValueError(
            f"Partial labels must have one entry per row of X, shape ({n_samples},). "
            f"Got shape {labels.shape}."
        )
    read = read_labels(labels, partial=True)
    if read.classes.size == 0:
        raise ValueError(
            f"All {n_samples} labels are -1, that is unknown. Name some rows, or pass y=None for "
            "an unsupervised fit."
        )
    return read


def _partial(y: Array) -> Array:
    labels = _finite(y, "use -1, or '-1' among strings, where the class is unknown")
    if labels.dtype.kind == "f" and not np.all(labels == np.round(labels)):
        raise ValueError(
            "Partial labels must be whole numbers or strings. Got fractions: for scores pass "
            "guidance='scores'."
        )
    return labels.astype(str if labels.dtype.kind in "US" else np.int64)


def _finite(y: Any, remedy: str) -> Array:
    """Labels as an array of numbers or strings; missing ones are an error."""
    labels = np.asarray(y)
    is_bad = ~np.isfinite(labels) if labels.dtype.kind == "f" else missing_among(labels)
    if np.any(is_bad):
        raise ValueError(
            f"Labels must be finite. Got {np.count_nonzero(is_bad)} NaN or infinite or missing "
            f"entries of {labels.size}: {remedy}."
        )
    # Whole numbers among objects are numbers.
    return np.array(labels.tolist()) if labels.dtype.kind == "O" else labels
