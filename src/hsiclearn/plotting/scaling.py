"""Time against size, one line per method, ending where the method does."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ._axes import class_style, matplotlib_module
from .picture import write_figure

__all__ = ["OUT_OF_TIME", "save_scaling"]

OUT_OF_TIME = "out of time"


def save_scaling(
    lines: Mapping[str, Sequence[tuple[float, float]]],
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
    figure = matplotlib_module("figure").Figure(figsize=(7.5, 5.0), dpi=120, layout="constrained")
    ax = figure.subplots()
    for i, (name, points) in enumerate(lines.items()):
        style = class_style(i)
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
    return write_figure(figure, path)
