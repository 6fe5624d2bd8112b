"""Tables in memory: which of them need no check by scikit-learn, and what its errors leave out."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import FLOATS


def is_plain(X: Any) -> bool:
    """Whether scikit-learn would take X as it is: finite floats in an array, two rows or more.

    To be told so by it takes ten times as long as to look. All else it checks, and words the error.
    """
    if type(X) is not np.ndarray or X.ndim != 2 or X.dtype not in FLOATS or not X.dtype.isnative:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return X.shape[0] >= 2 and X.shape[1] >= 1 and bool(np.isfinite(X.sum()))


def what_is_no_number(X: Any) -> str:
    """Name the first entry of an object array that is no number, and the remedy."""
    if sparse.issparse(X):
        return ""
    array = np.asarray(X)
    if array.dtype.kind not in "OUS" or array.ndim != 2:
        return ""
    for (row, column), value in np.ndenumerate(array):
        try:
            float(value)
        except (TypeError, ValueError):
            return (
                f". X must hold numbers, but row {row}, column {column} is {value!r}: encode that "
                "column (OneHotEncoder, OrdinalEncoder) or drop it."
            )
    return ""
