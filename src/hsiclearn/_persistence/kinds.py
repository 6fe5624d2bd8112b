"""What a part of a model may be: a kind of array of a shape, a number, a list.

Sizes in a shape are letters that stand for one number throughout an object: where ``d`` is the
number of features, ``floats("k", "d")`` are k rows of d numbers. ``*`` is any size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .._records import is_of

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


def _array(name: str, kinds: str, *letters: str) -> Kind:
    def holds(value: Any, sizes: Sizes) -> bool:
        is_array = isinstance(value, np.ndarray) and value.dtype.kind in kinds
        return is_array and _fits(value.shape, letters, sizes)

    return Kind(f"{name} of shape ({', '.join(letters)})", holds)


def finite(*letters: str, most: float = np.inf) -> Kind:
    """Floats that are numbers, none of them larger than ``most``."""
    plain = floats(*letters)

    def holds(value: Any, sizes: Sizes) -> bool:
        return plain.holds(value, sizes) and bool(
            np.all(np.abs(value) <= min(most, np.finfo(np.float64).max))
        )

    return Kind(f"finite {plain.name}", holds)


floats = partial(_array, "floats", "f")
integers = partial(_array, "integers", "iu")
arrays = partial(_array, "an array", "biufSUOmM")  # numbers, text, objects


def a(hint: Any, name: str = "") -> Kind:
    """An instance of a class, or what an annotation says; ``name`` is for messages."""
    return Kind(name or f"of class {hint.__name__}", lambda value, _: is_of(value, hint))


ANYTHING = a(Any, "anything")
NONE = a(None, "None")
NUMBER = a(float, "a number")
COUNT = Kind("a count", lambda value, _: is_of(value, int) and value >= 0)
BOOL = a(bool, "true or false")
TEXT = a(str, "text")
DTYPE = a(np.dtype, "a type of numpy")


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
