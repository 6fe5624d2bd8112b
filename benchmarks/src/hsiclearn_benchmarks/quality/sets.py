"""The data sets of the quality suite, and in how many dimensions each is compared.

A part's list was fixed before its first run, and a set stays whatever its figures are. Rules were
designed with the first 13 in view, the part "sets"; the 12 of the part "further" were unseen once,
but choices have been made with their figures in view since. So all 25 are design sets by now. The
part "fresh" is there to be surprised by: nothing may be chosen, tuned or repaired by looking at how
a method fares on it. How its tables were chosen, ``fresh.py`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal

import numpy as np
from sklearn import datasets

from hsiclearn.datasets import Planted, Table, load_cancer, load_car, load_face, make_planted

from .._types import Rows
from .fresh import FRESH, RTable, fresh_rows
from .sources import glass_rows, keel_rows, r_rows

__all__ = ["SETS", "QualitySet", "load_rows", "sets_of"]

_AUTO = ("cylinders", "displacement", "horsepower", "weight", "acceleration", "year")
_VOWEL = slice(3, 13)  # F0 to F9; before them the speaker and whether the row is for training


@dataclass(frozen=True)
class QualitySet:
    """A table and its dimension.

    ``q`` is half the number of classes, but at least 2; 2 for a real target; and 1 for the sine,
    whose true dimension that is.
    """

    name: str
    load: Callable[[], Rows]
    q: int = 2
    kind: Literal["classes", "real"] = "classes"
    part: Literal["sets", "further", "fresh"] = "sets"
    is_quick: bool = False

    @property
    def has_classes(self) -> bool:
        """Whether the target is a class, not a number."""
        return self.kind == "classes"

    @property
    def group(self) -> Literal["design", "fresh"]:
        """Whether choices were made with its figures in view."""
        return "fresh" if self.part == "fresh" else "design"


def _first_two(load: Callable[[], Table | Planted]) -> Callable[[], Rows]:
    """X and y of what also has names or directions."""

    def rows() -> Rows:
        table = load()
        return table.X, table.y

    return rows


def _planted(kind: str, **settings: Any) -> Callable[[], Rows]:
    return _first_two(partial(make_planted, kind, **settings))


def _fresh(table: RTable) -> QualitySet:
    return QualitySet(table.name, partial(fresh_rows, table), table.q, table.kind, part="fresh")


_further = partial(QualitySet, part="further")

_LIST = (
    QualitySet("wine", partial(datasets.load_wine, return_X_y=True), is_quick=True),
    QualitySet("iris", partial(datasets.load_iris, return_X_y=True), is_quick=True),
    QualitySet("cancer", _first_two(load_cancer)),
    QualitySet("bc", partial(datasets.load_breast_cancer, return_X_y=True)),
    QualitySet("glass", glass_rows, q=3),
    QualitySet("car", _first_two(load_car)),
    QualitySet("digits", partial(datasets.load_digits, return_X_y=True), q=5),
    QualitySet("face", _first_two(load_face), q=10),
    QualitySet("xor", _planted("xor"), is_quick=True),
    QualitySet("ring", _planted("ring")),
    QualitySet("diabetes", partial(datasets.load_diabetes, return_X_y=True), kind="real"),
    QualitySet("sine", _planted("sine"), q=1, kind="real", is_quick=True),
    QualitySet("product", _planted("product"), kind="real"),
    _further("sonar", partial(keel_rows, "sonar")),
    _further("ionosphere", partial(keel_rows, "ionosphere")),
    _further("vehicle", partial(keel_rows, "vehicle")),
    _further("vowel", partial(keel_rows, "vowel", _VOWEL), q=5),
    _further("pima", partial(keel_rows, "pima")),
    _further("segment", partial(keel_rows, "segment"), q=3),
    _further("heart", partial(keel_rows, "heart")),
    _further("auto", partial(r_rows, "ISLR", "Auto", "mpg", _AUTO), kind="real"),
    _further("boston", partial(r_rows, "MASS", "Boston", "medv"), kind="real"),
    _further(
        "concrete", partial(r_rows, "modeldata", "concrete", "compressive_strength"), kind="real"
    ),
    _further("heavy-tails", _planted("xor", tails=3.0)),
    _further("noise-columns", _planted("sectors", n_features=50, n_noise=40)),
    *map(_fresh, FRESH),
)

SETS: dict[str, QualitySet] = {some.name: some for some in _LIST}


def sets_of(part: str, *, quick: bool = False) -> list[QualitySet]:
    """The sets of a part; of a quick run, the small ones."""
    return [s for s in SETS.values() if s.part == part and (s.is_quick or not quick)]


@cache
def load_rows(name: str) -> Rows:
    """X as float64, and y: codes 0, 1, ... of classes, else float64."""
    X, y = SETS[name].load()
    if SETS[name].has_classes:
        return np.asarray(X, dtype=np.float64), np.unique(y, return_inverse=True)[1]
    return np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
