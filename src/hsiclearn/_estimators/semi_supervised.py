"""SemiSupervisedHSIC: clusters guided by a few labels or by expert scores."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, StrOptions

from .._alternation import ClusterFit
from .._arrays import Array
from .._columns import AbstractColumn, Column, as_public, mapped
from .._paradigms import (
    ClassLabels,
    follow_labels,
    follow_scores,
    kind_of_guidance,
    read_partial_labels,
)
from .._solvers import as_generator
from ._clustering import ClusterHSIC
from ._counted import CountedRows


@dataclass(eq=False, repr=False, kw_only=True)
class SemiSupervisedHSIC(ClusterHSIC):
    r"""Clusters guided by partial labels or by expert scores, and the directions that carry them.

    ::

        minimise  -sum of the k largest eigenvalues of D^-1/2 K_XW D^-1/2 - mu (k-1) p

    over W with W'W = I. p is the assortativity of the guidance on the graph of the projected rows:
    HSIC without its diagonal over the mass of the graph, 1 where all edges join equal labels and 0
    at chance. Scores guide as they are. Partial labels are too few for that: they are first
    completed to a guess for all rows, by k-means that is seeded by them in the neighbour graphs of
    several subspaces, and the guess guides.

    X is not scaled: put a ``StandardScaler`` in front unless the columns share a unit.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters k. With fewer clusters than named classes the labels only guide, and
        clusters are numbered.
    n_components : int, default=2
        Dimensions q of the subspace, at most n_features.
    mu : float, default=3.0
        Weight of the guidance, scale-free.
    guidance : {"auto", "labels", "scores"}, default="auto"
        What y is. ``"labels"``: one class per row, -1 (or ``"-1"``) where unknown. ``"scores"``:
        any reals, one or several columns; rows with like scores should fall together. ``"auto"``:
        labels if y is one column of integers or strings. The choice is in ``guidance_``.
    init : {"search", "identity"} or ndarray of shape (n_components, n_features), default="search"
        With partial labels: where to guess labels, beside the space of all columns.
        ``"search"``, in the best subspaces of a search; ``"identity"``, nowhere else; an array, in
        that subspace alone. Without, as in :class:`UnsupervisedHSIC`.
    kernel, bandwidth, normalize, objective, engine, n_init, tol, max_iter, random_state, verbose
        As in :class:`UnsupervisedHSIC`.
    callback, on_interrupt
        As in :class:`UnsupervisedHSIC`; with partial labels the fit also ends when ten steps
        together gain less than a thousandth. With ``engine="landmarks"`` all labelled rows are
        landmarks, but half of them at most; no class is left out, and labelled rows that are
        none keep their label.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each training row, under the name of its class where y names one; clusters
        that no label names take the next free integers, or ``"unnamed-1"``, ... A labelled row
        keeps its label.
    classes_ : ndarray of shape (n_clusters,)
        The name of each cluster; only with partial labels of no more classes than clusters.
    guidance_ : str or None
        The kind of guidance; None without any.
    assortativity_ : ndarray of shape (1,)
        How much of the guidance the subspace shows: 0 at chance, up to 1 in full. With partial
        labels it is that of the guess; known rows count five times, which keeps it below 1.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        Eigenvectors of the graph. Partial labels are completed in a neighbour graph of the same
        subspace, with more eigenvectors than these.
    starts_ : tuple of Tried
        The search for subspaces in which to guess; it knows no labels.
    agreement_ : Agreement
        As in :class:`UnsupervisedHSIC`. With partial labels: other guesses, and guesses from one
        half of the rows for the other; rows whose label was given are not compared.
    components_, n_clusters_, graph_eigenvalues_, cost_, converged_, certificate_, result_, spread_
        As in :class:`UnsupervisedHSIC`.
    levels_, n_alone_
        As in :class:`UnsupervisedHSIC`.

    Examples
    --------
    >>> import numpy as np
    >>> from hsiclearn import SemiSupervisedHSIC
    >>> from hsiclearn.datasets import make_two_views
    >>> X, y, _ = make_two_views("blobs", 100)
    >>> partial = np.full(100, -1)
    >>> for c in (0, 1):
    ...     partial[np.flatnonzero(y == c)[:3]] = c
    >>> model = SemiSupervisedHSIC(n_clusters=2).fit(X, partial)
    >>> bool(np.mean(model.labels_ == y) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ClusterHSIC._parameter_constraints,
        "mu": [Interval(Real, 0, None, closed="left")],
        "guidance": [StrOptions({"auto", "labels", "scores"})],
    }
    _y_may_have_columns = True  # scores

    mu: float = 3.0
    guidance: str = "auto"

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Array, y: Any = None, *, sample_weight: Any = None) -> Self:
        """Find clusters that follow the guidance, and their subspace.

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
        y : array-like of shape (n_samples,) or (n_samples, n_scores), optional
            Partial labels or scores. None: the unsupervised fit.
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
            rng, y, n = as_generator(self.random_state), given.y, given.X.shape[0]
            guidance, mu = str(self.guidance), float(self.mu)
            if guidance == "auto" and y is not None:
                guidance = kind_of_guidance(y)
            if y is None:
                fit = self._fit_clusters(given, rng)
            elif guidance == "scores":
                terms = follow_scores(y, n, mu, rng, given.weights)
                scores = y if isinstance(y, AbstractColumn) else np.asarray(y, dtype=np.float64)
                fit = self._fit_clusters(given, rng, y=scores, guidance=terms)
            else:
                fit = self._fit_to_labels(given, rng, read_partial_labels(y, n))
            self._put_back(given, fit)
            self.guidance_ = None if y is None else guidance
        self._warn(stacklevel=4)  # 4: the line that called fit
        return self

    def _fit_to_labels(
        self, given: CountedRows, rng: np.random.Generator, partial: ClassLabels
    ) -> ClusterFit:
        """Complete the labels to all rows if there is a cluster for every class, else be guided."""
        codes, mu = partial.codes, float(self.mu)
        has_room = self.n_clusters == "auto" or partial.classes.size <= self.n_clusters
        if has_room and self.objective == "exact":
            fit = self._fit_clusters(
                given, rng, y=codes, codes=codes, weight=mu, labellings=(codes,)
            )
            self._name_clusters(partial, fit.labels)
            return fit
        terms = follow_labels(partial, mu, given.counts)
        return self._fit_clusters(given, rng, y=codes, guidance=terms, labellings=(codes,))

    def _name_clusters(self, partial: ClassLabels, labels: Column) -> None:
        """Give clusters the names of their classes; the others get new ones.

        More labelled rows than landmarks may be: those left out keep their label as well.
        """
        classes, codes = partial.classes, partial.codes
        missing = self.n_clusters_ - classes.size
        if classes.dtype.kind == "U":
            more = np.array([f"unnamed-{i + 1}" for i in range(missing)], dtype=object)
            names = np.concatenate([classes.astype(object), more])
        else:
            names = np.concatenate([classes, classes[-1] + 1 + np.arange(missing)])
        self.classes_ = self._label_names = names

        def named(found: Array, given: Array) -> Array:
            return names[np.where(given >= 0, given, found)]

        self.labels_ = as_public(mapped(labels, named, codes))
