"""HSIC Lasso, by the package pyHSICLasso."""

from __future__ import annotations

import io
import warnings
from contextlib import redirect_stdout

from ..._types import Array, FloatArray
from ._packages import package

__all__ = ["hsic_lasso_columns"]


def hsic_lasso_columns(X: FloatArray, y: Array, k: int) -> list[int]:
    """At most k columns whose kernel matrices add up, nonnegatively, to the target's.

    The kernels are the package's, a Gaussian of each standardised column, and of the target a
    Gaussian or equality of classes. ``B=0`` is the plain method, on all rows at once: nothing is
    drawn at random.

    References
    ----------
    M. Yamada, W. Jitkrittum, L. Sigal, E. P. Xing, M. Sugiyama: High-Dimensional Feature Selection
    by Feature-Wise Kernelized Lasso. Neural Computation 26, 2014.
    """
    model = package("pyHSICLasso", "pyHSICLasso").HSICLasso()
    with redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the package's own
        model.input(X, y)
        fit = model.regression if y.dtype.kind == "f" else model.classification
        fit(k, B=0, n_jobs=1)
    return [int(index) for index in model.get_index()]
