"""The rows of the map, sampled where they are many, packed for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._arrays import Array
from .._limits import opening_range
from .._style import class_style
from .._targets import Colouring
from .axes import MOST_COMPONENTS, composition, pack_axes, pack_held_out
from .buffers import Buffers, Packed, pack_codes, pack_column
from .details import BUDGET, Details, choose_details
from .reading import Reading
from .sampling import sample_rows

__all__ = ["pack_points", "shown_rows"]

_MOST_COLOURINGS = 8
_AXES_BUDGET = 2_700_000  # characters; what they take beyond, the columns of the rows go without
_NAMES_BUDGET = 2_000_000  # characters of row names; beyond, rows are numbered
_N_COLOURS = 7  # of the palette
_BLACK, _ON_DARK = "#000000", "#F2F2F2"


def shown_rows(reading: Reading, max_rows: int, random_state: int | None) -> Array:
    """Indices of the rows on the map."""
    by = next((c for c in reading.colourings if c.is_classes), None)
    codes = None if by is None else by.codes
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
    budget = BUDGET - max(0, buffers.size - _AXES_BUDGET)
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
        values = np.asarray(column.values)[shown]
        packed = Packed(values.astype(np.float32), _extent(values))
        return {"name": column.name, "kind": "real", **buffers.add(packed)}
    codes, names = np.asarray(column.codes)[shown], list(column.names)
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
