"""Where rows lie on a map that was drawn without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import nearest_basis
from .splits import Split

__all__ = ["OutOfFold", "positions_held_out"]


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Rows that were held out, where a fit that has not seen them puts them.

    A map of few rows and many columns shows any target perfectly on the rows it was fitted on;
    these positions show what is left of that on new rows.

    Attributes
    ----------
    rows : ndarray of int, shape (m,)
        Rows of the X of the fit, ascending.
    Z : ndarray of shape (m, q)
        Their positions, on the axes of ``transform``.
    """

    rows: Array = field(repr=False)
    Z: FloatArray = field(repr=False)


def positions_held_out(
    Z: Sequence[FloatArray], final: FloatArray, splits: Sequence[Split], index: Array
) -> OutOfFold:
    """Rows held out, on the axes of the final map.

    Two fits of the same subspace may differ by a rotation or a reflection, which no kernel sees.
    For each split that is undone by the orthogonal R (Procrustes) with the least ::

        |(Z - mean Z) R - (F - mean F)|_F     over the rows fitted on,

    F being their final positions. A row that is held out several times counts the first time.

    Parameters
    ----------
    Z : sequence of array of shape (n_samples, q)
        For each split all rows, projected by a W that was found without those it holds out.
    final : array of shape (n_samples, q)
        The rows projected by the final W.
    splits : sequence of Split
    index : array of int, shape (n_samples,)
        The number of each row in the X of the fit.

    Returns
    -------
    OutOfFold
    """
    out = np.empty_like(final)
    seen = np.zeros(final.shape[0], dtype=bool)
    for here, (train, test) in zip(Z, splits, strict=True):
        new = test[~seen[test]]
        out[new] = _moved(here[new], here[train], final[train])
        seen[new] = True
    rows = np.flatnonzero(seen)
    return OutOfFold(index[rows], out[rows])


def _moved(new: FloatArray, here: FloatArray, there: FloatArray) -> FloatArray:
    """``new`` moved by the rigid motion that takes ``here`` nearest to ``there``."""
    center, target = here.mean(axis=0), there.mean(axis=0)
    R = nearest_basis((here - center).T @ (there - target))
    return (new - center) @ R + target
