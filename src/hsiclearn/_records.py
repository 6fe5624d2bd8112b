"""Whether the fields of a record are of the types they are declared with."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

_NUMBERS: dict[Any, tuple[type, ...]] = {
    float: (Real,),
    int: (Integral,),
    bool: (bool, np.bool_),
}


def check_types(record: Any) -> None:
    """Raise a TypeError where a dataclass that came from a file holds something else.

    Numbers of numpy are numbers, an integer is a float, a bool is neither. ``Any`` is anything.
    """
    cls: Any = type(record)
    for name, hint in _hints(cls).items():
        value = getattr(record, name)
        if not is_of(value, hint):
            raise TypeError(f"{cls.__name__}.{name} must be of type {hint}. Got {value!r:.60}")


@cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {item.name: hints[item.name] for item in fields(cls)}


def is_of(value: Any, hint: Any) -> bool:
    """Whether a value is of a type, as an annotation says it."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hasattr(origin, "__value__"):  # a `type` statement, as NDArray is from numpy 2.5 on
        hint = origin.__value__[arguments]
        origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if hint in _NUMBERS:
        is_bool = isinstance(value, bool | np.bool_)
        return isinstance(value, _NUMBERS[hint]) and is_bool == (hint is bool)
    if origin in (Union, UnionType):
        return any(is_of(value, option) for option in arguments)
    if origin is np.ndarray:
        (dtype,) = get_args(arguments[1])
        return isinstance(value, np.ndarray) and value.dtype == dtype
    if origin is tuple:
        if arguments[-1] is Ellipsis and isinstance(value, tuple):
            arguments = arguments[:1] * len(value)
        is_tuple = isinstance(value, tuple) and len(value) == len(arguments)
        return is_tuple and all(map(is_of, value, arguments))
    return isinstance(value, NoneType if hint is None else origin or hint)
