"""Cost against time, one panel per problem and one curve per method."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ._axes import class_style, matplotlib_module
from .picture import write_figure

__all__ = ["save_curves"]

_LOWEST = 1e-9  # of the excess: below that all curves are one
_MOST_COLUMNS = 4

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
    figure = matplotlib_module("figure").Figure(
        figsize=(4.0 * columns, 3.2 * rows + 0.6), dpi=110, layout="constrained"
    )
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, (title, curves) in zip(axes, panels.items(), strict=False):
        lowest = min(cost for curve in curves.values() for _, cost in curve)
        for name, curve in curves.items():
            seconds, costs = np.array(curve).T
            excess = (np.minimum.accumulate(costs) - lowest) / abs(lowest)
            style = class_style(names.index(name))
            ax.step(seconds, np.maximum(excess, _LOWEST), where="post", color=style["color"])
            ax.plot(seconds[-1], max(excess[-1], _LOWEST), **style, linestyle="none", label=name)
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
    return write_figure(figure, path)
