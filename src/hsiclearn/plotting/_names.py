"""Names in a picture: short, on one line, and never read as mathematics; and the main features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray


def shown(name: Any, longest: int = 28) -> str:
    r"""A name for matplotlib: shortened in the middle, with ``$`` escaped.

    Two dollar signs would make mathematics of what stands between them; ``\$`` is drawn as ``$``.
    """
    text = " ".join(str(name).split())
    if len(text) > longest:
        head = (longest - 1) // 2
        text = f"{text[:head]}…{text[len(text) - (longest - 1 - head) :]}"
    return text.replace("$", r"\$")


def plural(n: int, one: str, many: str | None = None) -> str:
    """A number with its noun."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def names_for(
    what: str, names: Sequence[str] | None, default: Sequence[object], things: str
) -> list[str]:
    """One name for each thing: those given as ``what``, or the default ones."""
    given = default if names is None else names
    if len(given) != len(default):
        raise ValueError(
            f"`{what}` must name each of the {len(default)} {things}. Got {len(given)}."
        )
    return [str(name) for name in given]


def feature_names_for(names: Sequence[str] | None, n_features: int) -> list[str]:
    """One name per feature: those given, or x0, x1 and so on."""
    return names_for("feature_names", names, [f"x{j}" for j in range(n_features)], "features")


def largest_features(loadings: FloatArray, max_features: int | None) -> Array:
    """Features by the largest share, ``w_j^2 / sum_j w_j^2``, they have in any direction."""
    squares = np.square(loadings)
    total = squares.sum(axis=1, keepdims=True)
    shares = (squares / np.where(total > 0.0, total, 1.0)).max(axis=0)
    return np.argsort(-shares, kind="stable")[:max_features]
