"""What no formula with weights is known of: it has rows of weight 2 as two rows.

Orders of the rows, blocks of them, and neighbours of each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from ..kernels import AbstractKernel, kernel_from_name, kernel_names
from .evaluation import MeasureSettings

_MOST_ROWS = 1_000_000  # a hundred orders of these take a minute
_MOST_NUMBERS = 2**27  # 1 GB of both sides together


class SingleRows(NamedTuple):
    """What cannot count a row twice, as an error begins, and what there is in its place."""

    why: str
    remedy: str


def needs_single_rows(
    kernels: tuple[str | AbstractKernel, str | AbstractKernel], settings: MeasureSettings
) -> SingleRows | None:
    """What of the settings has no formula with weights."""
    if settings.engine == "block":
        return SingleRows("engine='block' draws single rows", "use engine='nystrom'")
    for given in kernels:
        kernel = kernel_from_name(given) if given in kernel_names() else given
        if not isinstance(kernel, AbstractKernel):
            continue
        if any(term.has_row_scales for _, term in kernel.terms):
            return SingleRows(f"{kernel!r} counts neighbours, row by row", "use kernel 'gaussian'")
    return None


def repeated_rows(weights: FloatArray, single: SingleRows) -> Array:
    """The numbers of the rows, each as often as its weight says, or an error where that is none."""
    broken = weights != np.round(weights)
    if np.any(broken):
        raise ValueError(
            f"{single.why}, and a weight must be a whole number of them. "
            f"{np.count_nonzero(broken)} of {weights.size} are not, the first "
            f"{weights[broken][0]:g}: {single.remedy}, or pass how often each row was seen."
        )
    if weights.sum() > _MOST_ROWS:
        raise ValueError(
            f"{single.why}, repeated as often as their weights say, up to {_MOST_ROWS:,} rows. "
            f"Got {weights.sum():,.0f}: {single.remedy}, or draw some of the rows."
        )
    return np.repeat(np.arange(weights.size), weights.astype(np.int64))


def check_room(
    sides: tuple[Any, Any],
    are_matrices: tuple[bool, bool],
    n: int,
    total: int,
    single: SingleRows,
) -> None:
    """Raise where ``total`` rows, of n that are repeated, would take too much memory."""
    numbers = 0.0
    for values, is_matrix in zip(sides, are_matrices, strict=True):
        size = values.nnz if sparse.issparse(values) else np.prod(getattr(values, "shape", (n,)))
        numbers += float(total) ** 2 if is_matrix else total / n * float(size)
    if numbers > _MOST_NUMBERS:
        raise ValueError(
            f"{single.why}, repeated as often as their weights say, up to {_MOST_NUMBERS:,} "
            f"numbers. Got {numbers:,.0f}: {single.remedy}, or draw some of the rows."
        )
