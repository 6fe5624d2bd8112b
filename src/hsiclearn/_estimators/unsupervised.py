"""UnsupervisedHSIC: clusters, and the few directions that carry them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from sklearn.base import _fit_context

from .._arrays import Array
from .._solvers import as_generator
from ._clustering import ClusterHSIC


@dataclass(eq=False, repr=False)
class UnsupervisedHSIC(ClusterHSIC):
    r"""Clusters, and the few linear directions that carry them.

    ::

        minimise  -sum of the k largest eigenvalues of D^-1/2 K_XW D^-1/2    over W'W = I

    with ``K_XW`` the kernel matrix of the projected rows and ``D`` its row sums: the normalised
    cut of spectral clustering, with the subspace as a part of the problem. Alternating between
    the eigenvectors Y and the subspace W, as the paper does, is a descent of this one objective.

    X is not scaled: put a ``StandardScaler`` in front unless the columns share a unit.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters k. ``"auto"`` takes k where the spectrum of the graph has its widest
        gap, first in the space of all columns, then in the fitted subspace, until it repeats.
    n_components : int, default=2
        Dimensions q of the subspace, at most n_features.
    kernel : str or AbstractKernel, default="relative_gaussian"
        The kernel of the projected rows. By its name, the default takes each row's scale from its
        r-th neighbour in the subspace, r = max(7, sqrt(n/k)), but at least the median scale; the
        scales move with the subspace. The kernel used is in ``kernel_``. With few rows and
        clusters along curves, ``RelativeGaussian(7)`` sees more; an object is used as it is.
    bandwidth : float or "median", default="median"
        Scale of a kernel given by name that has one, such as ``"gaussian"``.
    normalize : {"degree", "none"}, default="degree"
        ``"none"`` takes the eigenvalues of ``H K H`` instead, the paper's unsupervised objective,
        which favours large clusters.
    objective : {"exact", "paper"}, default="exact"
        ``"paper"`` runs the alternation as printed, from W = I, for comparison: its cost can
        rise from round to round. ``normalize``, ``init``, ``n_init`` and ``tol`` do not apply, and
        ``predict`` goes by the exact graph in its subspace.
    engine : {"auto", "dense", "tiled", "landmarks"}, default="auto"
        Who computes kernel products; the choice is in ``engine_``, its reason in
        ``result_.engine_reason``. ``"dense"`` and ``"tiled"`` work on all pairs of rows.
        ``"landmarks"`` solves on 4000 landmark rows, a sample, and carries embedding and labels to
        all others by the kernel, as ``predict`` does; X may then be in single precision or a
        ``numpy.memmap`` and is not copied. ``"auto"`` takes it above 5000 rows.
    init : {"search", "identity"} or ndarray of shape (n_components, n_features), default="search"
        ``"search"`` compares many starts on 400 rows, polishes the best three on up to 2000 rows
        and settles the best one on all rows; ``"identity"`` starts from Phi at W = I alone; an
        array, from there.
    n_init : int, default=1
        Number of subsamples to search on.
    tol : float, default=1e-6
        Bound on the scale-free gradient norm; the fit also ends when three steps in a row gain
        less than a tenth of it, relatively.
    max_iter : int, default=300
        Budget of steps of the settled descent.
    random_state : int, RandomState or None, default=0
        Landmarks, subsamples, random starts and k-means. The default makes fits reproducible.
    verbose : int, default=0
        1 prints what is being done: the search, the polish, a line per step of the descent.
    callback : callable or None, default=None
        Called with the :class:`Record` of every step on all rows; what it returns, if true, stops
        the fit, with the best iterate so far and a warning. It has no other part in the answer. See
        also ``set_callbacks``, from scikit-learn 1.9 on.
    on_interrupt : {"raise", "return"}, default="raise"
        What Ctrl-C does: leave the estimator as it was, or fit it with the best iterate so far and
        warn. Before the first step on all rows there is none, and it is raised; so it is while the
        rows are labelled.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each training row.
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions; the largest loading of each is positive.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        The eigenvectors Y. ``labels_`` are k-means on its rows; where clusters do not stand clearly
        apart, three segments a cluster are joined instead, if that cuts the graph less.
    label_kernel_ : AbstractKernel
        The kernel of the graph that ``labels_`` were read from.
    n_clusters_ : int
        Number of clusters.
    graph_eigenvalues_ : ndarray of shape (n_clusters + 1,)
        Largest eigenvalues of the graph, descending.
    cost_ : float
        The objective at the solution. On landmarks, that of these, in the unit of all rows: times
        n_samples / n_landmarks with ``normalize="none"``.
    converged_ : bool
        Whether the descent met its stopping rule. If not, a ``ConvergenceWarning`` was given.
    certificate_ : Certificate
        First-order optimality; ``second_order`` is None, for want of a Hessian. ``verdict`` says
        where the descent settled, what it last gained, and what any subspace could gain at most.
    agreement_ : Agreement
        Whether the clusters come out again, from the other starts of the search and on each
        half of the rows by a refit on the other; ``in_words()`` is a sentence. On landmarks, that
        of these.
    levels_ : Levels or None
        The discrete columns whose levels the clusters are, if they are no more than that; a
        ``DependenceWarning`` names them.
    n_alone_ : int
        Rows out of the kernel's reach of all others. With as many as clusters the labels are
        arbitrary, and a ``DependenceWarning`` says so.
    starts_ : tuple of Tried
        Every start of the search with its objective on the subsample.
    spread_ : Spread
        As in :class:`SupervisedHSIC`.
    result_ : Result
        The full record, with the history of the settled descent, which never rises. On landmarks
        ``engine_error.relative`` is an estimate: how far the cost of another sample is from theirs.
    n_components_, eigenvalues_, bandwidth_, kernel_, engine_
        As in :class:`SupervisedHSIC`.
    mean_, n_iter_, n_features_in_, feature_names_in_
        As in :class:`SupervisedHSIC`.

    References
    ----------
    C. Wu, J. Miller, Y. Chang, J. Dy: Spectral Non-Convex Optimization for Dimension Reduction
    with Hilbert-Schmidt Independence Criterion, 2019.

    Examples
    --------
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from hsiclearn import UnsupervisedHSIC
    >>> from hsiclearn.datasets import make_two_views
    >>> X, y, _ = make_two_views("blobs", 90, n_clusters=3)
    >>> model = UnsupervisedHSIC(n_clusters=3, n_components=2).fit(X)
    >>> model.transform(X).shape
    (90, 2)
    """

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Array, y: Any = None, *, sample_weight: Any = None) -> Self:
        """Find clusters and their subspace.

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
        y : ignored
            There for pipelines.
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
        with self._all_or_nothing(X, None, sample_weight):
            given = self._validated_together(X, None, sample_weight)
            fit = self._fit_clusters(given, as_generator(self.random_state))
            self._put_back(given, fit)
        self._warn(stacklevel=4)  # 4: the line that called fit
        return self
