"""Tables and a picture of what was measured."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

Row = dict[str, Any]

_TITLES = {
    "phi": "One exact Phi, 1,048,576 rows of 64 columns, 8 directions, 10 classes",
    "fits": "Whole fits, with their certificates",
    "independence": "Tests of independence by permutations, all pairs",
    "growth": "One Phi by rows, columns and directions",
    "angles": "Largest sine between answers of the host and of the device",
}
_COLOURS = {"fused": "#0072B2", "tiles": "#D55E00"}


def tables(known: dict[str, Any]) -> str:
    """A table for each part, in Markdown."""
    parts = [f"Measured on one {known['machine']}."]
    for name, title in _TITLES.items():
        if known.get(name):
            parts.append(f"### {title}\n\n{_table(known[name])}")
    return "\n\n".join(parts) + "\n"


def _table(rows: Sequence[Row]) -> str:
    names = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    lines += [f"| {' | '.join(_cell(row[name]) for name in names)} |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3g}" if 1e-3 <= abs(value) < 1e4 or value == 0.0 else f"{value:.1e}"
    return str(value)


def save_picture(rows: Sequence[Row], path: str | os.PathLike[str]) -> Path:
    """Seconds of one Phi, fused and in plain tiles, by rows, columns and directions."""
    figure = Figure(figsize=(10.0, 3.4), layout="constrained")
    for axes, by in zip(figure.subplots(1, 3), ("rows", "columns", "directions"), strict=True):
        own = [row for row in rows if row["by"] == by]
        for name, label in (("seconds", "fused"), ("tiles", "plain tiles of torch")):
            points = [(row[by], row[name]) for row in own if row[name] is not None]
            colour = _COLOURS["fused" if name == "seconds" else "tiles"]
            axes.loglog(*zip(*points, strict=True), "o-", base=2, color=colour, label=label)
        axes.set_yscale("log", base=10)
        fixed = {k: own[0][k] for k in ("rows", "columns", "directions") if k != by}
        axes.set_xlabel(f"{by} ({', '.join(f'{v:,} {k}' for k, v in fixed.items())})", fontsize=8)
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("seconds of one exact Phi")
    figure.axes[0].legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)
    return Path(path)
