"""The axes of the map: which rows are on it, where they are, and what each component is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from .._density import opening_range
from .buffers import Buffers, Packed, pack_steps
from .reading import Reading
from .words import MINUS

MOST_COMPONENTS = 10  # of the map
_FLATTEST = 0.02  # length of an axis beside that of the longest
_MOST_PARTS = 6  # features of an axis; the script shows as many as fit
_LONGEST = 24  # characters of a name among them


def composition(loadings: Sequence[float], names: Sequence[str]) -> list[str]:
    """The features of most weight in a component, with their loadings."""
    w = np.asarray(loadings, dtype=np.float64)
    order = np.argsort(-np.abs(w), kind="stable")[:_MOST_PARTS]
    return [f"{_short(names[j])} {w[j]:+.2f}".replace("-", MINUS) for j in order if w[j] != 0.0]


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
        {"name": f"component {k + 1}", "made_of": parts, **buffers.add(_pack(z, least))}
        for k, (z, parts) in enumerate(zip(Z.T, compositions, strict=False))
    ]


def _pack(values: FloatArray, least: float) -> Packed:
    """In steps; where rows are far off, as shares of the range that the map opens on.

    ``low`` and ``high`` are the ends of that range, ``reach`` those of all rows, in shares of it.
    An axis is ``least`` long: rows that hardly differ lie on a line, and do not look far apart.
    """
    if np.ptp(values) < least:
        low = float(values.mean()) - 0.5 * least
        shares = (values - low) / least
        return Packed(shares.astype(np.float32), {"low": low, "high": low + least})
    opening = opening_range(values)
    if opening is None:
        return pack_steps(values)
    low, high = opening
    shares = (values - low) / (high - low)
    about = {"low": low, "high": high, "reach": [float(shares.min()), float(shares.max())]}
    return Packed(shares.astype(np.float32), about)


def held_out_rows(reading: Reading, shown: Array) -> tuple[Array, FloatArray] | None:
    """Places among the rows shown that were held out, and where a fit without them puts them."""
    found = reading.held_out
    if found is None:
        return None
    kept = np.isin(found.rows, shown)
    if not kept.any():
        return None
    places = np.searchsorted(shown, found.rows[kept])
    return places, np.asarray(found.Z, dtype=np.float64)[kept, :MOST_COMPONENTS]


def pack_held_out(
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


def _short(name: str) -> str:
    text = " ".join(str(name).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def sample_rows(
    n_samples: int, codes: Array | None, max_rows: int, random_state: int | None
) -> Array:
    """Indices of at most ``max_rows`` rows, ascending; of each class in proportion, one at least.

    ``codes`` are of classes, -1 a class of its own; None draws from all rows alike.
    """
    if n_samples <= max_rows:
        return np.arange(n_samples)
    rng = np.random.default_rng(random_state)
    if codes is None:
        return np.sort(rng.choice(n_samples, max_rows, replace=False))
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
