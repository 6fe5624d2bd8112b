"""Clusters other than the ones already known, and a sequence of clusterings, all different."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval

from .._arrays import Array
from .._columns import AbstractColumn, Column
from .._devices import here, to_host
from .._paradigms import away_from, read_labellings
from .._rows import is_dask
from .._solvers import as_generator
from ..kernels import AbstractKernel, RelativeGaussian
from ._clustering import ClusterHSIC


@dataclass(eq=False, repr=False, kw_only=True)
class AlternativeHSIC(ClusterHSIC):
    r"""Clusters other than the ones already known, and the directions that carry them.

    ::

        minimise  -sum of the k largest eigenvalues of D^-1/2 K_XW D^-1/2 + mu (k-1) sum_j p_j^2

    over W with W'W = I. p_j is the assortativity of the j-th given labelling on the graph of the
    projected rows: HSIC without its diagonal over the mass of the graph, 1 where all edges join
    equal labels and 0 at chance.

    X is not scaled: put a ``StandardScaler`` in front unless the columns share a unit.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters k; ``"auto"`` as in :class:`UnsupervisedHSIC`.
    n_components : int, default=2
        Dimensions q of the subspace, at most n_features.
    mu : float, default=10.0
        Weight of the penalty for showing the given labels. It is scale-free: one value works
        across sizes, numbers of clusters and bandwidths. With ``objective="paper"`` it is the
        paper's raw factor of HSIC, which does not.
    kernel : str or AbstractKernel, default="relative_gaussian"
        The kernel of the projected rows. By its name, the default takes each row's scale from its
        seventh neighbour in the subspace, and the scales move with it; where the clusters do not
        stand clearly apart, labels are also sought in the graph of fourth neighbours, and taken
        if they come nearer to the cut that its eigenvalues promise. An object is used as it is.
        The kernel used is in ``kernel_``, that of the labels in ``label_kernel_``.
    bandwidth, normalize, objective, engine, init, n_init, tol, max_iter, random_state, verbose
        As in :class:`UnsupervisedHSIC`.
    callback, on_interrupt
        As in :class:`UnsupervisedHSIC`.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each training row.
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions; the largest loading of each is positive.
    assortativity_ : ndarray of shape (n_labellings,)
        How much of each given labelling the subspace shows: 0 at chance, 1 in full.
    embedding_, label_kernel_, n_clusters_, graph_eigenvalues_, cost_, converged_, certificate_
        As in :class:`UnsupervisedHSIC`.
    agreement_, levels_, n_alone_, starts_, result_, spread_
        As in :class:`UnsupervisedHSIC`.
    n_components_, eigenvalues_, bandwidth_, kernel_, engine_
        As in :class:`SupervisedHSIC`.
    mean_, n_iter_, n_features_in_, feature_names_in_
        As in :class:`SupervisedHSIC`.

    See Also
    --------
    hsiclearn.find_views : a sequence of mutually different clusterings.

    References
    ----------
    C. Wu, J. Miller, Y. Chang, J. Dy: Spectral Non-Convex Optimization for Dimension Reduction
    with Hilbert-Schmidt Independence Criterion, 2019.

    Examples
    --------
    >>> from sklearn.metrics import normalized_mutual_info_score
    >>> from hsiclearn import AlternativeHSIC
    >>> from hsiclearn.datasets import make_two_views
    >>> X, given, alternative = make_two_views("blobs", 100)
    >>> model = AlternativeHSIC(n_clusters=2, n_components=2).fit(X, given)
    >>> bool(normalized_mutual_info_score(alternative, model.labels_) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ClusterHSIC._parameter_constraints,
        "mu": [Interval(Real, 0, None, closed="left")],
    }
    _y_may_have_columns = True  # labellings

    mu: float = 10.0

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Array, y: Any = None, *, sample_weight: Any = None) -> Self:
        """Find clusters other than the given ones, and their subspace.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Or an array or a dataframe of Dask; beyond 5000 rows these stay where they are, and
            ``labels_`` and ``embedding_`` are arrays of Dask. Of a sparse matrix the rows to solve
            on, all or the landmarks, are made dense; beyond 1 GiB that is refused: reduce the
            columns first, by ``TruncatedSVD`` for instance. Or a dense array of torch or CuPy on a
            device: up to 5000 rows, or all where pairs of all are asked for, come to the host
            to be solved on; of more rows the landmarks do, and the others are projected on the
            device.
        y : array-like of shape (n_samples,) or (n_samples, n_labellings), optional
            The labelling to stay away from, or several. None: the unsupervised fit.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts: weight 2 is a row that stands there twice, weight 0 one that
            is absent, whose label is made as ``predict`` makes it. They are numbers of rows: by
            them neighbours that set a scale are counted. Shares of a whole are scaled to the number
            of rows that they are worth, ``(sum v)^2 / sum v^2``. Rows to search on and landmarks
            are drawn by them.

        Returns
        -------
        self
            Of an array of another library than numpy, attributes that are arrays of numbers are of
            that library, on the device of X; what records such as ``result_`` hold is of numpy.
        """
        with self._all_or_nothing(X, y, sample_weight):
            given = self._validated_together(X, y, sample_weight)
            y, rng = given.y, as_generator(self.random_state)
            known = [] if y is None else read_labellings(y, given.X.shape[0])
            codes = tuple(labels.codes for labels in known)
            kernels: dict[str, AbstractKernel] = {}
            if self._is_relative and y is not None:
                # Two clusterings in one table lie along thinner shapes than one: fewer neighbours.
                kernels = {"kernel": RelativeGaussian(), "finer": RelativeGaussian(n_neighbors=4)}
            fit = self._fit_clusters(
                given,
                rng,
                y=_side_by_side(codes),
                guidance=away_from(known, float(self.mu), given.counts),
                labellings=codes,
                **kernels,
            )
            self._put_back(given, fit)
        self._warn(stacklevel=4)  # 4: the line that called fit
        return self


