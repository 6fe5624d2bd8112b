"""Columns in base64, in as few bytes as their use on a screen allows."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from .._density import opening_range

STEPS = 65535  # of a coordinate: finer than any screen
_WHOLE_IN_FLOAT32 = 2**24  # beyond, single precision has no room for all whole numbers
_HUGE = 1e37  # near the end of single precision
_TYPES = {"u1": "u8", "u2": "u16", "f4": "f32", "f8": "f64"}


@dataclass(frozen=True)
class Packed:
    """Numbers as little-endian bytes, and what a reader must know of them beside the type."""

    values: Array
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Characters in the page, near enough."""
        return -(-self.values.nbytes * 4 // 3) + len(json.dumps(self.about))


@dataclass
class Buffers:
    """The buffers of a page, in the order in which they were added."""

    texts: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Characters in the page."""
        return sum(map(len, self.texts))

    def add(self, packed: Packed) -> dict[str, Any]:
        """Keep the bytes; return what the script needs to read them."""
        kind = packed.values.dtype.str[1:]
        values = packed.values.astype(f"<{kind}", copy=False)
        self.texts.append(base64.b64encode(values.tobytes()).decode("ascii"))
        return {"buffer": len(self.texts) - 1, "type": _TYPES[kind], **packed.about}


def pack_codes(codes: Array, n_codes: int) -> Packed:
    """Whole numbers below ``n_codes`` in one or two bytes."""
    return Packed(codes.astype(np.uint8 if n_codes <= 256 else np.uint16))


def pack_axis(values: FloatArray, least: float) -> Packed:
    """A coordinate in steps; where rows are far off, as shares of the range that the map opens on.

    ``low`` and ``high`` are the ends of that range, ``reach`` those of all rows, in shares of it.
    An axis is ``least`` long: rows that hardly differ lie on a line, and do not look far apart.
    """
    low, high = float(values.min()), float(values.max())
    if np.ptp(values) < least:
        low = float(values.mean()) - 0.5 * least
        shares, about = (values - low) / least, {"low": low, "high": low + least}
        return Packed(shares.astype(np.float32), about)
    opening = opening_range(values)
    if opening is None:
        scale = STEPS / (high - low) if high > low else 0.0
        steps = np.rint((values - low) * scale)
        return Packed(steps.astype(np.uint16), {"low": low, "high": high})
    low, high = opening
    shares = (values - low) / (high - low)
    reach = [float(shares.min()), float(shares.max())]
    return Packed(shares.astype(np.float32), {"low": low, "high": high, "reach": reach})


def pack_column(column: Any) -> Packed:
    """A column of any kind: numbers as they are or by their number in a list, the rest by that."""
    array = np.asarray(column)
    if array.dtype.kind not in "iuf":
        return _listed(np.array([_text(value) for value in array.tolist()], dtype=object))
    number = _number(array)
    distinct = np.unique(array[:5000])  # a look at some, since all of them would take a while
    if distinct.size > 256:
        return number
    listed = _listed(array)
    return listed if listed.size < number.size else number


def _number(array: Array) -> Packed:
    """Single precision; double for large whole numbers, such as identifiers."""
    finite = array[np.isfinite(array)].astype(np.float64)
    extreme = float(np.abs(finite).max(initial=0.0))
    whole = extreme > _WHOLE_IN_FLOAT32 and bool((finite == np.rint(finite)).all())
    return Packed(array.astype(np.float64 if whole or extreme > _HUGE else np.float32))


def _listed(array: Array) -> Packed:
    """A list of the different values, and the number of each row's in it."""
    values, codes = np.unique(array, return_inverse=True)
    if values.size > STEPS + 1:  # names, nearly all different: a list of all, without numbers
        return Packed(np.empty(0, dtype=np.uint8), {"list": array.tolist()})
    told = [  # JSON has no NaN
        None if isinstance(value, float) and not np.isfinite(value) else value
        for value in values.tolist()
    ]
    return Packed(pack_codes(codes.ravel(), values.size).values, {"list": told})


def _text(value: Any) -> str:
    """What a cell shows; nothing where a value is missing."""
    if value is None:
        return ""
    try:
        return "" if bool(value != value) else str(value)  # noqa: PLR0124
    except TypeError:  # pandas' NA has no truth value
        return ""
