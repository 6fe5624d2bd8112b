"""The rows of the map, sampled where they are many, packed for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._arrays import Array
from .._style import class_style
from .buffers import Buffers, Packed, pack_codes, pack_column, pack_steps
from .details import Details, choose_details
from .labelling import Labelling
from .reading import Reading
from .sampling import sample_rows

__all__ = ["MOST_COMPONENTS", "pack_points", "shown_rows"]

MOST_COMPONENTS = 10  # of the map
_MOST_COLOURINGS = 8
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
    shown: Array,
    row_names: Sequence[str] | None,
    details: Mapping[str, Any] | None,
) -> tuple[dict[str, Any], Buffers]:
    """What the script of the page reads, and the buffers it refers to."""
    buffers, n = Buffers(), reading.rows.shape[0]
    columns = choose_details(details, X, reading.names, reading.importances, n, shown)
    Z = reading.projection[shown, :MOST_COMPONENTS]
    names = _row_names(buffers, row_names, shown, n)
    points: dict[str, Any] = {
        "n_shown": int(shown.size),
        "n_rows": n,
        "rows": None if shown.size == n else buffers.add(Packed(shown.astype(np.float64))),
        "row_names": names,
        "row_names_left_out": names is None and row_names is not None,
        "axes": [
            {"name": f"component {k + 1}", **buffers.add(pack_steps(Z[:, k]))}
            for k in range(Z.shape[1])
        ],
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


def _colouring(buffers: Buffers, column: Labelling, shown: Array) -> dict[str, Any]:
    if not column.is_classes:
        values = np.asarray(column.values)[shown]
        extent = {"low": float(values.min()), "high": float(values.max())}
        packed = Packed(values.astype(np.float32), extent)
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


def _details(buffers: Buffers, details: Details) -> list[dict[str, Any]]:
    return [{"name": name, **buffers.add(packed)} for name, packed in details.columns]


def _palette() -> dict[str, list[str]]:
    """Colours of classes on light and on dark ground."""
    light = [class_style(i)["color"] for i in range(_N_COLOURS)]
    return {"light": light, "dark": [_ON_DARK if c == _BLACK else c for c in light]}
