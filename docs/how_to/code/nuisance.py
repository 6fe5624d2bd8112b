"""Depend on one labelling and not on another: the example of docs/how_to/add_a_paradigm.md."""

from __future__ import annotations

import numpy as np

from hsiclearn._arrays import Array
from hsiclearn.gamma import AbstractGamma, ClassTable

__all__ = ["nuisance_gamma"]


def nuisance_gamma(y: Array, nuisance: Array, mu: float = 1.0) -> AbstractGamma:
    """``H K_Y H - mu H K_Z H`` for two labellings y and z of the same rows.

    The subspace is to show y and not to show z, a batch or a machine for instance.
    """
    codes = [np.unique(labels, return_inverse=True)[1] for labels in (y, nuisance)]
    if codes[0].shape != codes[1].shape:
        raise ValueError(
            "Need one nuisance label per row. "
            f"Got {codes[0].size} labels and {codes[1].size} nuisance labels."
        )
    if not mu >= 0.0:
        raise ValueError(f"`mu` must be a number >= 0. Got {mu}.")
    return ClassTable.centered(codes[0]) - mu * ClassTable.centered(codes[1])
