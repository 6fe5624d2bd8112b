"""Objects as JSON, with arrays beside it, and back.

What JSON has is itself, except that floats which JSON has not are written in words. All else is an
object that says what it is: ``tuple``, ``mapping``, ``array``, ``objects``, ``number``, ``float``,
``slice``, ``dtype``, ``type``, ``path``, ``status`` or ``class``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from os import PathLike, fspath
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from .._arrays import Array
from .._devices import here
from .._result import Status
from .parts import STEPS
from .registry import class_named, parts_of, put_together

Keep = Callable[[Array], str]
"""Takes an array, returns the name to find it under."""

_PLAIN = "biufcSUmM"  # kinds of numpy that hold no Python objects
_LONGEST = 4096  # bytes of an entry of a ``dtype``: text of any length could be asked for
_EMPTY = 2**17  # entries that an array would have if its axes of length 0 had length 1
_DTYPE = re.compile(r"[<>|=][biufcSUmMO]\d{0,4}(\[\d{0,4}[a-zA-Z]{1,2}\])?")  # as numpy prints one
_TYPES = {
    f"{cls.__module__}.{cls.__name__}": cls
    for cls in (
        *(bool, int, float, str, object),
        *(np.number, np.integer, np.floating, np.bool_, np.object_, np.float32, np.float64),
        *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
    )
}
"""Types that a parameter may be, as in ``OneHotEncoder(dtype=np.float32)``."""


def encode(value: Any, keep: Keep, where: str) -> Any:
    """A value as JSON; arrays go to ``keep``. ``where`` is the value's place, for messages.

    Arrays of other libraries are written as numpy's: a file does not ask for a device.
    """
    value = here(value)
    for types, encoder in _ENCODERS:
        if isinstance(value, types):
            return encoder(value, keep, where)
    return _encode_object(value, keep, where)


def _encode_number(value: float, keep: Keep, where: str) -> Any:
    return value if math.isfinite(value) else {"float": repr(value)}


def _encode_list(value: list[Any] | tuple[Any, ...], keep: Keep, where: str) -> Any:
    is_named = isinstance(value, tuple) and len(value) > 1 and isinstance(value[0], str)
    places = [repr(value[0])] * len(value) if is_named else range(len(value))
    return [encode(item, keep, f"{where}[{i}]") for i, item in zip(places, value, strict=True)]


def _encode_mapping(value: Mapping[Any, Any], keep: Keep, where: str) -> Any:
    return {"mapping": [[encode(part, keep, where) for part in pair] for pair in value.items()]}


def _encode_array(value: Array, keep: Keep, where: str) -> Any:
    if value.dtype.kind in _PLAIN:
        return {"array": keep(value)}
    items = _encode_list(value.ravel().tolist(), keep, where)
    return {"objects": {"shape": list(value.shape), "items": items}}


def _encode_type(value: Any, keep: Keep, where: str) -> Any:
    name = f"{value.__module__}.{value.__name__}"
    return {"type": name} if _TYPES.get(name) is value else _encode_object(value, keep, where)


def _encode_dtype(value: np.dtype[Any], keep: Keep, where: str) -> Any:
    written = {"dtype": value.str}
    is_plain = _DTYPE.fullmatch(value.str) and value.itemsize <= _LONGEST
    is_same = is_plain and np.dtype(value.str) == value
    return written if is_same else _encode_object(value, keep, where)


def _encode_object(value: Any, keep: Keep, where: str) -> Any:
    name = type(value).__name__
    if type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "tolist"):
        return _encode_list(value.tolist(), keep, where)  # an index: the names of some columns
    if class_named(name) is not type(value):
        raise TypeError(_cannot_hold(value, where))
    parameters, added = parts_of(value)
    return {
        "class": name,
        **{
            part: {key: encode(item, keep, f"{where}.{key}") for key, item in items.items()}
            for part, items in (("parameters", parameters), ("fitted", added))
        },
    }


def _cannot_hold(value: Any, where: str) -> str:
    """Why there is no place for a value, and what to do."""
    seen = f"Got {where} = {value!r:.80}, of class {type(value).__name__}."
    if isinstance(value, BaseEstimator):
        return (
            f"A model file holds estimators of hsiclearn and steps of the classes "
            f"{', '.join(cls.__name__ for cls in STEPS)}. {seen} Save such a pipeline with joblib "
            "or skops, which keep any step, or the part of it without that step."
        )
    return (
        f"A model file holds numbers, text, arrays, estimators and kernels. {seen} Functions, "
        "splitters and random generators cannot be saved: use a kernel, engine, cv or "
        "random_state given by name or number."
    )


# In this order: float64 is a float, and a bool is an int.
_ENCODERS: tuple[tuple[Any, Callable[[Any, Keep, str], Any]], ...] = (
    (bool | str | None, lambda value, keep, where: value),
    (np.generic, lambda value, keep, where: {"number": keep(np.asarray(value))}),
    (int | float, _encode_number),
    (np.ndarray, _encode_array),
    (list, _encode_list),
    (tuple, lambda value, keep, where: {"tuple": _encode_list(value, keep, where)}),
    (Mapping, _encode_mapping),
    (PathLike, lambda value, keep, where: {"path": fspath(value)}),
    (Status, lambda value, keep, where: {"status": value.name}),
    (
        slice,
        lambda value, keep, where: {
            "slice": _encode_list((value.start, value.stop, value.step), keep, where)
        },
    ),
    (np.dtype, _encode_dtype),
    (type, _encode_type),
)


def decode(item: Any, arrays: Mapping[str, Array]) -> Any:
    """The value that :func:`encode` wrote; builds nothing but what the registry lists."""
    if isinstance(item, list):
        return [decode(part, arrays) for part in item]
    if not isinstance(item, dict):
        return item
    if "class" in item:
        return _decode_object(item, arrays)
    (kind, content), *more = item.items()
    if more:
        raise ValueError(f"an entry must have one key, not {sorted(item)}")
    return _DECODERS[kind](content, arrays)


def _decode_object(item: dict[str, Any], arrays: Mapping[str, Array]) -> Any:
    parameters, added = (
        {name: decode(value, arrays) for name, value in item[part].items()}
        for part in ("parameters", "fitted")
    )
    if (cls := class_named(item["class"])) is None:
        raise KeyError(item["class"])
    return put_together(cls, parameters, added)


def _decode_objects(content: Any, arrays: Mapping[str, Array]) -> Array:
    values = np.empty(len(content["items"]), dtype=object)
    values[:] = [decode(part, arrays) for part in content["items"]]
    shape = [_size(n) for n in content["shape"]]
    if math.prod(max(n, 1) for n in shape) > max(values.size, _EMPTY):
        raise ValueError(f"an array of shape {shape} is empty, but would be large in a sum")
    return values.reshape(shape)


def _size(n: Any) -> int:
    if type(n) is not int or n < 0:
        raise ValueError(f"the length of an axis must be a whole number. Got {n!r:.60}")
    return n


def _decode_dtype(content: Any) -> np.dtype[Any]:
    dtype = np.dtype(content) if _DTYPE.fullmatch(content) else None
    if dtype is None or not dtype.itemsize <= _LONGEST:
        raise TypeError(f"{content!r:.60} is no type of an array of numbers, text or objects")
    return dtype


_DECODERS: Mapping[str, Callable[[Any, Mapping[str, Array]], Any]] = {
    "tuple": lambda content, arrays: tuple(decode(content, arrays)),
    "mapping": lambda content, arrays: dict(map(tuple, decode(content, arrays))),
    "array": lambda content, arrays: arrays[content],
    "objects": _decode_objects,
    "number": lambda content, arrays: arrays[content][()],
    "float": lambda content, _: float(content),
    "slice": lambda content, arrays: slice(*decode(content, arrays)),
    "dtype": lambda content, _: _decode_dtype(content),
    "type": lambda content, _: _TYPES[content],
    "path": lambda content, _: str(content),
    "status": lambda content, _: Status[content],
}
