"""The drawings behind a projection: onto given axes, from plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from ._style import BLUE, class_style

__all__ = ["draw_classes_on_line", "draw_classes_on_plane", "draw_real", "draw_rows"]

_TALLEST = 0.75  # of the distance between two baselines, for the histograms of one component
_MANY = 5  # classes, beyond which the legend stands beside the axes


def draw_rows(ax: Any, Z: FloatArray, style: dict[str, Any]) -> None:
    """All rows alike; a rug where there is one component."""
    if Z.shape[1] == 1:
        _rug(ax, Z[:, 0], 0, BLUE)
        ax.set_yticks([])
        return
    ax.scatter(Z[:, 0], Z[:, 1], **{"color": BLUE, **style})
    ax.set_ylabel("component 2")


def draw_real(ax: Any, Z: FloatArray, y: Array, style: dict[str, Any]) -> None:
    """A real target: as colour over two components, as height over one."""
    if Z.shape[1] == 1:
        ax.scatter(Z[:, 0], y, **{"color": BLUE, **style})
        ax.set_ylabel("y")
        return
    dots = ax.scatter(Z[:, 0], Z[:, 1], c=y, **{"cmap": "viridis", **style})
    ax.set_ylabel("component 2")
    ax.figure.colorbar(dots, ax=ax, label="y")


def draw_classes_on_plane(
    ax: Any, Z: FloatArray, y: Array, names: Sequence[str] | None, style: dict[str, Any]
) -> None:
    """One colour and marker per class."""
    classes = np.unique(y)
    for i, (label, name) in enumerate(_named(classes, names)):
        rows = y == label
        ax.scatter(Z[rows, 0], Z[rows, 1], label=name, **{**class_style(i), **style})
    ax.set_ylabel("component 2")
    beside = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5), "ncols": -(-len(classes) // 20)}
    ax.legend(**(beside if len(classes) > _MANY else {}))


def draw_classes_on_line(ax: Any, Z: FloatArray, y: Array, names: Sequence[str] | None) -> None:
    """A histogram per class, each standing on a rug of its rows. Equal areas are equal shares."""
    z, classes = Z[:, 0], np.unique(y)
    edges = np.histogram_bin_edges(z, bins=40)
    shares = [np.histogram(z[y == label], edges)[0] / np.sum(y == label) for label in classes]
    tallest = max(float(share.max()) for share in shares)
    named = _named(classes, names)
    for i, ((label, _), share) in enumerate(zip(named, shares, strict=True)):
        colour = class_style(i)["color"]
        ax.stairs(i + _TALLEST * share / tallest, edges, baseline=i, fill=True, color=colour)
        _rug(ax, z[y == label], i - 0.08, colour)
    ax.set_yticks(range(len(classes)), [name for _, name in named])


def _rug(ax: Any, z: FloatArray, height: float, colour: str) -> None:
    """A short tick per row."""
    ax.scatter(z, np.full(z.size, height), marker="|", s=30, linewidths=0.8, color=colour)


def _named(classes: Array, names: Sequence[str] | None) -> list[tuple[Any, str]]:
    """Labels with the names to show for them."""
    if names is not None and len(names) != len(classes):
        raise ValueError(
            f"`class_names` must name each of the {len(classes)} classes in y. Got {len(names)}."
        )
    return list(zip(classes, map(str, classes if names is None else names), strict=True))
