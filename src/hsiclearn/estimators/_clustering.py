"""What the clustering estimators share: the fit, the labels, predictions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from .._arrays import Array, FloatArray
from ..alternation import (
    ClusterFit,
    ClusterSettings,
    centres_of,
    cluster_labels,
    fit_clusters,
    fit_clusters_as_printed,
    nearest_centre,
)
from ..exceptions import DependenceWarning
from ..gamma import LowRank
from ..kernels import AbstractKernel
from ..objective import Guidance
from ..selection import eigengap_clusters
from ..solvers import print_record
from ._base import BaseHSIC

__all__ = ["ClusterHSIC"]

Guide = Callable[[int], list[Guidance]]
"""Guidance for a number of clusters: its weight grows with them."""


class ClusterHSIC(ClusterMixin, BaseHSIC):  # type: ignore[misc]
    """A clustering and the subspace that carries it; a subclass says what guides it."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{
            name: BaseHSIC._parameter_constraints[name]
            for name in ("kernel", "bandwidth", "n_init", "tol", "max_iter")
        },
        "n_clusters": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "normalize": [StrOptions({"degree", "none"})],
        "objective": [StrOptions({"exact", "paper"})],
        "engine": [StrOptions({"auto", "dense", "tiled"})],
        "init": [StrOptions({"search", "identity"}), np.ndarray],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def predict(self, X: Array) -> Array:
        """The cluster of each row: its embedding by the kernel, then the nearest centre.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            As in ``labels_``.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        if self.n_clusters_ == 1:
            return np.full(X.shape[0], self.labels_[0])
        w = X @ self.components_.T - self._offset
        return self._label_names[nearest_centre(self._extension(w), self._centres)]

    def _fit(
        self,
        X: FloatArray,
        guide: Guide,
        rng: np.random.Generator,
        label: Callable[[FloatArray, int], Array] | None = None,
        more_starts: Callable[[FloatArray], Iterable[tuple[str, FloatArray]]] = lambda _: (),
    ) -> None:
        """Fit, label and store."""
        varying = self._columns_to_use(X)
        self._check_n_clusters(X)
        kept = X if varying.all() else X[:, varying]
        kernel = self._build_kernel(kept, rng)
        settings = self._settings(varying)

        def fit(k: int) -> ClusterFit:
            if self.objective == "paper":
                return fit_clusters_as_printed(
                    kept, kernel, k, self.n_components, guide(k), settings, rng
                )
            return fit_clusters(
                kept, kernel, k, self.n_components, guide(k), settings, rng, more_starts
            )

        if self.n_clusters == "auto":
            k, found = eigengap_clusters(kept, kernel, self.normalize, fit)
        else:
            k, found = int(self.n_clusters), fit(int(self.n_clusters))
        self._store(X, kernel, varying, found.result)
        if label is None:
            labels = cluster_labels(found.embedding, k, rng)
        else:
            labels = label(found.embedding, k)
        self._store_clusters(found, labels, k)

    def _settings(self, varying: Array) -> ClusterSettings:
        return ClusterSettings(
            normalize=self.normalize,
            engine=self.engine,
            init=self.init if isinstance(self.init, str) else self._init_columns(varying),
            n_init=self.n_init,
            tol=self.tol,
            max_iter=self.max_iter,
            report=print_record if self.verbose else None,
        )

    def _weight(self, k: int) -> float:
        """Of guidance: mu per cluster beyond the first; the paper's form takes mu as it is."""
        return float(self.mu * (k - 1) if self.objective == "exact" else self.mu)

    def _check_n_clusters(self, X: FloatArray) -> None:
        if self.n_clusters != "auto" and self.n_clusters > X.shape[0]:
            raise ValueError(
                f"Need n_clusters <= n_samples. Got n_clusters={self.n_clusters} and "
                f"n_samples={X.shape[0]}."
            )

    def _store_clusters(self, found: ClusterFit, labels: Array, k: int) -> None:
        self.n_clusters_ = k
        self.labels_ = labels
        self.embedding_ = found.embedding
        self.graph_eigenvalues_ = found.graph_eigenvalues
        self.assortativity_ = np.asarray(found.assortativity)
        self.starts_ = found.tried
        self._extension, self._offset = found.extension, found.offset
        self._label_names = np.arange(int(labels.max()) + 1)
        self._centres = centres_of(found.extension.embedding, labels)

    def _warn_about_clusters(self, stacklevel: int) -> None:
        self._warn(LowRank(np.zeros((1, 1))), stacklevel + 1)
        found = np.unique(self.labels_).size
        if found < self.n_clusters_:
            warnings.warn(
                f"Only {found} of {self.n_clusters_} clusters have rows: the rows take fewer "
                "distinct places in the subspace. Lower n_clusters, or remove duplicate rows.",
                DependenceWarning,
                stacklevel=stacklevel,
            )

    def __sklearn_tags__(self) -> Tags:
        """A clusterer that also transforms; y is a guide, not a target."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags

    kernel: str | AbstractKernel
    bandwidth: float | str
    n_clusters: int | str
    n_components: int
    mu: float
    normalize: str
    objective: str
    engine: str
    init: str | FloatArray
    n_init: int
    tol: float
    max_iter: int
    random_state: Any
    verbose: int
