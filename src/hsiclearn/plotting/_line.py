"""Rows along one component: a histogram per class, one above the other, each on a rug."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ._density import whole_range

__all__ = ["draw_histograms", "rug"]

_TALLEST = 0.75  # of the distance between two baselines
_MOST_TICKS = 2000  # of a rug: as many as there are pixels
_MOST_NAMES = 25


def draw_histograms(
    ax: Any, z: FloatArray, codes: Array, names: Sequence[str], colours: Sequence[str]
) -> FloatArray:
    """Draw, and return the counts, a row per class. Equal areas are equal shares of a class."""
    bins = int(np.clip(2.0 * np.sqrt(z.size), 6, 100))
    edges = np.histogram_bin_edges(z, bins, whole_range(z))
    below = min(0.03 * len(names), 0.12)  # the rug, as a share of the distance of two baselines
    counts = np.array([np.histogram(z[codes == i], edges)[0] for i in range(len(names))], float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    heights = _TALLEST * shares / shares.max()
    for i, (height, colour) in enumerate(zip(heights, colours, strict=True)):
        ax.stairs(i + height, edges, baseline=i, fill=True, color=colour)
        rug(ax, z[codes == i], i - below, colour)
    every = -(-len(names) // _MOST_NAMES)
    ax.set_yticks(range(0, len(names), every), names[::every])
    return counts


def rug(ax: Any, z: FloatArray, height: float, colour: str) -> None:
    """A short tick per row; where there are more rows than pixels, per place that has a row."""
    if z.size > _MOST_TICKS:
        low, width = float(z.min()), float(np.ptp(z)) or 1.0
        z = low + np.unique(np.round((z - low) * (_MOST_TICKS / width))) * (width / _MOST_TICKS)
    ax.scatter(z, np.full(z.size, height), marker="|", s=30, linewidths=0.8, color=colour)
