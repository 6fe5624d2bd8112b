"""The data sets of the paper, and the settings it used them with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hsiclearn.datasets import load_cancer, load_car, load_face, load_wine

from .._types import Rows

__all__ = ["DATA", "BenchData"]


@dataclass(frozen=True)
class BenchData:
    """A table and the settings the paper used it with.

    ``loader`` is one of :mod:`hsiclearn.datasets`; ``q`` and ``q_unsupervised`` are the
    dimensions really used. Claims about iterations and starts are looked at on small tables.
    ``spread`` is that of Algorithm 1's supervised cost over its starts, where the printed one is
    one of many.
    """

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


_CAR = "346 of 1728 rows; the label is a copy of the column safety"

DATA: dict[str, BenchData] = {
    "wine": BenchData(load_wine, q=4, q_unsupervised=4, k=3),
    "cancer": BenchData(
        load_cancer,
        q=4,
        q_unsupervised=2,
        k=2,
        note="137 of 683 rows",
        note_unsupervised="137 of 683 rows; q is 2, not the printed 4",
    ),
    "car": BenchData(
        load_car,
        q=4,
        q_unsupervised=4,
        k=4,
        note=_CAR,
        note_unsupervised=_CAR,
        spread=(-2304.90, -2289.22),
    ),
    # Five folds: with ten, some people would have three pictures in a fold.
    "face": BenchData(load_face, q=20, q_unsupervised=20, k=20, folds=5, is_small=False),
}
