"""Pictures of measurements: cost against time, and time against rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

__all__ = ["OUT_OF_TIME", "save_curves", "save_scaling"]

OUT_OF_TIME = "out of time"
_LOWEST = 1e-9  # of the excess: below that all curves are one
_MOST_COLUMNS = 4
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")

Curve = Sequence[tuple[float, float]]


def save_curves(panels: Mapping[str, Mapping[str, Curve]], path: str | os.PathLike[str]) -> Path:
    """Draw how far each method is above the lowest cost of all, over time, on log axes.

    Parameters
    ----------
    panels : mapping of str to mapping of str to sequence of (seconds, cost)
        Titles, and in each panel the curves by name. The best cost so far is drawn.
    path : path-like
        The PNG file to write.

    Returns
    -------
    Path
        The file written.
    """
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    columns = min(len(panels), _MOST_COLUMNS)
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(4.0 * columns, 3.2 * rows + 0.6), dpi=110, layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, (title, curves) in zip(axes, panels.items(), strict=False):
        _draw_excess(ax, curves, {name: _style(names.index(name)) for name in curves})
        ax.set(xscale="log", yscale="log", title=title, xlabel="seconds")
        ax.set_ylim(_LOWEST / 3, 3.0)
        ax.set_ylabel("cost above the lowest, relative")
    for ax in axes[len(panels) :]:
        ax.set_axis_off()
    handles = {
        label: handle
        for ax in axes
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=6)
    return _write(figure, path)


def _draw_excess(ax: Any, curves: Mapping[str, Curve], styles: Mapping[str, Any]) -> None:
    lowest = min(cost for curve in curves.values() for _, cost in curve)
    for name, curve in curves.items():
        seconds, costs = np.array(curve).T
        excess = np.maximum((np.minimum.accumulate(costs) - lowest) / abs(lowest), _LOWEST)
        ax.step(seconds, excess, where="post", color=styles[name]["color"])
        ax.plot(seconds[-1], excess[-1], **styles[name], linestyle="none", label=name)


def save_scaling(
    lines: Mapping[str, Curve],
    ends: Mapping[str, tuple[float, str]],
    limit: float,
    path: str | os.PathLike[str],
) -> Path:
    """Draw seconds against rows on log axes.

    Parameters
    ----------
    lines : mapping of str to sequence of (rows, seconds)
        One line per method, by rows.
    ends : mapping of str to (rows, str)
        Where a method ran out, and of what; of time, its line goes on to the limit, dashed.
    limit : float
        Seconds after which a fit was ended: a dotted line.
    path : path-like
        The PNG file to write.

    Returns
    -------
    Path
        The file written.
    """
    figure = Figure(figsize=(7.5, 5.0), dpi=120, layout="constrained")
    ax = figure.subplots()
    for i, (name, points) in enumerate(lines.items()):
        style = _style(i)
        rows, times = [n for n, _ in points], [t for _, t in points]
        label = f"{name}\n  {ends[name][1]} at {ends[name][0]:,.0f}" if name in ends else name
        ax.plot(rows, times, **style, label=label, linewidth=2.5 if i == 0 else 1.2)
        if name in ends and ends[name][1] == OUT_OF_TIME:
            ax.plot([*rows[-1:], ends[name][0]], [*times[-1:], limit], "--", color=style["color"])
            ax.plot(ends[name][0], limit, **style, markerfacecolor="white")
    ax.axhline(limit, color="0.5", linestyle=":", linewidth=1.0)
    ax.set(xscale="log", yscale="log", xlabel="rows", ylabel="seconds")
    ax.grid(which="major", color="0.9")
    ax.margins(x=0.12)
    figure.legend(loc="outside right upper", frameon=False)
    return _write(figure, path)


def _style(i: int) -> dict[str, Any]:
    """Colour and marker of the i-th method, the ones that hsiclearn.plotting gives to classes."""
    return {"color": _COLOURS[i % len(_COLOURS)], "marker": _MARKERS[i % len(_MARKERS)]}


def _write(figure: Figure, path: str | os.PathLike[str]) -> Path:
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="png")
    return path
