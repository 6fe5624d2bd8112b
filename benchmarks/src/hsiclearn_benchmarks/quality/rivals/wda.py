"""Wasserstein discriminant analysis, by the package POT."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import final

import numpy as np
from sklearn.decomposition import PCA

from ..._types import Array, FloatArray
from ._linear import LinearRival, responses
from ._packages import package

__all__ = ["WassersteinDiscriminant"]


@final
class WassersteinDiscriminant(LinearRival):
    """Orthonormal directions with classes far apart, and compact, by regularised transport.

    The ratio of the transport distances within classes to those between them is descended on the
    Stiefel manifold, from the q leading principal components.

    Parameters
    ----------
    n_components : int
    regularization : float
        The entropy's weight.
    n_sinkhorn : int
        Rounds of Sinkhorn's algorithm, through which the derivative is taken.
    max_iter : int

    References
    ----------
    R. Flamary, M. Cuturi, N. Courty, A. Rakotomamonjy: Wasserstein Discriminant Analysis. Machine
    Learning 107, 2018. The settings are the defaults of ``ot.dr.wda`` of the first author's
    package POT.
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        regularization: float = 1.0,
        n_sinkhorn: int = 10,
        max_iter: int = 100,
    ) -> None:
        self.n_components = n_components
        self.regularization = regularization
        self.n_sinkhorn = n_sinkhorn
        self.max_iter = max_iter

    def _directions(self, X: FloatArray, y: Array) -> FloatArray:
        codes = responses(y.astype(str)).argmax(axis=1)
        q = min(self.n_components, *X.shape)
        start = PCA(n_components=q).fit(X).components_.T
        with redirect_stdout(io.StringIO()):  # it tells of every step
            P, _ = package("ot.dr", "POT").wda(
                X.copy(),
                codes,
                p=q,
                reg=self.regularization,
                k=self.n_sinkhorn,
                maxiter=self.max_iter,
                P0=start,
            )
        return np.asarray(P, dtype=np.float64).T
