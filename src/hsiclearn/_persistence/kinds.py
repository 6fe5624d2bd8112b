"""What a part of a model may be: a kind of array of a shape, a number, a list.

Sizes in a shape are letters that stand for one number throughout an object: where ``d`` is the
number of features, ``floats("k", "d")`` are k rows of d numbers. ``*`` is any size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

Sizes = dict[str, int]


@dataclass(frozen=True)
class Kind:
    """A test for values, and its name in messages; ``a | b`` is either."""

    name: str
    holds: Callable[[Any, Sizes], bool]

    def __or__(self, other: Kind) -> Kind:
        return Kind(
            f"{self.name} or {other.name}", lambda v, s: self.holds(v, s) or other.holds(v, s)
        )


def check_parts(value: Any, kinds: Mapping[str, Kind], sizes: Sizes) -> None:
    """Raise a TypeError where a part that is there is not of its kind."""
    for name, kind in kinds.items():
        if hasattr(value, name) and not kind.holds(getattr(value, name), sizes):
            known = ", ".join(f"{letter} = {size}" for letter, size in sizes.items())
            raise TypeError(
                f"{type(value).__name__}.{name} must be {kind.name} ({known}). Got "
                f"{getattr(value, name)!r:.60}"
            )


def _fits(shape: tuple[int, ...], letters: tuple[str, ...], sizes: Sizes) -> bool:
    """Whether a shape agrees with what the letters stand for; new letters take their size."""
    if len(shape) != len(letters):
        return False
    return all(
        letter == "*" or sizes.setdefault(letter, size) == size
        for letter, size in zip(letters, shape, strict=True)
    )


def _array(name: str, kinds: str, letters: tuple[str, ...]) -> Kind:
    def holds(value: Any, sizes: Sizes) -> bool:
        is_array = isinstance(value, np.ndarray) and value.dtype.kind in kinds
        return is_array and _fits(value.shape, letters, sizes)

    return Kind(f"{name} of shape ({', '.join(letters)})", holds)


def floats(*letters: str) -> Kind:
    """An array of floats."""
    return _array("floats", "f", letters)


def integers(*letters: str) -> Kind:
    """An array of integers."""
    return _array("integers", "iu", letters)


def arrays(*letters: str) -> Kind:
    """An array of anything: numbers, text, objects."""
    return _array("an array", "biufSUOmM", letters)


def a(cls: type) -> Kind:
    """An instance of a class."""
    return Kind(f"of class {cls.__name__}", lambda value, _: isinstance(value, cls))


def list_of(kind: Kind, letter: str = "*") -> Kind:
    """A list of so many."""

    def holds(value: Any, sizes: Sizes) -> bool:
        is_list = isinstance(value, list) and _fits((len(value),), (letter,), sizes)
        return is_list and all(kind.holds(item, sizes) for item in value)

    return Kind(f"a list of {letter} ({kind.name})", holds)


def mapping(of: Kind) -> Kind:
    """A dictionary with values of a kind."""

    def holds(value: Any, sizes: Sizes) -> bool:
        return isinstance(value, dict) and all(of.holds(item, sizes) for item in value.values())

    return Kind(f"a dictionary of {of.name}", holds)


def tuple_of(*kinds: Kind) -> Kind:
    """A tuple with one entry of each kind."""

    def holds(value: Any, sizes: Sizes) -> bool:
        is_tuple = isinstance(value, tuple) and len(value) == len(kinds)
        return is_tuple and all(kind.holds(v, sizes) for kind, v in zip(kinds, value, strict=True))

    return Kind(f"({', '.join(kind.name for kind in kinds)})", holds)


def _number(kind: type) -> Callable[[Any, Sizes], bool]:
    return lambda value, _: isinstance(value, kind) and not isinstance(value, bool | np.bool_)


anything = Kind("anything", lambda value, _: True)
NONE = Kind("None", lambda value, _: value is None)
NUMBER = Kind("a number", _number(Real))
COUNT = Kind("a count", lambda value, s: _number(Integral)(value, s) and value >= 0)
BOOL = Kind("true or false", lambda value, _: isinstance(value, bool | np.bool_))
TEXT = Kind("text", lambda value, _: isinstance(value, str))
DTYPE = Kind("a type of numpy", lambda value, _: isinstance(value, np.dtype))
