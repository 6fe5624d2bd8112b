"""Which components are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

__all__ = ["checked_components"]


def checked_components(components: tuple[int, ...] | str, q: int) -> Any:
    """One or two numbers of components, or the word for all pairs."""
    if isinstance(components, str):
        if components != "pairs":
            raise ValueError(f"`components` must be a pair or 'pairs'. Got {components!r}.")
        return "pairs" if q > 1 else (0,)
    chosen = tuple(components) if isinstance(components, Iterable) else ()
    if q == 1 and chosen == (0, 1):
        return (0,)
    if (
        not 1 <= len(chosen) <= 2
        or not all(isinstance(number, Integral) for number in chosen)
        or len(set(chosen)) != len(chosen)
        or not set(chosen) <= set(range(q))
    ):
        raise ValueError(
            f"`components` must be 'pairs' or a tuple of one or two different numbers from 0 to "
            f"{q - 1}, for there are {q} components. Got {components!r}."
        )
    return chosen
