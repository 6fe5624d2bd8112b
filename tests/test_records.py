"""Fields of the types they are declared with."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from hsiclearn._arrays import FloatArray
from hsiclearn._records import check_types, is_of


@dataclass(frozen=True)
class Example:
    size: float
    count: int
    judged: bool | None
    name: str
    rows: FloatArray
    pairs: tuple[tuple[float, str], ...]
    other: Any


GOOD = Example(1.0, 2, True, "a", np.zeros(2), ((1.0, "b"),), object())


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"size": np.float64(1)},
        {"size": 1, "count": np.int64(2)},
        {"judged": None},
        {"pairs": ()},
    ],
    ids=str,
)
def test_what_is_meant(changes):
    check_types(replace(GOOD, **changes))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("size", "1.0"),
        ("size", True),
        ("size", None),
        ("size", 1j),
        ("count", 2.0),
        ("count", False),
        ("judged", 1),
        ("name", b"a"),
        ("rows", [0.0, 0.0]),
        ("rows", np.zeros(2, np.float32)),
        ("pairs", [(1.0, "b")]),
        ("pairs", ((1.0,),)),
        ("pairs", (("b", 1.0),)),
    ],
)
def test_what_is_not(name, value):
    with pytest.raises(TypeError, match=rf"Example\.{name} must be of type"):
        check_types(replace(GOOD, **{name: value}))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a type statement is of Python 3.12")
def test_a_type_statement_is_what_it_stands_for():
    """What ``NDArray`` is from numpy 2.5 on, which no Python before 3.12 has."""
    names = {"np": np, "Any": Any}
    exec("type Rows[T] = np.ndarray[tuple[Any, ...], np.dtype[T]]", names)
    hint = names["Rows"][np.float64]
    assert is_of(np.zeros((2, 3)), hint)
    assert not is_of(np.zeros(2, dtype=np.float32), hint)
    assert not is_of([0.0], hint)
