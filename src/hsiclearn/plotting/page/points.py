"""The rows of the map, sampled where they are many, packed for the page; their columns, too.

Of the columns that are shown for a row under the pointer, the most important ones are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..._arrays import Array, FloatArray
from ..._devices import here
from .._axes import COLOURS
from .._density import opening_range
from .._names import names_for
from .._targets import Colouring
from .buffers import Buffers, Packed, pack_axis, pack_codes, pack_column
from .reading import Reading
from .words import MINUS

MOST_COMPONENTS = 10  # of the map
_FLATTEST = 0.02  # length of an axis beside that of the longest
_MOST_PARTS = 6  # features of an axis; the script shows as many as fit
_LONGEST = 24  # characters of a name among them
_MOST_COLOURINGS = 8
_BUDGET = 6_000_000  # characters in the page
_MOST_DETAILS = 200  # columns: nobody reads more about one row
_JOINS = ("=", "_", ":", " ")  # between a column and its category in the name of a feature
_AXES_BUDGET = 2_700_000  # characters; what they take beyond, the columns of the rows go without
_NAMES_BUDGET = 2_000_000  # characters of row names; beyond, rows are numbered
_ON_DARK = {"#000000": "#F2F2F2"}  # black is not seen on dark ground


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
    held_out = _held_out(buffers, reading, shown, made_of)
    budget = _BUDGET - max(0, buffers.size - _AXES_BUDGET)
    columns, n_details = choose_details(
        details, X, reading.names, reading.importances, n, shown, budget
    )
    names = None
    if row_names is not None:
        all_names = names_for("row_names", row_names, range(n), "rows of X")
        packed = pack_column(np.array(all_names, dtype=object)[shown])
        names = buffers.add(packed) if packed.size <= _NAMES_BUDGET else None
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
        "details": [{"name": name, **buffers.add(packed)} for name, packed in columns],
        "n_details": n_details,
        "palette": {"light": COLOURS, "dark": [_ON_DARK.get(c, c) for c in COLOURS]},
    }
    return points, buffers


def composition(loadings: Sequence[float], names: Sequence[str]) -> list[str]:
    """The features of most weight in a component, with their loadings."""
    w = np.asarray(loadings, dtype=np.float64)
    order = np.argsort(-np.abs(w), kind="stable")[:_MOST_PARTS]
    return [f"{_short(names[j])} {w[j]:+.2f}".replace("-", MINUS) for j in order if w[j] != 0.0]


def _short(name: str) -> str:
    text = " ".join(str(name).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def title(component: int, parts: Sequence[str], room: int = 46) -> str:
    """The name of a component with as much of its composition as ``room`` characters hold."""
    name = f"component {component + 1}"
    for count in range(len(parts), 0, -1):
        more = ", …" if count < len(parts) else ""
        whole = f"{name}: {', '.join(parts[:count])}{more}"
        if len(whole) <= room:
            return whole
    return name


def pack_axes(buffers: Buffers, Z: FloatArray, compositions: list[list[str]]) -> list[Any]:
    """A buffer per component, and what its axis says."""
    least = _FLATTEST * float(np.ptp(Z, axis=0).max())
    return [
        {"name": f"component {k + 1}", "made_of": parts, **buffers.add(pack_axis(z, least))}
        for k, (z, parts) in enumerate(zip(Z.T, compositions, strict=False))
    ]


def held_out_rows(reading: Reading, shown: Array) -> tuple[Array, FloatArray] | None:
    """Places among the rows shown that were held out, and where a fit without them puts them."""
    found = getattr(getattr(reading.step, "selection_", None), "out_of_fold", None)
    if found is None or not reading.origin.same_rows:
        return None
    kept = np.isin(found.rows, shown)
    places = np.searchsorted(shown, found.rows[kept])
    Z = np.asarray(found.Z, dtype=np.float64)[kept, :MOST_COMPONENTS]
    return (places, Z) if kept.any() else None


def _held_out(
    buffers: Buffers, reading: Reading, shown: Array, compositions: list[list[str]]
) -> dict[str, Any] | None:
    """The same rows as held out, and whether the map shows them so at first."""
    found = held_out_rows(reading, shown)
    if found is None:
        return None
    places, Z = found
    return {
        "rows": buffers.add(Packed(places.astype(np.float64))),
        "n_rows": int(places.size),
        "axes": pack_axes(buffers, Z, compositions),
        "at_first": reading.is_wide,
    }


def _colouring(buffers: Buffers, column: Colouring, shown: Array) -> dict[str, Any]:
    about: dict[str, Any] = {"name": column.name, "kind": column.kind}
    values = column.values[shown]
    if not column.is_classes:
        return about | buffers.add(Packed(values.astype(np.float32), _extent(values)))
    names, unknown = list(column.names), None
    if column.n_unknown:  # the last class, drawn in grey
        unknown = len(names)
        names.append("unknown")
        values = np.where(values < 0, unknown, values)
    packed = pack_codes(values, len(names))
    return about | {"classes": names, "unknown": unknown} | buffers.add(packed)


def _extent(values: Array) -> dict[str, Any]:
    """The range that the colours stand for, and how far beyond it there are values."""
    whole = float(values.min()), float(values.max())
    low, high = opening_range(values) or whole
    extent: dict[str, Any] = {"low": low, "high": high}
    if (low, high) != whole:
        extent["reach"] = [(end - low) / (high - low) for end in whole]
    return extent


def choose_details(
    details: Mapping[str, Any] | None,
    X: Any,
    names: list[str],
    importances: FloatArray,
    n_samples: int,
    shown: Array,
    budget: int = _BUDGET,
) -> tuple[list[tuple[str, Packed]], int]:
    """The columns of highest importance that fit into ``budget`` characters, and how many exist."""
    columns, values_of = _columns(details, X, names, n_samples)
    chosen = []
    for j in np.argsort(-_weights(columns, names, importances), kind="stable")[:_MOST_DETAILS]:
        packed = pack_column(values_of(j)[shown])
        if packed.size <= budget:
            budget -= packed.size
            chosen.append((columns[j], packed))
    return chosen, len(columns)


def _columns(
    details: Mapping[str, Any] | None, X: Any, names: list[str], n_samples: int
) -> tuple[list[str], Callable[[int], Array]]:
    """Names and, by number, values of the columns given, or of X: of a table or a matrix."""
    if details is None and not hasattr(X, "columns"):
        array: Any = X.tocsc() if sparse.issparse(X) else np.asarray(here(X))
        if array.shape[1] != len(names):
            names = [f"column {j + 1}" for j in range(array.shape[1])]
        if sparse.issparse(array):
            return names, lambda j: array[:, [j]].toarray()[:, 0]
        return names, lambda j: array[:, j]
    table: Any = X if details is None else details
    if details is None:  # a column of a Table knows its name, that of a data frame is one
        keys = [getattr(column, "name", column) for column in X.columns]
    else:
        keys = list(details)
        for name, values in details.items():
            if np.shape(values) != (n_samples,):
                raise ValueError(
                    f"`details` must hold {n_samples} values per column, one for each row of X. "
                    f"Column {str(name)!r} has shape {np.shape(values)}."
                )
    return [str(key) for key in keys], lambda j: np.asarray(table[keys[j]])


def _weights(columns: list[str], features: list[str], importances: FloatArray) -> FloatArray:
    """The importance of each column: that of its feature, or of its categories together.

    A feature belongs to the column with the longest name that its own begins with.
    """
    place = {name: j for j, name in enumerate(columns)}
    weights = np.zeros(len(columns))
    for feature, importance in zip(features, importances, strict=True):
        ends = [len(feature), *(i for i, c in reversed([*enumerate(feature)]) if c in _JOINS)]
        name = next((feature[:i] for i in ends if feature[:i] in place), None)
        if name is not None:
            weights[place[name]] += importance
    return weights


def shown_rows(reading: Reading, max_rows: int, random_state: int | None) -> Array:
    """Indices of the rows on the map."""
    by = next((c for c in reading.colourings if c.is_classes), None)
    codes = None if by is None else by.values
    return sample_rows(reading.rows.shape[0], codes, max_rows, random_state)


def sample_rows(
    n_samples: int, codes: Array | None, max_rows: int, random_state: int | None
) -> Array:
    """Indices of at most ``max_rows`` rows, ascending; of each class in proportion, one at least.

    ``codes`` are of classes, -1 a class of its own; None draws from all rows alike.
    """
    if n_samples <= max_rows:
        return np.arange(n_samples)
    rng = np.random.default_rng(random_state)
    codes = np.zeros(n_samples) if codes is None else codes
    _, classes, counts = np.unique(codes, return_inverse=True, return_counts=True)
    if counts.size > max_rows:  # not even one of each
        return sample_rows(n_samples, None, max_rows, random_state)
    chosen = [
        rng.choice(np.flatnonzero(classes == c), n, replace=False)
        for c, n in enumerate(_quotas(counts, max_rows))
    ]
    return np.sort(np.concatenate(chosen))


def _quotas(counts: Array, total: int) -> list[int]:
    """How many of each class: one, and of the rest in proportion, by largest remainders."""
    ideal = (counts - 1) * ((total - counts.size) / (counts.sum() - counts.size))
    quotas = np.floor(ideal).astype(int)
    short = total - counts.size - int(quotas.sum())
    quotas[np.argsort(quotas - ideal, kind="stable")[:short]] += 1
    return [int(n) + 1 for n in quotas]
