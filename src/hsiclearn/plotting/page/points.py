"""The rows of the map, sampled where they are many, packed for the page; their columns, too.

Of the columns that are shown for a row under the pointer, the most important ones are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..._arrays import Array, FloatArray
from .._axes import class_style
from .._density import opening_range
from .._targets import Colouring
from .axes import MOST_COMPONENTS, composition, pack_axes, pack_held_out, sample_rows
from .buffers import Buffers, Packed, pack_codes, pack_column
from .reading import Reading

_MOST_COLOURINGS = 8
_BUDGET = 6_000_000  # characters in the page
_MOST_DETAILS = 200  # columns: nobody reads more about one row
_JOINS = ("=", "_", ":", " ")  # between a column and its category in the name of a feature
_AXES_BUDGET = 2_700_000  # characters; what they take beyond, the columns of the rows go without
_NAMES_BUDGET = 2_000_000  # characters of row names; beyond, rows are numbered
_N_COLOURS = 7  # of the palette
_BLACK, _ON_DARK = "#000000", "#F2F2F2"

Column = Callable[[Array], Any]


def shown_rows(reading: Reading, max_rows: int, random_state: int | None) -> Array:
    """Indices of the rows on the map."""
    by = next((c for c in reading.colourings if c.is_classes), None)
    codes = None if by is None else by.values
    return sample_rows(reading.rows.shape[0], codes, max_rows, random_state)


def pack_points(
    reading: Reading,
    X: Any,
    standardised: Sequence[Sequence[float]],
    shown: Array,
    row_names: Sequence[str] | None,
    details: Mapping[str, Any] | None,
) -> tuple[dict[str, Any], Buffers]:
    """What the script of the page reads, and the buffers it refers to."""
    buffers, n = Buffers(), reading.rows.shape[0]
    made_of = [composition(row, reading.names) for row in standardised[:MOST_COMPONENTS]]
    axes = pack_axes(buffers, reading.projection[shown, :MOST_COMPONENTS], made_of)
    held_out = pack_held_out(buffers, reading, shown, made_of)
    budget = _BUDGET - max(0, buffers.size - _AXES_BUDGET)
    columns = choose_details(details, X, reading.names, reading.importances, n, shown, budget)
    names = _row_names(buffers, row_names, shown, n)
    points: dict[str, Any] = {
        "n_shown": int(shown.size),
        "n_rows": n,
        "rows": None if shown.size == n else buffers.add(Packed(shown.astype(np.float64))),
        "row_names": names,
        "row_names_left_out": names is None and row_names is not None,
        "axes": axes,
        "held_out": held_out,
        "colourings": [
            _colouring(buffers, c, shown) for c in reading.colourings[:_MOST_COLOURINGS]
        ],
        "n_colourings": len(reading.colourings),
        "details": _details(buffers, columns),
        "n_details": columns.n_given,
        "palette": _palette(),
    }
    return points, buffers


def _row_names(
    buffers: Buffers, names: Sequence[str] | None, shown: Array, n: int
) -> dict[str, Any] | None:
    if names is None:
        return None
    if len(names) != n:
        raise ValueError(f"`row_names` must name each of the {n} rows of X. Got {len(names)}.")
    packed = pack_column(np.array([str(name) for name in names], dtype=object)[shown])
    return buffers.add(packed) if packed.size <= _NAMES_BUDGET else None


def _colouring(buffers: Buffers, column: Colouring, shown: Array) -> dict[str, Any]:
    if not column.is_classes:
        values = column.values[shown]
        packed = Packed(values.astype(np.float32), _extent(values))
        return {"name": column.name, "kind": "real", **buffers.add(packed)}
    codes, names = column.values[shown], list(column.names)
    unknown = None
    if column.n_unknown:  # the last class, drawn in grey
        unknown = len(names)
        names.append("unknown")
        codes = np.where(codes < 0, unknown, codes)
    packed = pack_codes(codes, len(names))
    kind = {"name": column.name, "kind": "classes", "classes": names, "unknown": unknown}
    return kind | buffers.add(packed)


def _extent(values: Array) -> dict[str, Any]:
    """The range that the colours stand for, and how far beyond it there are values."""
    whole = float(values.min()), float(values.max())
    low, high = opening_range(values) or whole
    extent: dict[str, Any] = {"low": low, "high": high}
    if (low, high) != whole:
        extent["reach"] = [(end - low) / (high - low) for end in whole]
    return extent


def _details(buffers: Buffers, details: Details) -> list[dict[str, Any]]:
    return [{"name": name, **buffers.add(packed)} for name, packed in details.columns]


def _palette() -> dict[str, list[str]]:
    """Colours of classes on light and on dark ground."""
    light = [class_style(i)["color"] for i in range(_N_COLOURS)]
    return {"light": light, "dark": [_ON_DARK if c == _BLACK else c for c in light]}


@dataclass(frozen=True)
class Details:
    """Packed columns by name, and how many there were."""

    columns: list[tuple[str, Packed]]
    n_given: int


def choose_details(
    details: Mapping[str, Any] | None,
    X: Any,
    names: list[str],
    importances: FloatArray,
    n_samples: int,
    shown: Array,
    budget: int = _BUDGET,
) -> Details:
    """The columns of highest importance that fit into ``budget`` characters."""
    columns = _from_table(X, names) if details is None else _from_mapping(details, n_samples)
    weights = _weights([name for name, _ in columns], names, importances)
    chosen: list[tuple[str, Packed]] = []
    for j in np.argsort(-weights, kind="stable")[:_MOST_DETAILS]:
        name, column = columns[j]
        packed = pack_column(column(shown))
        if packed.size <= budget:
            budget -= packed.size
            chosen.append((name, packed))
    return Details(chosen, len(columns))


def _from_mapping(details: Mapping[str, Any], n_samples: int) -> list[tuple[str, Column]]:
    for name, values in details.items():
        if np.shape(values) != (n_samples,):
            raise ValueError(
                f"`details` must hold {n_samples} values per column, one for each row of X. Column "
                f"{str(name)!r} has shape {np.shape(values)}."
            )
    return [(str(name), _taker(values)) for name, values in details.items()]


def _from_table(X: Any, names: list[str]) -> list[tuple[str, Column]]:
    """The columns of X: of a data frame or Table, of a sparse matrix, of an array."""
    if hasattr(X, "columns"):  # a column of a Table knows its name, that of a data frame is one
        keys = [getattr(column, "name", column) for column in X.columns]
        return [(str(key), _taker(X[key])) for key in keys]
    array = X.tocsc() if sparse.issparse(X) else np.asarray(X)
    if array.shape[1] != len(names):
        names = [f"column {j + 1}" for j in range(array.shape[1])]
    return [(name, _part(array, j)) for j, name in enumerate(names)]


def _taker(values: Any) -> Column:
    return lambda shown: np.asarray(values)[shown]


def _part(array: Any, j: int) -> Column:
    if sparse.issparse(array):
        return lambda shown: array[:, [j]].toarray()[shown, 0]
    return lambda shown: array[shown, j]


def _weights(columns: list[str], features: list[str], importances: FloatArray) -> FloatArray:
    """The importance of each column: that of its feature, or of its categories together."""
    place = {name: j for j, name in enumerate(columns)}
    weights = np.zeros(len(columns))
    for feature, importance in zip(features, importances, strict=True):
        name = feature if feature in place else _source(feature, place)
        if name is not None:
            weights[place[name]] += importance
    return weights


def _source(feature: str, columns: Mapping[str, int]) -> str | None:
    """The longest name of a column that a feature's name begins with."""
    ends = [i for i, letter in enumerate(feature) if letter in _JOINS]
    return next((feature[:i] for i in reversed(ends) if feature[:i] in columns), None)
