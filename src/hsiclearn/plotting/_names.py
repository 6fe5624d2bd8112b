"""What is drawn, and its names: short, on one line, and never read as mathematics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray

__all__ = [
    "and_more",
    "axis_names_for",
    "checked_components",
    "count_of",
    "feature_names_for",
    "largest_features",
    "largest_shares",
    "shown",
]

_LONGEST = 28  # characters


def shown(name: Any, longest: int = _LONGEST) -> str:
    r"""A name for matplotlib: shortened in the middle, with ``$`` escaped.

    Two dollar signs would make mathematics of what stands between them; ``\$`` is drawn as ``$``.
    """
    text = " ".join(str(name).split())
    if len(text) > longest:
        head = (longest - 1) // 2
        text = f"{text[:head]}…{text[len(text) - (longest - 1 - head) :]}"
    return text.replace("$", r"\$")


def and_more(count: int, what: str = "") -> str:
    """The note about what is left out; ``what`` is the word for one of them."""
    return f"and {count_of(count, f'more {what}')}" if what else f"and {count:,} more"


def count_of(count: int, what: str) -> str:
    """A number and the word for one of them, in the plural where there are more."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def axis_names_for(names: Sequence[str] | None, n_components: int) -> list[str]:
    """One name per component: those given, or component 1, component 2 and so on."""
    if names is None:
        return [f"component {k + 1}" for k in range(n_components)]
    if len(names) != n_components:
        raise ValueError(
            f"`axis_names` must name each of the {n_components} components. Got {len(names)}."
        )
    return [str(name) for name in names]


def feature_names_for(names: Sequence[str] | None, n_features: int) -> list[str]:
    """One name per feature: those given, or x0, x1 and so on."""
    if names is None:
        return [f"x{j}" for j in range(n_features)]
    if len(names) != n_features:
        raise ValueError(
            f"`feature_names` must name each of the {n_features} features. Got {len(names)}."
        )
    return [str(name) for name in names]


def largest_shares(loadings: FloatArray) -> FloatArray:
    """The largest share, ``w_j^2 / sum_j w_j^2``, that each feature has in any direction."""
    squares = np.square(loadings)
    total = squares.sum(axis=1, keepdims=True)
    return (squares / np.where(total > 0.0, total, 1.0)).max(axis=0)


def largest_features(loadings: FloatArray, max_features: int | None) -> Array:
    """Numbers of the features to show, by falling share; ties stay in order."""
    return np.argsort(-largest_shares(loadings), kind="stable")[:max_features]


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
