"""A data frame in numbers: words become columns of 0 and 1, gaps the median of their column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from .._types import Rows

__all__ = ["in_numbers"]

_MOST_LEVELS = 60  # of a column of words: one with more is a name, not a property


def in_numbers(table: Any, target: str, drop: Sequence[str] = ()) -> Rows:
    """The columns but the target and those to drop, and the target as it is.

    Rows without a target are left out. A column of numbers with gaps gets one beside it that says
    where they are; a column that is the same in every row is no column.
    """
    table = table.drop(columns=["rownames", *drop])
    table = table[table[target].notna()]
    y = table.pop(target).to_numpy()
    numbers = table.select_dtypes("number")
    words = table.drop(columns=numbers.columns).astype("string").fillna("missing")
    words = words[[name for name in words if words[name].nunique() <= _MOST_LEVELS]]
    numbers = numbers.dropna(axis=1, how="all")
    gaps = numbers.isna().astype(np.float64)  # whether a value is known may tell something itself
    parts = [numbers.fillna(numbers.median()), gaps]
    parts += [pd.get_dummies(words[[name]], drop_first=True) for name in words]
    X = pd.concat(parts, axis=1).to_numpy(dtype=np.float64)
    return X[:, X.std(axis=0) > 0.0], y
