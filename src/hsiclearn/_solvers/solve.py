"""``solve``: Eq. (1) of the paper for any Gamma, kernel, engine and solver."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace

import numpy as np

from .._advice import Advice
from .._arrays import Array, FloatArray
from .._engines import EngineLike, single_threaded_blas
from .._progress import printed_if, shown_by, stoppable
from .._result import EngineError, Result, Status
from ..exceptions import DependenceWarning, NotConvergedWarning
from ..gamma import AbstractGamma, as_gamma
from ..kernels import AbstractKernel, kernel_from_name
from ._base import Run
from .checkpoint import CheckpointFile, fingerprint_of
from .problem import Problem, RandomState, Settings, as_generator
from .stages import Stages, by_gradients, lowest, made_exact, on_a_sample
from .starts import many_starts, start_from_name
from .steps import Callback

_UNKNOWN = EngineError(relative=float("nan"), guaranteed=False, angle=float("nan"))
_SCREEN_ROWS = 400  # starts are compared on this many rows, the best is polished on all


def solve(
    X: Array,
    gamma: AbstractGamma | Array,
    kernel: AbstractKernel | str,
    n_components: int,
    *,
    solver: str = "spectral",
    engine: EngineLike = "auto",
    init: str | Array = "phi-zero",
    n_init: int = 1,
    tol: float = 1e-6,
    max_iter: int = 100,
    random_state: RandomState = 0,
    verbose: int = 0,
    callback: Callback | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    on_interrupt: str = "raise",
) -> Result:
    """Minimise ``-Tr(Gamma K_XW)`` over W with orthonormal columns.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or a row source
        The data: a table in memory or mapped from a file, a sparse matrix, or a callable or
        iterable that yields blocks of rows. Not scaled here: standardise columns that differ in
        unit.
    gamma : AbstractGamma or array-like of shape (n_samples, n_samples)
        The symmetric weights of the pairs; structured, or any symmetric array.
    kernel : AbstractKernel or str
        The kernel of ``K_XW``.
    n_components : int
        The dimension q of the subspace, 1 <= q <= n_features.
    solver : {"spectral", "ism+", "ism", "dg", "stiefel", "grassmann"}, default="spectral"
        ``"spectral"`` is recommended: it never raises the cost and ends at a second-order point,
        or says why not. The others are there for comparison: ``"ism+"`` is the paper's
        Algorithm 1, which may cycle; ``"ism"`` the same by loops over pairs, Gaussian kernels
        only; ``"dg"``, ``"stiefel"`` and ``"grassmann"`` (extra ``manifold``) are the paper's
        other rivals, usually started with ``init="random"`` and several ``n_init``.
    engine : {"auto", "dense", "tiled", "nystrom", "features"} or callable, default="auto"
        Who computes the sums over pairs: all of them (dense, tiled), or sums over rows that stand
        for them, in linear time (nystrom, features). ``Result.engine_reason`` says why ``"auto"``
        chose as it did, ``Result.engine_error`` how exact the choice is.
    init : {"phi-zero", "second-moments", "phi-identity", "random"} or array, \
            default="phi-zero"
        The start, or a basis of shape (n_features, n_components).
    n_init : int, default=1
        Number of starts. Beyond the first: the other named ones, then random ones. They are
        compared on a subsample of 400 rows and the best is polished on all rows beside the
        first, so that more starts never cost accuracy. Needs ``init`` by name.
    tol : float, default=1e-6
        Bound on the stationarity ``|(I - WW')Phi W|_F / |Phi|_F`` (dg: of each column as it is
        grown), or on the relative change of the eigenvalues (ism+, ism).
    max_iter : int, default=100
        Budget of steps per start, with 30 evaluations for each, rejected ones included.
        ``"stiefel"`` often needs several hundred; for ``"dg"`` a step is a column, of 1000 moves,
        for ``"grassmann"`` a whole run of 1000 iterations, three at most; both have more of them
        in proportion where ``max_iter`` is above 100.
    random_state : int, Generator, RandomState or None, default=0
        Random starts and the subsample. The default makes every run reproducible.
    verbose : int, default=0
        1 prints the stages (rows and engine) and a line per step.
    callback : callable or None, default=None
        Called with the :class:`Record` of every step, on a sample of rows and of each start as
        well; ``record.step == "start"`` begins another descent. What it returns, if true, stops the
        solve: the best iterate so far with ``Status.STOPPED``, a warning and the first-order part
        of the certificate. What it raises is raised. It has no other part in the answer.
    checkpoint : path or None, default=None
        A file to write after every step, whole or not at all; ``"spectral"`` only. An existing
        one is overwritten unless ``resume``. It holds W and numbers, none of the data.
    resume : bool, default=False
        Go on from ``checkpoint`` to the result of an uninterrupted run, bit by bit on the same
        machine. A missing file starts afresh; one of another problem or other settings is refused.
    on_interrupt : {"raise", "return"}, default="raise"
        What Ctrl-C does. ``"return"``: the best iterate so far, with ``Status.INTERRUPTED``, a
        warning and the first-order part of the certificate. While only a sample of the rows is
        descended, or starts are compared, there is none, and the interrupt is raised.

    Returns
    -------
    Result

    Examples
    --------
    >>> import numpy as np
    >>> from hsiclearn import solve
    >>> from hsiclearn.gamma import ClassTable
    >>> from hsiclearn.kernels import Gaussian
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 4))
    >>> gamma = ClassTable.centered((X[:, 2] > 0).astype(int))
    >>> result = solve(X, gamma, Gaussian(2.0), n_components=1)
    >>> int(np.argmax(np.abs(result.W)))
    2
    """
    settings = Settings(
        solver=solver,
        engine=engine,
        init=init,
        n_init=n_init,
        tol=tol,
        max_iter=max_iter,
        random_state=random_state,
        verbose=verbose,
        callback=callback,
        checkpoint=checkpoint,
        resume=resume,
        on_interrupt=on_interrupt,
    )
    result = minimise(X, gamma, kernel, n_components, settings)
    for category, message in warnings_for(result, kernel, gamma):
        warnings.warn(message, category, stacklevel=2)
    return result


def warnings_for(
    result: Result, kernel: AbstractKernel | str, gamma: AbstractGamma | Array | None
) -> list[tuple[type[Warning], str]]:
    """What the caller of a solve should be warned of.

    Without a Gamma it is that of a clustering, made of its own embedding: centred and positive.
    """
    found: list[tuple[type[Warning], str]] = []
    is_lost = result.certificate.lost_in_rounding
    if is_lost:
        found.append((NotConvergedWarning, result.certificate.verdict))
    if not (result.converged or (is_lost and result.status is Status.STALLED)):
        found.append((NotConvergedWarning, result.status.value))
    kernel = kernel_from_name(kernel) if isinstance(kernel, str) else kernel
    growing = [k for weight, k in kernel.terms if weight > 0 and k.grows_with_distance]
    if growing and gamma is not None:
        weights = as_gamma(gamma)
        growing = growing if weights.is_centered and weights.is_psd else []
    if growing:
        message = Advice(
            f"{growing[0]!r} grows with distance: with a centred Gamma, minimising the objective "
            "as printed flees the dependence instead of finding it.",
            f"Use kernel=-{growing[0]!r}.",
            "Use a kernel that falls with distance.",
        )
        found.append((DependenceWarning, message))
    return found


def minimise(
    X: Array,
    gamma: AbstractGamma | Array,
    kernel: AbstractKernel | str,
    n_components: int,
    settings: Settings,
) -> Result:
    """:func:`solve` without its warnings, for callers that have warnings of their own."""
    rng = as_generator(settings.random_state)
    with single_threaded_blas(), printed_if(settings.verbose), stoppable():
        problem = Problem(X, gamma, kernel, n_components, settings.engine, settings.tol)
        file = None
        if settings.checkpoint is not None:
            fingerprint = fingerprint_of(problem, settings, rng)
            file = CheckpointFile(settings.checkpoint, fingerprint)
        with shown_by(problem.basis.lift):
            return _staged(problem, settings, rng, Stages(settings, file))


def _staged(
    problem: Problem, settings: Settings, rng: np.random.Generator, stages: Stages
) -> Result:
    """The result of all stages, or the best iterate on all rows where somebody ends them."""
    starts = _starts(problem, settings, rng, stages)
    objective, better = on_a_sample(problem.objective, starts, stages, settings, rng)
    better = by_gradients(objective, better, settings)
    known: list[Run] = []
    try:
        is_near = better is not starts
        known.append(lowest(stages.run(objective, better, settings.tol, is_near=is_near)))
        if not stages.were_stopped:
            winner, error = made_exact(known[0], stages, settings)
        if not stages.were_stopped:
            return problem.result(winner, settings.tol, error)
        status = Status.STOPPED
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
        if settings.on_interrupt == "raise" or not (stages.visited() or known):
            raise
    best = replace(lowest(stages.visited() or known), status=status)
    error = _UNKNOWN if problem.objective.is_in_linear_time else EngineError()
    return problem.result(best, settings.tol, error)


def _starts(
    problem: Problem, settings: Settings, rng: np.random.Generator, stages: Stages
) -> list[tuple[str, FloatArray]]:
    """The starts to run on all rows: the first one, and the best of the others if it wins."""
    objective, q, n = problem.objective, problem.q, problem.objective.n_samples
    init, n_init = settings.init, settings.n_init
    if not isinstance(init, str):
        return [("array", problem.start_from(init))]
    if n_init <= 1:
        return [(init, start_from_name(init, objective, q, rng))]
    if n <= _SCREEN_ROWS:
        return list(many_starts(init, n_init, objective, q, rng))
    sample = objective.subset(np.sort(rng.choice(n, _SCREEN_ROWS, replace=False)))
    first = start_from_name(init, objective, q, rng)
    screened = stages.run(sample, many_starts(init, n_init, sample, q, rng), 1e-3)
    best = lowest(screened)
    others = [] if best is screened[0] else [(best.start, best.point.W)]
    return [(init, first), *others]
