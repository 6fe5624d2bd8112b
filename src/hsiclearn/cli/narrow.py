"""Directions that say nothing, since the rows hardly differ along them."""

from __future__ import annotations

from typing import Any

from .console import Console

__all__ = ["warn_of_narrow"]

_FLAT = 1e-6  # sd relative to the widest direction: rounding
_NARROW = 0.05  # sd relative to the bandwidth: distances change by some 0.1 %


def warn_of_narrow(answer: dict[str, Any], console: Console) -> None:
    """Name them, and how many components are left without them.

    A kernel wider than all the rows sees no direction but by its width beside the others.
    """
    components, bandwidth = answer["components"], answer["bandwidth"]
    widest = max(component["sd"] for component in components)
    scale = 0.0 if bandwidth is None else min(bandwidth, widest)
    told = {}
    for component in components:
        name, sd = f"component {component['component']}", component["sd"]
        if sd <= _FLAT * widest:
            told[name] = f"{name} is the same for all rows, so it says nothing"
        elif sd < _NARROW * scale:
            told[name] = (
                f"{name} hardly varies beside the bandwidth (sd {sd:.2g}, bandwidth "
                f"{bandwidth:.3g}): it adds nothing"
            )
    left = max(1, len(components) - len(told))
    for text in told.values():
        console.warn(f"{text}; try --components {left}")
