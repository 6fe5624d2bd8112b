"""What a data set is to the benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..._arrays import Array, FloatArray

__all__ = ["BenchData"]

Rows = tuple[FloatArray, Array]


@dataclass(frozen=True)
class BenchData:
    """Rows and the settings the paper used them with.

    ``load`` gives the rows behind the printed figures, ``load_all`` those the paper names, for
    held-out errors; ``q`` and ``q_unsupervised`` are the dimensions really used. Claims about
    iterations and starts are looked at on small tables. ``spread`` is that of Algorithm 1's
    supervised cost over its starts, where the printed one is one of many.
    """

    name: str
    order: int
    load: Callable[[], Rows]
    load_all: Callable[[], Rows]
    q: int
    q_unsupervised: int
    k: int
    note: str = ""
    note_unsupervised: str = ""
    folds: int = 10
    is_small: bool = True
    spread: tuple[float, float] | None = None
