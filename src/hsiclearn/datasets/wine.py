"""The wines."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np
from sklearn import datasets

from .._arrays import FloatArray
from ._store import Folder, IntArray, Table

__all__ = ["load_wine"]

DESCRIPTION = (
    "Chemical analysis of 178 wines from three growers. UCI Wine (CC BY 4.0), as it comes with "
    "scikit-learn."
)


@overload
def load_wine(
    *, paper: bool = ..., data_home: Folder | None = ..., return_X_y: Literal[False] = ...
) -> Table: ...
@overload
def load_wine(
    *, paper: bool = ..., data_home: Folder | None = ..., return_X_y: Literal[True]
) -> tuple[FloatArray, IntArray]: ...
def load_wine(
    *, paper: bool = False, data_home: Folder | None = None, return_X_y: bool = False
) -> Table | tuple[FloatArray, IntArray]:
    """178 wines with 13 measurements each, from 3 growers.

    Parameters
    ----------
    paper : bool
        The paper uses all rows; makes no difference.
    data_home : path, optional
        Makes no difference: the table comes with scikit-learn.
    return_X_y : bool
        Return ``X, y`` alone.

    Returns
    -------
    Table, or ``X`` and ``y``
        ``y`` is 0, 1 or 2 in 59, 71 and 48 rows.

    Examples
    --------
    >>> from hsiclearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> X.shape
    (178, 13)
    """
    wine = datasets.load_wine()
    X, y = wine.data, wine.target.astype(np.int64)
    if return_X_y:
        return X, y
    return Table(
        X, y, tuple(wine.feature_names), tuple(str(name) for name in wine.target_names), DESCRIPTION
    )
