"""The drawings behind loadings: bars per component, a heat map, and dots with whiskers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ._axes import draw_legend
from ._names import and_more
from ._style import BLUE, ORANGE, class_style

__all__ = ["draw_bars", "draw_heatmap", "draw_whiskers"]

_CELLS_WITH_TEXT = 40  # features; in more rows a number would be larger than its cell
_MOST_NAMES = 40


def draw_bars(
    axes: Array,
    loadings: FloatArray,
    spread: FloatArray | None,
    names: Sequence[str],
    left_out: int,
    most_names: int = _MOST_NAMES,
) -> None:
    """One panel per component with the same limits; negative bars have another colour."""
    reach = np.abs(loadings) if spread is None else np.abs(loadings) + spread[: len(loadings)]
    limit = 1.08 * (float(reach.max()) or 1.0)
    at = np.arange(len(names))
    for k, (ax, values) in enumerate(zip(axes, loadings, strict=True)):
        errors = None if spread is None else spread[k]
        colours = [BLUE if value >= 0 else ORANGE for value in values]
        ax.barh(at, values, xerr=errors, color=colours, height=0.7, error_kw={"elinewidth": 1.0})
        ax.axvline(0.0, color="0.3", linewidth=0.8)
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
        ax.set(xlim=(-limit, limit), title=f"component {k + 1}")
        _name_rows(ax, names if k == 0 else [], len(names), most_names)
    _note(axes[0], left_out)


def draw_heatmap(
    ax: Any, loadings: FloatArray, names: Sequence[str], left_out: int, label: str
) -> None:
    """A row per feature and a column per component; blue is positive, red negative."""
    limit = float(np.abs(loadings).max()) or 1.0
    image = ax.imshow(
        loadings, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest"
    )
    ax.figure.colorbar(image, ax=ax, label=label)
    q = loadings.shape[1]
    every = -(-q // 20)
    ax.set_xticks(range(0, q, every), [f"{k + 1}" for k in range(0, q, every)])
    ax.set_xlabel("component")
    _name_rows(ax, names, len(names))
    _note(ax, left_out, below=True)
    if len(names) <= _CELLS_WITH_TEXT and q <= 8:
        for (j, k), value in np.ndenumerate(loadings):
            colour = "white" if abs(value) > 0.6 * limit else "black"
            ax.text(k, j, f"{value:.2f}", ha="center", va="center", color=colour, fontsize=8)


def draw_whiskers(
    ax: Any, loadings: FloatArray, spread: FloatArray, names: Sequence[str], left_out: int
) -> None:
    """All components on one axes: a dot per loading with a whisker of one spread to each side."""
    q = loadings.shape[0]
    offsets = np.linspace(-1.0, 1.0, q) * min(0.09 * q, 0.33) if q > 1 else np.zeros(1)
    handles = []
    for k in range(q):
        look = class_style(k)
        at = np.arange(len(names)) + offsets[k]
        handles.append(
            ax.errorbar(
                loadings[k],
                at,
                xerr=spread[k],
                fmt=look["marker"],
                color=look["color"],
                markersize=5,
                elinewidth=1.2,
            )
        )
    ax.axvline(0.0, color="0.3", linewidth=0.8)
    ax.grid(axis="x", color="0.9")
    ax.hlines(np.arange(1, len(names)) - 0.5, 0, 1, "0.9", transform=ax.get_yaxis_transform())
    _name_rows(ax, names, len(names))
    _note(ax, left_out)
    if q > 1:
        labels = [f"component {k + 1}" for k in range(q)]
        above = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": min(q, 3)}
        draw_legend(ax, handles, labels, fontsize=8, frameon=False, **above)


def _name_rows(ax: Any, names: Sequence[str], count: int, most: int = _MOST_NAMES) -> None:
    """Names down the side, the first on top; of very many every second, third and so on."""
    every = -(-count // most)
    ax.set_yticks(
        range(0, count, every), names[::every] if names else [""] * len(range(0, count, every))
    )
    ax.set_ylim(count - 0.5, -0.5)
    if count > 25:
        ax.tick_params(axis="y", labelsize=7)


def _note(ax: Any, left_out: int, below: bool = False) -> None:
    """How many features are not shown."""
    if left_out:
        ax.annotate(
            and_more(left_out, "feature"),
            (0.0, 0.0),
            (-6, -20 if below else -14),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="right",
            va="top",
            fontsize=8,
            color="0.35",
        )
