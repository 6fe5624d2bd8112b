"""Which engine for rows on a device, and up to how many rows."""

from __future__ import annotations

from ..._arrays import Array
from ..._engines import MEASURE, EngineChoice, Limits
from .sides import DeviceSide

VALUE, PERMUTED = 200_000, 100_000
"""Rows of which an accelerator visits all pairs, once, or once for each order: some seconds."""

_ACCELERATORS = ("cuda", "gpu", "hip", "xpu", "tpu")


def device_choice(x: DeviceSide, y: DeviceSide, engine: str, limits: Limits) -> EngineChoice:
    """All pairs in tiles where these take seconds, or features."""
    n, where = x.n_samples, f"On {x.device}, {_precision(x, y)}"
    if engine != "auto":
        return EngineChoice(engine, f"{where}. engine={engine!r} was asked for.")
    pairs = limits.pairs
    if is_accelerator(x.like):
        pairs = VALUE if limits == MEASURE else PERMUTED
    if n <= pairs:
        return EngineChoice("tiled", f"{where}. {n} rows are at most {pairs}: all pairs in tiles.")
    if not (x.has_features and y.has_features):
        return EngineChoice(
            "tiled", f"{where}. A side is known pair by pair only: all pairs are visited."
        )
    return EngineChoice("nystrom", f"{where}. {n} rows are more than {pairs}: one pass over them.")


def is_accelerator(array: Array) -> bool:
    """Whether an array is on a device that makes a million kernel values in microseconds."""
    where = str(getattr(array, "device", "")).lower()
    return any(name in where for name in _ACCELERATORS)


def _precision(x: DeviceSide, y: DeviceSide) -> str:
    names = sorted({x.dtype.name, y.dtype.name})
    return " and ".join(names)
