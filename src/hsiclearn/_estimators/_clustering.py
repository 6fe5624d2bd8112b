"""What the clustering estimators share: the fit, the labels, predictions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from .._alternation import (
    AbstractSample,
    ClusterFit,
    ClusterSettings,
    Labelling,
    fit_clusters,
    fit_clusters_as_printed,
    guided_starts,
    label_rows,
    mean_of,
    measure_agreement,
    neighbor_rule,
    project_rows,
)
from .._arrays import Array, FloatArray
from .._objective import ClusterPoint, Guidance
from .._rows import as_rows
from .._selection import eigengap_clusters
from ..gamma import LowRank
from ..kernels import AbstractKernel, RelativeGaussian
from ._base import BaseHSIC
from ._cluster_complaints import complaints_about
from ._levels import levels_behind
from ._many_rows import FLOATS, ManyRows

__all__ = ["ClusterHSIC"]

Guide = Callable[[int], list[Guidance]]
"""Guidance for a number of clusters: its weight grows with them."""
Solve = Callable[[FloatArray, int, ClusterSettings], ClusterFit]


def _unguided(_: int) -> list[Guidance]:
    return []


class ClusterHSIC(ClusterMixin, ManyRows, BaseHSIC):  # type: ignore[misc]
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
        "engine": [StrOptions({"auto", "dense", "tiled", "nystrom"})],
        "init": [StrOptions({"search", "identity"}), np.ndarray],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def fit_predict(self, X: Array, y: Any = None) -> Array:
        """Fit, and return the cluster of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like, optional
            As in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.fit(X, y).labels_

    def predict(self, X: Array) -> Array:
        """The cluster of each row: its embedding by the kernel, then the nearest centre.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            As in ``labels_``.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=FLOATS, accept_sparse="csr")
        if self.n_clusters_ == 1:
            return np.full(X.shape[0], self.labels_[0])
        w = project_rows(X, self.components_.T) - self._offset
        return self._label_names[self._labelling(w)]

    def _fit_clusters(
        self, X: Array, guide: Guide, rng: np.random.Generator, labellings: Sequence[Array] = ()
    ) -> None:
        """Minimise the objective that ``guide`` guides, and label the rows.

        ``labellings`` are what is known of all rows, as codes: each class must be among the rows
        that the objective is solved on.
        """
        sample = self._sample(X, rng, labellings)

        def solve(rows: FloatArray, k: int, settings: ClusterSettings) -> ClusterFit:
            kernel = self._kernel_for(rows, k, rng)
            problem = (k, int(self.n_components), sample.guidance(guide(k)))
            if self.objective == "paper":
                return fit_clusters_as_printed(rows, kernel, *problem, settings, rng)

            def more_starts(X: FloatArray) -> Iterable[tuple[str, FloatArray]]:
                return guided_starts(X, np.full(X.shape[0], -1), *problem[:2], rng)

            def label(point: ClusterPoint, rng: np.random.Generator) -> Labelling:
                return label_rows(point, rng, self._finer_kernel())

            return fit_clusters(rows, kernel, *problem, settings, rng, more_starts, label)

        self._solve_and_store(X, sample, solve, rng, guide=guide)

    def _solve_and_store(
        self,
        X: Array,
        sample: AbstractSample,
        solve: Solve,
        rng: np.random.Generator,
        *,
        fewest: int = 2,
        guide: Guide = _unguided,
    ) -> None:
        """Choose k, solve on the sample, carry that to all rows, and store."""
        rows = sample.rows(X)
        varying = self._columns_to_use(rows)
        self._check_n_clusters(rows)
        kept = rows if varying.all() else rows[:, varying]
        settings = self._settings(varying, sample.engine)

        def fit(k: int) -> ClusterFit:
            return solve(kept, k, settings)

        if self.n_clusters == "auto":
            kernel = self._kernel_for(kept, 2, rng)
            k, found = eigengap_clusters(
                kept, kernel, self.normalize, fit, fewest=fewest, engine=sample.engine
            )
        else:
            k, found = int(self.n_clusters), fit(int(self.n_clusters))
        self.agreement_ = measure_agreement(found.labels, found.retry, rng)
        self.levels_ = levels_behind(kept, found.labels, found.result.W, self._names(varying))
        self.n_alone_ = found.point.n_alone
        found = sample.carry(found, X, varying, guide(k))
        self._store(as_rows(X), mean_of(X), found.kernel, varying, found.result)
        self._store_clusters(found, k)

    def _names(self, varying: Array) -> dict[int, str]:
        """The columns that vary, by their index in X."""
        names = getattr(self, "feature_names_in_", None)
        return {
            int(j): f"column {j}" if names is None else str(names[j])
            for j in np.flatnonzero(varying)
        }

    def _finer_kernel(self) -> AbstractKernel | None:
        """For a second look at the labels where clusters do not stand clear; None for none."""
        return None

    def _kernel_for(self, X: FloatArray, k: int, rng: np.random.Generator) -> AbstractKernel:
        """The kernel by its name; the relative one with the number of neighbours for n and k."""
        if isinstance(self.kernel, str) and self.kernel == "relative_gaussian":
            return RelativeGaussian(min(neighbor_rule(X.shape[0], k), X.shape[0] - 1), floor=1.0)
        return self._build_kernel(X, rng)

    def _settings(self, varying: Array, engine: str) -> ClusterSettings:
        return ClusterSettings(
            normalize=self.normalize,
            engine=engine,
            init=self.init if isinstance(self.init, str) else self._init_columns(varying),
            n_init=self.n_init,
            tol=self.tol,
            max_iter=self.max_iter,
        )

    def _weight(self, k: int) -> float:
        """Of guidance: mu per cluster beyond the first; the paper's form takes mu as it is."""
        return float(self.mu * (k - 1) if self.objective == "exact" else self.mu)

    _dimension_rules = False

    def _check_n_clusters(self, X: FloatArray) -> None:
        if self.n_clusters != "auto" and self.n_clusters > X.shape[0]:
            raise ValueError(
                f"Need n_clusters <= n_samples. Got n_clusters={self.n_clusters} and "
                f"n_samples={X.shape[0]}."
            )

    def _store_clusters(self, found: ClusterFit, k: int) -> None:
        self.n_clusters_ = k
        self.labels_ = found.labels
        self.embedding_ = found.embedding
        self.graph_eigenvalues_ = found.graph_eigenvalues
        self.assortativity_ = np.asarray(found.assortativity)
        self.starts_ = found.tried
        self.label_kernel_ = found.labelling.extension.kernel
        self._labelling, self._offset = found.labelling, found.offset
        self._label_names = np.arange(int(self.labels_.max()) + 1)

    def _warn_about_clusters(self, stacklevel: int) -> None:
        self._warn(LowRank(np.zeros((1, 1))), stacklevel + 1)
        for category, message in complaints_about(self):
            warnings.warn(message, category, stacklevel=stacklevel)

    def __sklearn_tags__(self) -> Tags:
        """A clusterer that also transforms; y is a guide, not a target."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.input_tags.sparse = True
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
