"""Few rows that are elsewhere are better here: a question takes longer to travel than to answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._columns import Column
from .._engines import FIT, EngineLike
from .._paradigms import Target
from .._rows import AbstractRows

_MOST_NUMBERS = 2**25  # 256 MB


def few_rows_here(
    rows: AbstractRows,
    target: Target,
    groups: Column | None,
    weights: Column | None,
    engine: EngineLike,
) -> tuple[AbstractRows, Target, Column | None, Column | None]:
    """In memory, where all pairs of them are looked at; as they are if an engine is asked for."""
    n, d = rows.shape
    is_open = isinstance(engine, str) and engine == "auto"
    if rows.elsewhere is None or not is_open or n > FIT.pairs or n * d > _MOST_NUMBERS:
        return rows, target, groups, weights
    everything = np.arange(n)
    values = None if target.values is None else target.values[everything]
    groups, weights = (None if one is None else one[everything] for one in (groups, weights))
    return rows.subset(everything), replace(target, values=values), groups, weights
