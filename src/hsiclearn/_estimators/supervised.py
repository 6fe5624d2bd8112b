"""SupervisedHSIC: the directions of X that depend most on a target."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils import Tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_consistent_length

from .._arrays import Array, FloatArray
from .._engines import EngineLike, engine_names, single_threaded_blas
from .._linalg import Basis
from .._paradigms import (
    TARGETS,
    read_target,
    supervised_gamma,
)
from .._rows import check_directions, summarise, varying_columns
from .._selection import (
    AUTO,
    AUTO_COUNT,
    DEPENDENCE,
    METRICS,
    PREDICTION,
    RELEVANCE,
    RULES,
    Selection,
    SupervisedData,
    SupervisedProblem,
    as_groups,
    choose_columns,
    fit_by,
    metrics_for,
    rule_for,
)
from .._solvers import SOLVERS, START_NAMES, Callback, Settings, as_generator
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from ._base import ARRAY_OF_ANY_LIBRARY, BaseHSIC
from ._choice import objectives_to_compare, warnings_of_choice
from ._columns import ColumnsMixin, check_count, columns_asked_for, result_on_columns
from ._few_rows import few_rows_here
from ._score import ScoreMixin
from ._weights import GivenRows, given_rows


@dataclass(eq=False, repr=False)
class SupervisedHSIC(ColumnsMixin, ScoreMixin, BaseHSIC):
    r"""Linear directions that depend most on a target, measured by HSIC.

    ::

        maximise  Tr(K_XW H K_Y H)    over W with W'W = I

    where ``K_XW`` is the kernel matrix of the projected rows XW, ``K_Y`` that of the target and
    H centres. Unlike LDA or PLS it sees dependence that is not linear; unlike UMAP its answer
    is a linear map whose loadings can be read. By default directions made to predict the target
    compete, and are taken where they clearly explain more of rows held out: see ``objective``.

    X is not scaled: put a ``StandardScaler`` in front unless the columns share a unit.

    Parameters
    ----------
    n_components : int, "auto" or "eigengap", default=2
        Number of directions q, at most n_features. ``"auto"`` takes the q of lowest loss on rows
        held out, up to 10. ``"eigengap"`` takes q where the spectrum of Phi has its widest gap,
        as the paper does; where the rule runs in a circle between several q, the smallest of
        them.
    kernel : str or AbstractKernel, default="gaussian"
        The kernel of the projected rows: a name from :mod:`hsiclearn.kernels` or an object,
        also a sum such as ``Gaussian(1.0) + Gaussian(4.0)``.
    bandwidth : float, "auto", "median" or "median-projected", default="auto"
        Scale of a kernel given by name; an object keeps its own.

        - ``"auto"`` tries five scales, from smooth to fine, and takes the one whose subspace
          tells most about the target on rows left out (see ``selection_``). It compares some
          twenty to eighty rough fits; on more than 1000 rows it looks at 1000 of them, drawn with
          ``random_state``, and polishes the answer on all. From 2000 rows on it fits on 1000 and
          judges by 1000 others. Where nothing is found, the answer is polished to 1e-3 only.
        - ``"median"`` is the paper's: the median distance between two rows (of 1000 at most).
        - ``"median-projected"`` is the same in the subspace found, fitted again until it settles.

        With fewer than 10 rows, or more components than so few rows span, ``"auto"`` is
        ``"median"``: there is nothing to hold out, and ``selection_`` is None.
    metric : {"auto", "identity", "covariance", "relevance"}, default="auto"
        What directions are orthonormal in. ``"identity"``: in the columns as they are,
        ``W'W = I``. ``"covariance"``: in the covariance S of the columns, shrunk as Ledoit and Wolf
        do, ``W'SW = I``, so that projected rows have about unit variance and are hardly
        correlated, as those of LDA. ``"relevance"``: in columns that are rescaled by the part they
        have in a first fit, twice, ``components_ = V diag(s)`` with ``VV' = I``; those of hardly
        any part are exactly 0. It helps where many columns are noise, and harms where all have a
        part. ``"auto"``: where ``bandwidth`` is ``"auto"`` as well, the best on rows held out, up
        to 100 columns (weights from 8 columns on, where there are as many rows); else
        ``"identity"``. The choice is in ``metric_``. Covariance and weights are those of 2000
        columns at most; of more it is ``"identity"``, with a warning. Where
        ``n_features_to_select`` is a number, these and all other limits are of that many columns.
    objective : {"dependence", "prediction", "auto"}, default="auto"
        What is looked for. ``"dependence"``: HSIC. ``"prediction"``: down the error of predicting
        each row from the others by kernel ridge regression in the subspace, from the answer of
        HSIC, and where the bandwidth is ``"auto"`` also from the gradients of a regression on all
        columns and, where that helps, from columns weighed by their part. The directions are
        orthogonal then and have lengths of their own, ``cost_`` is that error as a share of the
        variance, and the certificate says whether the descent settled. On tables of many rows it
        predicts better, often much; on few it overfits. It looks at 20,000 rows at most; ``tol``
        has no part in it, nor have ``groups``, and a kernel or a bandwidth that is given is that of
        the start. ``"auto"``: the better of both on rows held out, where ``bandwidth``, ``engine``,
        ``init``, ``kernel``, ``metric`` and ``solver`` are at their defaults, and there are no
        groups and no ``checkpoint``, up to 100 columns; else HSIC. So it is where a descent on all
        rows predicts worse than rows held out had promised, and with ``n_components="eigengap"``.
        The choice is in ``objective_``.
    n_features_to_select : int, "auto" or None, default=None
        How many columns all directions together may be made of; None: all. One set for all of
        them, found from moments of the columns and by fits on a few of them; a number is exact,
        500 at most unless it is all. ``"auto"`` takes the count of lowest loss on rows held out, of
        those level with it the smallest, and compares some ten counts from n_features down to
        n_components; of more than 500 columns from 500 down, without all. Of more than 2000 columns
        only those are looked at that tell most by themselves: one that tells only together with
        another may be lost. Sparse rows are made dense in these alone. Wherever rows
        are held out, columns are chosen without them as well. The set is in ``support_``, the
        losses by count are in ``count_path_``; ``certificate_`` judges directions of these columns.
    target : {"auto", "classes", "real", "multilabel", "precomputed"}, default="auto"
        What y is. ``"auto"``: floating point is real (one or several columns); booleans, strings
        and categories are classes; integers are classes if there are at most 20 different ones
        and at most half as many as rows (five or fewer always are), else real; several columns of
        0 and 1 are multilabel. The choice is in ``target_``. There is a warning where integers
        could be meant otherwise: classes of which there are more than 10; a quantity of 40
        different values at most, or numbered 0, 1, 2 ... or 1, 2, 3 ... without a gap with ten
        rows each or more. The rule looks at the rows it is given: name ``target`` in
        cross-validation, where folds of the same y may be taken differently. With
        ``"precomputed"``, y is the kernel matrix ``K_Y``.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class in ``K_Y``; ``"balanced"`` makes rare classes count as much as
        frequent ones.
    solver : {"spectral", "ism+", "ism", "dg", "stiefel", "grassmann"}, default="spectral"
        ``"spectral"`` is recommended: it never raises the cost and ends at a verified local
        optimum, or warns. The others are there for comparison: ``"ism+"`` is the algorithm
        printed in the paper, which can cycle (and then warns); ``"ism"``, ``"dg"``,
        ``"stiefel"`` and ``"grassmann"`` (extra ``manifold``) are the rivals it was measured
        against, the last three usually with ``init="random"`` and several ``n_init``.
    engine : {"auto", "dense", "tiled", "nystrom", "features"} or callable, default="auto"
        Who computes the sums over pairs of rows; the choice is in ``engine_`` and its reason in
        ``result_.engine_reason``. ``"dense"`` and ``"tiled"`` visit all pairs, the second sums a
        series of the kernel where that is as exact. ``"nystrom"`` takes time and memory in
        proportion to the rows, and says how exact it is in ``result_.engine_error``;
        ``"features"`` does so exactly, for polynomial kernels. Where X is an array on a device
        they work there; ``"fused"`` visits all pairs in one kernel of a GPU, and ``"torch"`` moves
        an ndarray to a device of torch's, once, and goes on as ``"auto"`` there.
    init : str or ndarray of shape (n_components, n_features), default="auto"
        The start: ``"phi-zero"`` (the paper's), ``"second-moments"``, ``"phi-identity"``,
        ``"random"``, or components to start from. ``"auto"``: where a rule holds rows out, both
        the answer at the next smoother scale and second moments, which sees dependence that means
        do not (XOR, rings); else ``"phi-zero"``. Components must be independent on the columns
        that ``n_features_to_select`` chooses.
    n_init : int, default=1
        Number of starts. Where a rule holds rows out, the further ones are random; else the other
        named starts, then random ones, are compared on a subsample and the best is polished: worth
        raising where ``bandwidth`` is a number and the dependence has no linear part (XOR).
    cv : int, splitter or list of pairs, default=3
        Rows that ``"auto"`` holds out: a number of folds (shuffled; stratified for classes; fresh
        rows instead from 2000 on), a scikit-learn splitter, or a list of pairs of index
        arrays. Where it looks at 1000 rows, splits are of those, and pairs are refused. Rows that
        belong together: see ``groups`` of ``fit``.
    tol : float, default=1e-6
        Bound on the scale-free gradient norm ``|(I - WW')Phi W|_F / |Phi|_F``. The solver also
        goes on while a step promises more than 1e-6 of the cost. Where ``"auto"`` finds no
        dependence it is 1e-3, or this if it is larger: see ``certificate_.tol``.
    max_iter : int, default=100
        Budget of steps.
    random_state : int, RandomState or None, default=0
        Subsamples and random starts. The default makes fits reproducible.
    verbose : int, default=0
        1 prints what is being done: the candidates compared, the stages, a line per step.
    callback : callable or None, default=None
        Called with the :class:`Record` of every step of the solver, also on a sample of rows and
        from each start; what it returns, if true, stops the fit, with the best iterate so far and a
        warning. It has no other part in the answer. See also ``set_callbacks``, from scikit-learn
        1.9 on.
    checkpoint : path or None, default=None
        A file to write after every step, for fits that last; ``"spectral"`` only. An existing
        one is overwritten unless ``resume``. With ``n_components="eigengap"`` one file per
        dimension tried, ``fit.q3.npz`` beside ``fit.npz``.
    resume : bool, default=False
        Go on from ``checkpoint`` to the result of an uninterrupted fit, bit by bit on the same
        machine. A missing file starts afresh; one of other data or settings is refused.
    on_interrupt : {"raise", "return"}, default="raise"
        What Ctrl-C does: leave the estimator as it was, or fit it with the best iterate so far
        and warn. Before the first step of the solver on all rows there is none, and it is raised;
        so it is in a descent of the prediction error. Neither that nor weights of columns begin
        after it: ``objective_`` is then ``"dependence"``, ``metric_`` that of the first fit.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Directions, orthonormal in ``metric_``, by eigenvalue; the largest loading of each is
        positive.
    metric_ : str
        ``"identity"``, ``"covariance"`` or ``"relevance"``; ``"free"`` where directions are made to
        predict, and have lengths of their own.
    objective_ : str
        ``"dependence"`` or ``"prediction"``.
    patterns_ : ndarray of shape (n_components, n_features)
        What a row gains along each direction, for ``inverse_transform``:
        ``components_ @ patterns_.T`` is the identity. The components themselves in the metric of
        the columns, ``components_ @ S`` in that of their covariance; else the pseudo-inverse.
    n_components_ : int
        Number of directions.
    support_ : ndarray of bool, shape (n_features,)
        The columns selected; all where none were to be. Off them components are exactly 0.
    n_features_selected_ : int
        How many these are.
    count_path_ : CountPath or None
        The losses by count that ``n_features_to_select="auto"`` compared.
    feature_importances_ : ndarray of shape (n_features,)
        The part each column has in the subspace; sums to 1. See
        :func:`hsiclearn.inspection.feature_importances`.
    cost_ : float
        ``-Tr(K_XW H K_Y H)``: the lower, the stronger the dependence. Of directions made to
        predict, their error as a share of the variance.
    converged_ : bool
        Whether the solver met its stopping rule. If not, a ``ConvergenceWarning`` was given.
    certificate_ : Certificate
        First- and second-order optimality, verified.
    eigenvalues_ : ndarray
        Lowest eigenvalues of Phi at the solution; none of directions made to predict.
    bandwidth_ : float or None
        The kernel's scale, if it has one.
    kernel_ : AbstractKernel
        The kernel used.
    selection_ : Selection or None
        What ``"auto"`` compared and chose: ``chosen``, ``candidates``, and ``explained_share``, the
        share of the target that the subspace explains on rows held out; ``neighbours``, the
        accuracy or R^2 of 15 nearest neighbours on those rows, in the subspace and on all columns;
        ``out_of_fold``, where a fit without them puts those rows. None if no rule held any out.
    engine_ : str
        The engine used; ``"landmarks"`` of directions made to predict.
    target_ : str
        The kind of target.
    classes_ : ndarray
        The labels, for a target of classes.
    known_rows_ : KnownRows
        1000 projected rows at most with their target, from which ``score`` predicts.
    mean_ : ndarray of shape (n_features,)
        Mean of the training rows, for ``inverse_transform``.
    spread_ : Spread
        How far the rows spread along each direction (``deviations``), and those rows that carry a
        direction alone (``carriers``). A direction along which they hardly vary, or only a few of
        them do, was warned about.
    n_iter_ : int
        Number of steps.
    result_ : Result
        The full record, with the history of the solver.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, where X has string names.

    References
    ----------
    C. Wu, J. Miller, Y. Chang, J. Dy: Spectral Non-Convex Optimization for Dimension Reduction
    with Hilbert-Schmidt Independence Criterion, 2019.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from hsiclearn import SupervisedHSIC
    >>> X, y = load_wine(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), SupervisedHSIC(n_components=2)).fit(X, y)
    >>> model.transform(X).shape
    (178, 2)
    >>> model[-1].certificate_.second_order
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseHSIC._parameter_constraints,
        "n_components": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions(RULES["n_components"].keys()),
        ],
        "bandwidth": [
            Interval(Real, 0, None, closed="neither"),
            StrOptions(RULES["bandwidth"].keys()),
        ],
        "solver": [StrOptions(set(SOLVERS))],
        "engine": [StrOptions(set(engine_names())), callable],
        "init": [StrOptions({"auto", *START_NAMES}), np.ndarray, ARRAY_OF_ANY_LIBRARY],
        "metric": [StrOptions({AUTO, *METRICS})],
        "objective": [StrOptions({AUTO, DEPENDENCE, PREDICTION})],
        "n_features_to_select": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({AUTO_COUNT}),
            None,
        ],
        "cv": [Interval(Integral, 2, None, closed="left"), HasMethods(["split"]), "array-like"],
        "target": [StrOptions({"auto", *TARGETS})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "checkpoint": [str, os.PathLike, None],
        "resume": ["boolean"],
    }

    n_components: int | str = 2
    _: KW_ONLY
    kernel: str | AbstractKernel = "gaussian"
    bandwidth: float | str = "auto"
    metric: str = "auto"
    objective: str = "auto"
    n_features_to_select: int | str | None = None
    target: str = "auto"
    class_weight: str | Mapping[Any, float] | None = None
    solver: str = "spectral"
    engine: EngineLike = "auto"
    init: str | FloatArray = "auto"
    n_init: int = 1
    cv: Any = 3
    tol: float = 1e-6
    max_iter: int = 100
    random_state: int | np.random.RandomState | None = 0
    verbose: int = 0
    callback: Callback | None = None
    checkpoint: str | os.PathLike[str] | None = None
    resume: bool = False
    on_interrupt: str = "raise"

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(
        self,
        X: Array,
        y: Array,
        *,
        groups: Array | None = None,
        sample_weight: Array | None = None,
    ) -> Self:
        """Find the directions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a row source
            A table in memory or a ``numpy.memmap``, neither of them copied where the engine works
            in linear time; a sparse matrix, which stays sparse; or a callable, or an object with
            ``__iter__``, that yields blocks of rows anew each time it is called. An array or a
            dataframe of Dask in chunks of rows, which stay where they are; up to 5000 of them come
            here, unless an engine is asked for. A dense array of torch or CuPy (of any library
            that follows the array API standard) stays on its device; of its rows no more than
            samples of a fixed size come to the host. Whole numbers and booleans are taken as
            float64 a part at a time, half precision is an error.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            The target, of any kind ``target`` names; beside rows of Dask it may be one of Dask's,
            in any chunks; beside an array on a device, one on that device or on the host, to which
            it comes once.
        groups : array-like of shape (n_samples,), optional
            Rows of the same group (measurements of one patient) are held out together: with a
            number of folds as ``GroupKFold`` does, and passed on to a splitter. Within other
            estimators it is routed with ``set_fit_request(groups=True)``. Where nothing is held
            out (``bandwidth=1.0``) they have no part in the fit, and there is a warning.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row stands in the table: 2 is a row repeated, 0 one that is absent, and
            any number >= 0 in between. Sums over rows and pairs, medians, and losses on rows held
            out are those of the table with repeated rows; a row is held out with all its weight.
            Within other estimators it is routed with ``set_fit_request(sample_weight=True)``. See
            the page on weights.

        Returns
        -------
        self
            Where X is an array of another library than numpy, attributes that are arrays of numbers
            are of that library, on the device of X (``classes_`` if y is of it); what records such
            as ``result_`` hold is of numpy. It works with and without ``array_api_dispatch``.
        """
        with self._all_or_nothing(X, y, sample_weight), single_threaded_blas():
            given = self._given(X, y, groups, sample_weight)
            groups, rng = as_groups(given.groups), as_generator(self.random_state)
            target = read_target(given.y, self.target, self.class_weight, given.weights)
            summary = summarise(given.rows, weights=given.weights)
            rows, target, groups, weights = few_rows_here(
                given.rows, target, groups, given.weights, self.engine
            )
            gamma = supervised_gamma(target, rng, weights)
            self._check_n_components(rows.n_features)
            check_count(self.n_features_to_select, self.n_components, rows.n_features)
            q = None if isinstance(self.n_components, str) else int(self.n_components)
            basis = Basis.of_columns(varying_columns(summary, rows.n_samples, q or 1))
            rule, kernel = rule_for(self.n_components, self.kernel, self.bandwidth)
            table = basis.lower(rows)
            known = (table, target, gamma, kernel, rng, given.cv, groups)
            width, selects = columns_asked_for(self.n_features_to_select, table.n_features)
            objectives = objectives_to_compare(self, width, groups)
            metrics = metrics_for(self.metric, table.n_samples, width)
            data = SupervisedData(
                *known,
                metrics=metrics,
                objectives=objectives,
                keep_columns=selects or metrics == (RELEVANCE,),
            )
            problem = SupervisedProblem(data, q, *self._start_and_settings(basis, rng))
            chosen = choose_columns(rule, problem, self.n_features_to_select)
            basis = basis.then(chosen.basis)
            store = partial(
                SupervisedHSIC._store_target,
                rows=rows,
                target=target,
                groups=groups,
                weights=weights,
            )
            with self._showing(summary.mean, store, basis.lift):
                fitted = fit_by(rule, chosen.problem).in_columns()
            read = target.kernel if target.values is None else target.values
            W = basis.lift(fitted.result.W)
            result = result_on_columns(fitted.result, chosen.used_by(fitted))
            self._store(rows, read, summary.mean, fitted.kernel, W, result, weights)
            self._store_columns(rows, basis, chosen.path, weights)
            self._store_target(rows, target, groups, weights)
            self._number_rows(given, fitted.selection)
            self.patterns_ = basis.lift(fitted.patterns).T
            self.metric_, self.objective_ = fitted.metric, fitted.objective
        for category, message in self._warnings_for(gamma, groups):
            warnings.warn(message, category, stacklevel=3)  # 3: the line that called fit
        return self

    def _given(self, X: Any, y: Any, groups: Any, sample_weight: Any) -> GivenRows:
        """What was passed, of the rows that count."""
        rows = self._validate_rows(X)
        self._check_together(X, y=y, groups=groups, sample_weight=sample_weight)
        y = rows.beside(self._required(y), "y")
        groups = None if groups is None else rows.beside(groups, "groups")
        check_consistent_length(rows, y, groups)
        is_kernel = self.target == "precomputed"
        return given_rows(rows, y, groups, sample_weight, self.cv, is_kernel=is_kernel)

    def _number_rows(self, given: GivenRows, selection: Selection | None) -> None:
        """Rows are named by their place in the X that was passed."""
        self.spread_ = replace(
            self.spread_, carriers=tuple(map(given.numbers, self.spread_.carriers))
        )
        if selection is not None:
            selection = replace(selection, out_of_fold=given.located(selection.out_of_fold))
        self.selection_ = selection

    def _required(self, y: Any) -> Any:
        """What scikit-learn says where there is no y."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None. Pass fit(X, y)."
            )
        return y

    def _start_and_settings(
        self, basis: Basis, rng: np.random.Generator
    ) -> tuple[str | FloatArray, Settings]:
        """What the parameters ask of the solver; an array ``init`` in the basis."""
        init = self.init
        if not isinstance(init, str):
            init = basis.coordinates(self._init_columns(self.n_features_in_))
            check_directions(init)
        return init, Settings(
            solver=self.solver,
            engine=self.engine,
            init="phi-zero" if isinstance(init, str) and init == "auto" else init,
            n_init=self.n_init,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=int(rng.integers(2**31)),
            verbose=self.verbose,
            callback=self.callback,
            checkpoint=self.checkpoint,
            resume=self.resume,
            on_interrupt=self.on_interrupt,
        )

    def _warnings_for(
        self, gamma: AbstractGamma | None, groups: Array | None = None
    ) -> list[tuple[type[Warning], str]]:
        """Also of what was asked for and had no part, and of a target that depends on nothing."""
        return [*super()._warnings_for(gamma), *warnings_of_choice(self, groups)]

    def __sklearn_tags__(self) -> Tags:
        """Declare that y is needed and may have several columns."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags
