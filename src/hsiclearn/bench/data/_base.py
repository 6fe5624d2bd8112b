"""What a data set is to the benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..._arrays import Array, FloatArray

__all__ = ["BenchData"]

Rows = tuple[FloatArray, Array]


@dataclass(frozen=True)
class BenchData:
    """A table and the settings the paper used it with.

    ``loader`` is one of :mod:`hsiclearn.datasets`; ``q`` and ``q_unsupervised`` are the
    dimensions really used. Claims about iterations and starts are looked at on small tables.
    ``spread`` is that of Algorithm 1's supervised cost over its starts, where the printed one is
    one of many.
    """

    name: str
    order: int
    loader: Callable[..., Any]
    q: int
    q_unsupervised: int
    k: int
    note: str = ""
    note_unsupervised: str = ""
    folds: int = 10
    is_small: bool = True
    spread: tuple[float, float] | None = None

    def load(self) -> Rows:
        """The rows behind the printed figures."""
        X, y = self.loader(paper=True, return_X_y=True)
        return X, y

    def load_all(self) -> Rows:
        """The rows the paper names, for held-out errors."""
        X, y = self.loader(return_X_y=True)
        return X, y
