"""Directions that say nothing, since the rows hardly differ along them."""

from __future__ import annotations

from typing import Any

from ..inspection._spread import FLAT, hardly_vary
from .console import Console

__all__ = ["warn_of_narrow"]


def warn_of_narrow(answer: dict[str, Any], console: Console) -> None:
    """Name them, and how many components are left without them."""
    components, bandwidth = answer["components"], answer["bandwidth"]
    deviations = [component["sd"] for component in components]
    narrow = hardly_vary(deviations, bandwidth)
    left = max(1, len(components) - int(narrow.sum()))
    for component, is_narrow in zip(components, narrow, strict=True):
        name, sd = f"component {component['component']}", component["sd"]
        if not is_narrow:
            continue
        if sd <= FLAT * max(deviations):
            why = "is the same for all rows, so it says nothing"
        else:
            beside = f"(sd {sd:.2g}, bandwidth {bandwidth:.3g})"
            why = f"hardly varies beside the bandwidth {beside}: it adds nothing"
        console.warn(f"{name} {why}; try --components {left}")
