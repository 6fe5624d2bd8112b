"""Which way of drawing rows a target asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._by_class import ByClass
from ._by_value import ByValue
from ._names import shown
from ._paint import Paint, Plain
from ._targets import Colouring

__all__ = ["paint_for"]

_OURS = ("c", "color", "label")


def paint_for(
    target: Colouring | None, class_names: Sequence[str] | None, style: Mapping[str, Any]
) -> Paint:
    """The colours of a target, or an error if the names or the style do not go with them."""
    if target is None:
        return Plain()
    taken = [name for name in _OURS if name in style]
    if taken:
        raise ValueError(
            f"{taken[0]!r} cannot be set for rows that are coloured and named by y. Pass y=None, "
            "or `class_names` to name the classes."
        )
    if target.values is not None:
        return ByValue(target.values, target.note)
    names = target.names if class_names is None else class_names
    if len(names) != len(target.names):
        raise ValueError(
            f"`class_names` must name each of the {len(target.names)} classes in y. "
            f"Got {len(names)}."
        )
    return ByClass(target.rank, [shown(name) for name in names], target.note, style.get("marker"))
