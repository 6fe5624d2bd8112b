"""How many clusters: where the spectrum of the graph has its widest gap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._alternation import ClusterFit
from .._arrays import FloatArray
from .._engines import single_threaded_blas
from .._linalg import row_space
from .._objective import ClusterObjective
from ..kernels import AbstractKernel

__all__ = ["eigengap_clusters"]

_MOST = 10
_MAX_ROUNDS = 5


def eigengap_clusters(
    X: FloatArray,
    kernel: AbstractKernel,
    normalize: str,
    fit: Callable[[int], ClusterFit],
    *,
    fewest: int = 2,
    engine: str = "auto",
) -> tuple[int, ClusterFit]:
    """Fit at the k with the widest gap, look at the spectrum in that subspace, and repeat.

    Starts from the spectrum in the space of all columns. Stops when k repeats, after five fits at
    most; the last k with its fit is returned. All spectra are judged with the one ``kernel``,
    whatever a fit used.
    """
    most = min(max(_MOST, fewest + 1), X.shape[0] - 1)
    basis, rows = row_space(X, 1)
    objective = ClusterObjective(rows, kernel, most, (), normalize, engine)
    # H K H has no constant eigenvector: k clusters show in k - 1 eigenvalues.
    first = fewest - (normalize == "none")

    def widest(W: FloatArray) -> int:
        values = objective.point(W).spectrum_of_graph.values
        gaps = values[first - 1 : -1] - values[first:]
        return int(np.argmax(gaps)) + fewest if gaps.size else min(fewest, X.shape[0])

    with single_threaded_blas():
        k = widest(np.eye(rows.shape[1]))
        fits: dict[int, ClusterFit] = {}
        while k not in fits and len(fits) < _MAX_ROUNDS:
            fits[k] = fit(k)
            W = fits[k].result.W
            last, k = k, widest(basis.coordinates(W))
    chosen = k if k in fits else last
    return chosen, fits[chosen]
