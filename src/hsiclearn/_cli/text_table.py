"""Columns of text under each other, for a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

__all__ = ["text_table"]

_GAP = 2
_NARROWEST = 12  # columns that the first one always has


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, the others to the right; the first is cut to fit."""
    widths = [max(len(row[j]) for row in (head, *rows)) for j in range(len(head))]
    others = sum(width + _GAP for width in widths[1:])
    room = shutil.get_terminal_size().columns - others - _GAP
    widths[0] = min(widths[0], max(_NARROWEST, room))
    return "\n".join(_line(row, widths) for row in (head, *rows))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first = row[0] if len(row[0]) <= widths[0] else f"{row[0][: widths[0] - 3]}..."
    cells = [f"{first:<{widths[0]}}"]
    cells += [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
    return (" " * _GAP + (" " * _GAP).join(cells)).rstrip()
