"""Arrows from the middle of the data, with labels moved apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._arrays import FloatArray
from ._density import whole_range
from ._style import matplotlib_module

__all__ = ["draw_arrows"]

_REACH = 0.8  # of the way to the edge of the data, for the longest arrow
_LINE = 0.055  # height of a label, as a share of the axes
_CHARACTER = 0.016  # width of a character, as a share of what the data span
_INK = "#222222"


def draw_arrows(ax: Any, Z: FloatArray, directions: FloatArray, names: Sequence[str]) -> FloatArray:
    """Draw, and return the arrows in the unit of the axes. They set the limits of the axes.

    One factor turns all directions into arrows, on both axes: with one for each axis an arrow
    would not point where a row moves. The arrow that looks longest reaches towards the edge.
    """
    centre = Z.mean(axis=0)
    half = 0.5 * np.ptp([whole_range(z) for z in Z.T], axis=1)
    longest = float(np.max(np.linalg.norm(directions / half, axis=1), initial=0.0)) or 1.0
    arrows = directions * (_REACH / longest)
    low, high = _limits(Z, centre + arrows, arrows[:, 0] >= 0, names)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    tips = (centre + arrows - low) / (high - low)
    places = _apart(tips, right=arrows[:, 0] >= 0)
    halo = [matplotlib_module("patheffects").withStroke(linewidth=2.5, foreground="white")]
    for arrow, tip, place, name in zip(arrows, tips, places, names, strict=True):
        look = {"arrowstyle": "-|>", "color": _INK, "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", centre + arrow, centre, arrowprops={**look, "path_effects": halo})
        _label(ax, tip, place, name, bool(arrow[0] >= 0), halo)
    return arrows


def _limits(
    Z: FloatArray, tips: FloatArray, right: Any, names: Sequence[str]
) -> tuple[FloatArray, FloatArray]:
    """Limits that hold the rows, the tips, and the labels to the left and right of these."""
    low, high = (
        np.minimum(Z.min(axis=0), tips.min(axis=0)),
        np.maximum(Z.max(axis=0), tips.max(axis=0)),
    )
    low, high = np.array([whole_range(np.array(ends)) for ends in zip(low, high, strict=True)]).T
    room = high - low
    low, high = low - 0.06 * room, high + 0.06 * room
    lengths = _CHARACTER * room[0] * np.array([len(name) + 2 for name in names])
    low[0] = min(low[0], *(tips[:, 0] - np.where(right, 0.0, lengths)))
    high[0] = max(high[0], *(tips[:, 0] + np.where(right, lengths, 0.0)))
    return low, high


def _label(
    ax: Any, tip: FloatArray, place: FloatArray, name: str, right: bool, halo: list[Any]
) -> None:
    """The name beside its tip, with a thin line where it had to move."""
    moved = abs(place[1] - tip[1]) > 0.5 * _LINE
    ax.annotate(
        name,
        tip,
        place,
        xycoords="axes fraction",
        textcoords="axes fraction",
        ha="left" if right else "right",
        va="center",
        fontsize=9,
        color=_INK,
        path_effects=halo,
        arrowprops={"arrowstyle": "-", "color": "0.5", "linewidth": 0.6} if moved else None,
    )


def _apart(tips: FloatArray, right: Any) -> FloatArray:
    """Places of labels: outside their tips, and on each side a line's height from the next."""
    places = tips + np.where(right, 0.015, -0.015)[:, None] * np.array([1.0, 0.0])
    for side in (right, ~right):
        members = np.flatnonzero(side)
        order = members[np.argsort(places[members, 1], kind="stable")]
        places[order, 1] = _spread_out(places[order, 1])
    return places


def _spread_out(heights: FloatArray) -> FloatArray:
    """Rising numbers, at least a line apart, near where they were, within the axes.

    Numbers that are too near are moved as a block about their mean: isotonic regression of the
    heights less the lines below them.
    """
    steps = _LINE * np.arange(heights.size)
    blocks: list[list[float]] = []
    for value in heights - steps:
        blocks.append([float(value)])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    level = np.concatenate([np.full(len(b), np.mean(b)) for b in blocks]) if blocks else heights
    top = max(0.97 - (steps[-1] if steps.size else 0.0), 0.03)
    return np.clip(level, 0.03, top) + steps
