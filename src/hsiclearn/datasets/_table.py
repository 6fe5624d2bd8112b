"""What a loader returns."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._arrays import FloatArray

IntArray = npt.NDArray[np.int64]

Folder = str | os.PathLike[str]


class Table(NamedTuple):
    """Rows with one label each.

    Attributes
    ----------
    X : array of shape (n_samples, n_features), float64
    y : array of shape (n_samples,), int64
    feature_names : tuple of str
        One per column of ``X``.
    target_names : tuple of str
        One per value of ``np.unique(y)``, in that order.
    description : str
        The source, what was done to it, and its licence.
    """

    X: FloatArray
    y: IntArray
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    description: str
