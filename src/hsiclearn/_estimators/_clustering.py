"""What the clustering estimators share: the fit, the labels, predictions."""

import warnings
from copy import copy
from dataclasses import KW_ONLY, dataclass, replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Hidden, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from .._advice import Advice
from .._alternation import (
    ClusterFit,
    ClusterProblem,
    ClusterSettings,
    Extension,
    neighbor_rule,
    project_rows,
    strategy_for,
    with_agreement,
)
from .._arrays import FLOATS, Array, FloatArray
from .._columns import Column, as_public
from .._counts import Counts
from .._devices import is_foreign, to_host
from .._rows import as_rows, chunkwise, is_dask, summarise
from .._selection import median_distance
from .._solvers import Callback
from ..exceptions import DependenceWarning
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel, RelativeGaussian, kernel_from_name, takes_bandwidth
from ._base import ARRAY_OF_ANY_LIBRARY, BaseHSIC
from ._cluster_input import ClusterInput
from ._counted import CountedRows
from ._levels import levels_behind
from ._namespace import check_same_namespace, there


@dataclass(eq=False, repr=False)
class ClusterHSIC(ClusterMixin, ClusterInput):  # type: ignore[misc]
    """A clustering and the subspace that carries it; a subclass says what guides it."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseHSIC._parameter_constraints,
        "n_clusters": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "normalize": [StrOptions({"degree", "none"})],
        "objective": [StrOptions({"exact", "paper"})],
        "engine": [
            StrOptions({"auto", "dense", "tiled", "landmarks"}),
            Hidden(StrOptions({"nystrom"})),  # of old
        ],
        "init": [StrOptions({"search", "identity"}), np.ndarray, ARRAY_OF_ANY_LIBRARY],
    }
    _dimension_rules = False
    _y_may_have_columns = False

    n_clusters: int | str = 2
    n_components: int = 2
    _: KW_ONLY
    kernel: str | AbstractKernel = "relative_gaussian"
    bandwidth: float | str = "median"
    normalize: str = "degree"
    objective: str = "exact"
    engine: str = "auto"
    init: str | FloatArray = "search"
    n_init: int = 1
    tol: float = 1e-6
    max_iter: int = 300
    random_state: int | np.random.RandomState | None = 0
    verbose: int = 0
    callback: Callback | None = None
    on_interrupt: str = "raise"

    def fit_predict(self, X: Array, y: Any = None, *, sample_weight: Any = None) -> Array:
        """Fit, and return the cluster of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like, optional
        sample_weight : array-like of shape (n_samples,), optional
            Both as in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples,)
            ``labels_``. Of a collection of Dask one of its arrays, if its rows were more than come
            here.
        """
        return self.fit(X, y, sample_weight=sample_weight).labels_

    def __getattr__(self, name: str) -> Any:
        """What there would be if the model had not been stored without it."""
        if name in ("labels_", "embedding_") and "components_" in vars(self):
            raise AttributeError(
                f"{name} of rows of Dask does not go with a model that is stored or copied: it is "
                "made of rows that are elsewhere. predict(X) makes the labels again."
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def predict(self, X: Array) -> Array:
        """The cluster of each row: its embedding by the kernel, then the nearest centre.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Of the library and on the device that the model was fitted on.

        Returns
        -------
        ndarray of shape (n_samples,)
            As in ``labels_``. Of a collection of Dask one of its arrays, which is computed when it
            is asked for. Rows on a device are projected there; what comes to the host, where the
            kernel is, are ``n_components`` numbers of each.
        """
        check_is_fitted(self)
        check_same_namespace(self, X, "predict")
        if is_dask(X):
            return chunkwise(X, copy(self).predict, self.n_features_in_)
        if is_foreign(X):
            return there(self._labels_of(self._device_rows(X)), X)
        X = validate_data(self, X, reset=False, dtype=FLOATS, accept_sparse="csr")
        return self._labels_of(X)

    def _labels_of(self, X: Any) -> Array:
        """The names of the clusters of rows, on the host."""
        names = to_host(self._label_names)
        if self.n_clusters_ == 1:
            return np.full(X.shape[0], names[0])
        w = project_rows(X, to_host(self.components_).T) - to_host(self._offset)
        return names[self._labelling(w)]

    def _fit_clusters(
        self, given: CountedRows, rng: np.random.Generator, y: Column | None = None, **known: Any
    ) -> ClusterFit:
        """Solve the problem that rows and what is known of them are, and store what was found.

        ``y`` is what is known as it was read, ``known`` the fields of :class:`ClusterProblem` that
        say it; a ``kernel`` among them stands in for that of the name.
        """
        rows, weights = as_rows(given.X), given.weights
        summary, d = summarise(rows, weights=weights), rows.n_features
        self._check_n_components(d)
        problem = ClusterProblem(
            X=given.X,
            row_weights=weights,
            n_clusters=self.n_clusters,
            n_components=int(self.n_components),
            settings=ClusterSettings(
                normalize=self.normalize,
                objective=self.objective,
                engine=self._engine_name,
                init=self.init if isinstance(self.init, str) else self._init_columns(d),
                n_init=self.n_init,
                tol=self.tol,
                max_iter=self.max_iter,
                callback=self.callback,
                on_interrupt=self.on_interrupt,
            ),
            **{"kernel": self._kernel_for, **known},
        )
        with self._showing(summary.mean):
            fit = strategy_for(problem).fit(problem, rng)
        fit, self.agreement_ = with_agreement(fit, rng)
        W, kernel = fit.result.W, fit.problem.fixed_kernel
        self._store(rows, y, summary.mean, kernel, W, fit.result, weights)
        names = getattr(self, "feature_names_in_", None)
        counts = fit.problem.counts
        self.levels_ = levels_behind(fit.rows, fit.labelling.labels, W, names, counts)
        self.n_alone_ = fit.point.n_alone
        self.n_clusters_ = fit.point.objective.n_clusters
        self.labels_ = as_public(fit.labels)
        self.embedding_ = as_public(fit.embedding)
        self.graph_eigenvalues_ = fit.graph_eigenvalues
        self.assortativity_ = np.asarray(fit.point.assortativity)
        self.starts_ = fit.tried
        self.label_kernel_ = fit.labelling.extension.kernel
        self._labelling, self._offset = fit.labelling, fit.offset
        self._label_names = np.arange(self.n_clusters_)
        return fit

    def _put_back(self, given: CountedRows, fit: ClusterFit) -> None:
        """Labels and embedding of rows of weight 0, as ``predict`` makes them."""
        if given.kept is None:
            return
        rest = given.left_out
        w = project_rows(rest, fit.result.W) - fit.offset
        embedding = np.sqrt(fit.share) * Extension.of(fit.point)(w)
        self.embedding_ = given.with_left_out(self.embedding_, embedding)
        self.labels_ = given.with_left_out(self.labels_, self._labels_of(rest))
        carriers = tuple(given.kept[rows] for rows in self.spread_.carriers)
        self.spread_ = replace(self.spread_, carriers=carriers)

    @property
    def _is_relative(self) -> bool:
        """Whether the kernel is the relative Gaussian one, by its name: ours to adapt."""
        return isinstance(self.kernel, str) and self.kernel == "relative_gaussian"

    def _kernel_for(
        self, X: FloatArray, counts: Counts, k: int, rng: np.random.Generator
    ) -> AbstractKernel:
        """The kernel by its name; the relative one with the number of neighbours for n and k."""
        if self._is_relative:
            n_neighbors = min(neighbor_rule(counts.total, k), counts.whole - 1)
            return RelativeGaussian(n_neighbors, floor=1.0)
        if isinstance(self.kernel, AbstractKernel):
            return self.kernel
        if not takes_bandwidth(self.kernel):
            return kernel_from_name(self.kernel)
        by_rule = isinstance(self.bandwidth, str)
        bandwidth = median_distance(X, rng, counts.v) if by_rule else float(self.bandwidth)
        return kernel_from_name(self.kernel, bandwidth)

    def _warn(self, stacklevel: int) -> None:
        for category, message in self._warnings_for(None):
            warnings.warn(message, category, stacklevel=stacklevel)

    def _warnings_for(self, gamma: AbstractGamma | None) -> list[tuple[type[Warning], str]]:
        """Besides: labels that are missing, arbitrary, or told by one column; a name of old."""
        found, k = super()._warnings_for(gamma), self.n_clusters_
        present = np.unique(self._labelling.labels).size
        if present < k:
            message: str = Advice(
                f"Only {present} of {k} clusters have rows: the rows take fewer distinct places in "
                "the subspace.",
                "Lower n_clusters, or remove duplicate rows.",
                "Lower --clusters, or remove duplicate rows.",
            )
            found.append((DependenceWarning, message))
        if self.n_alone_ >= k > 1:
            message = Advice(
                f"{self.n_alone_} rows are out of reach of all others, as the kernel sees them in "
                "this subspace: each is a cluster to the graph, and the labels are arbitrary.",
                "Raise the bandwidth, or use kernel='relative_gaussian'.",
                "Raise --bandwidth, or leave it out.",
            )
            found.append((DependenceWarning, message))
        if self.levels_ is not None:
            found.append((DependenceWarning, self.levels_.in_words()))
        if self.engine == "nystrom":
            message = Advice(
                "To cluster on a sample of rows is named after what it does, landmarks; the old "
                "name of the engine, nystrom, goes in a later version.",
                "Use engine='landmarks'.",
                "Use --engine landmarks.",
            )
            found.append((FutureWarning, message))
        return found

    def __sklearn_tags__(self) -> Tags:
        """A clusterer that also transforms; y is a guide, not a target."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.target_tags.multi_output = self._y_may_have_columns
        tags.input_tags.sparse = True
        return tags