def find_views(
    X: Array,
    n_views: int = 2,
    n_clusters: int = 2,
    n_components: int = 2,
    *,
    given: Array | None = None,
    sample_weight: Any = None,
    **parameters: Any,
) -> list[AlternativeHSIC]:
    """Cluster X again and again, each time away from every clustering so far.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
    n_views : int, default=2
        Number of clusterings to find.
    n_clusters, n_components : int
        Of each view.
    given : array-like of shape (n_samples,) or (n_samples, n_labellings), optional
        Labellings already known, to stay away from as well.
    sample_weight : array-like of shape (n_samples,), optional
        As in ``fit``.
    **parameters
        Further parameters of :class:`AlternativeHSIC`.

    Returns
    -------
    list of AlternativeHSIC
        Fitted, in the order they were found: ``view.labels_`` is a clustering,
        ``view.components_`` its subspace, ``view.assortativity_`` what it shows of the earlier
        ones. The first view, away from nothing, has a wider kernel than the others: compare
        ``cost_`` only between views of the same ``kernel_``.

    Examples
    --------
    >>> from hsiclearn import find_views
    >>> from hsiclearn.datasets import make_two_views
    >>> X, first, second = make_two_views("blobs", 80)
    >>> views = find_views(X, n_views=2)
    >>> [view.labels_.shape for view in views]
    [(80,), (80,)]
    """
    if n_views < 1:
        raise ValueError(f"Need n_views >= 1. Got n_views={n_views}.")
    known: list[Any] = []
    if given is not None:
        n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
        given = given if is_dask(given) else to_host(given)
        if given.ndim not in (1, 2) or given.shape[0] != n_samples:
            raise ValueError(
                f"`given` must have one row per row of X, {n_samples}: one labelling or several "
                f"columns. Got shape {given.shape}."
            )
        known = [given] if given.ndim == 1 else [given[:, j] for j in range(given.shape[1])]
    views: list[AlternativeHSIC] = []
    for _ in range(n_views):
        model = AlternativeHSIC(n_clusters, n_components, **parameters)
        y = np.stack(known, axis=1) if known else None
        views.append(model.fit(X, y, sample_weight=sample_weight))
        labels = views[-1].labels_
        known.append(here(labels))
    return views


def _side_by_side(codes: tuple[Column, ...]) -> Column | None:
    """The labellings as columns; of those that are elsewhere the first."""
    if not codes:
        return None
    return codes[0] if isinstance(codes[0], AbstractColumn) else np.column_stack(codes)
