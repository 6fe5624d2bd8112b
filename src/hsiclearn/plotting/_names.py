"""Names as they are shown: short, on one line, and never read as mathematics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["and_more", "axis_names_for", "count_of", "feature_names_for", "shown"]

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
