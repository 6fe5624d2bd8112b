"""Time against size, one line per method, ending where the method does."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ._style import class_style, matplotlib_module
from .picture import write_figure

__all__ = ["save_scaling"]


def save_scaling(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    ends: Mapping[str, str],
    limit: float,
    path: str | os.PathLike[str],
) -> Path:
    """Draw seconds against rows on log axes.

    Parameters
    ----------
    lines : mapping of str to sequence of (rows, seconds)
        One line per method, by rows.
    ends : mapping of str to str
        What happened to a method at the size after its last one, written where its line ends.
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
        if not points:
            continue
        rows, times = zip(*points, strict=True)
        ax.plot(rows, times, **class_style(i), label=name, linewidth=2.5 if i == 0 else 1.2)
        if name in ends:
            place = {"xytext": (6, -3), "textcoords": "offset points", "fontsize": 8}
            ax.annotate(ends[name], points[-1], color=class_style(i)["color"], **place)
    ax.axhline(limit, color="0.5", linestyle=":", linewidth=1.0)
    ax.set(xscale="log", yscale="log", xlabel="rows", ylabel="seconds")
    ax.grid(which="major", color="0.9")
    ax.margins(x=0.12)
    figure.legend(loc="outside right upper", frameon=False)
    return write_figure(figure, path)
