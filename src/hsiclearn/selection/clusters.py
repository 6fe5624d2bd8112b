"""How many clusters: where the spectrum of the graph has its widest gap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import FloatArray
from ..alternation import ClusterFit
from ..kernels import AbstractKernel
from ..objective import ClusterObjective

__all__ = ["eigengap_clusters"]

_MOST = 10
_MAX_ROUNDS = 5


def eigengap_clusters(
    X: FloatArray,
    kernel: AbstractKernel,
    normalize: str,
    fit: Callable[[int], ClusterFit],
    fewest: int = 2,
) -> tuple[int, ClusterFit]:
    """Fit at the k with the widest gap, look at the spectrum in that subspace, and repeat.

    Starts from the spectrum in the space of all columns. Stops when k repeats, after five fits at
    most; the last k with its fit is returned.
    """
    most = min(max(_MOST, fewest + 1), X.shape[0] - 1)
    objective = ClusterObjective(X, kernel, most, (), normalize)

    def widest(W: FloatArray) -> int:
        values = objective.point(W).spectrum_of_graph.values
        gaps = values[fewest - 1 : -1] - values[fewest:]  # k = fewest, ...
        return int(np.argmax(gaps)) + fewest if gaps.size else min(fewest, X.shape[0])

    k = widest(np.eye(X.shape[1]))
    fits: dict[int, ClusterFit] = {}
    while k not in fits and len(fits) < _MAX_ROUNDS:
        fits[k] = fit(k)
        last, k = k, widest(fits[k].result.W)
    chosen = k if k in fits else last
    return chosen, fits[chosen]
