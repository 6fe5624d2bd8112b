"""``solve``: Eq. (1) of the paper for any Gamma, kernel, engine and solver."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from .._arrays import Array, FloatArray
from ..certificate import certificate_at
from ..engines import EngineLike, single_threaded_blas
from ..exceptions import DependenceWarning, NotConvergedWarning
from ..gamma import AbstractGamma, as_gamma
from ..kernels import AbstractKernel, kernel_from_name
from ..linalg import fix_signs, orthonormal_basis, reduce_to_row_space
from ..objective import Objective, as_data
from ..result import Record, Result
from ._base import Run, run
from .settings import SOLVERS, RandomState, Settings, as_generator
from .starts import many_starts, start_from_name

__all__ = ["complaints", "minimise", "print_record", "solve"]

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
) -> Result:
    """Minimise ``-Tr(Gamma K_XW)`` over W with orthonormal columns.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data. Not scaled here: standardise columns that differ in unit.
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
    engine : {"auto", "dense", "tiled"} or callable, default="auto"
        Who computes the sums over pairs.
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
        Budget of steps per start. ``"stiefel"`` often needs several hundred; for ``"dg"`` a step
        is a column, for ``"grassmann"`` a whole run.
    random_state : int, Generator, RandomState or None, default=0
        Random starts and the subsample. The default makes every run reproducible.
    verbose : int, default=0
        1 prints a line per step.

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
    )
    result = minimise(X, gamma, kernel, n_components, settings)
    for category, message in complaints(result, kernel, gamma):
        warnings.warn(message, category, stacklevel=2)
    return result


def complaints(
    result: Result, kernel: AbstractKernel | str, gamma: AbstractGamma | Array
) -> list[tuple[type[Warning], str]]:
    """What the caller of a solve should be warned of."""
    found: list[tuple[type[Warning], str]] = []
    if not result.converged:
        found.append((NotConvergedWarning, result.status.value))
    kernel = kernel_from_name(kernel) if isinstance(kernel, str) else kernel
    growing = [k for weight, k in kernel.terms if weight > 0 and k.grows_with_distance]
    if growing and (gamma := as_gamma(gamma)).is_centered and gamma.is_psd:
        message = (
            f"{growing[0]!r} grows with distance: with a centred Gamma, minimising the objective "
            f"as printed flees the dependence instead of finding it. Use kernel=-{growing[0]!r}."
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

    def descend(objective: Objective, W: FloatArray, tol: float = settings.tol) -> Run:
        if settings.verbose:
            print(f"{objective.n_samples} rows, {objective.engine} engine")
        solver = SOLVERS[settings.solver](objective, tol)
        report = print_record if settings.verbose else settings.report
        return run(solver, W, max_iter=settings.max_iter, report=report)

    with single_threaded_blas():
        problem = _Problem(X, gamma, kernel, n_components, settings.engine)
        if isinstance(settings.init, str):
            starts = _candidates(
                problem.objective, settings.init, settings.n_init, n_components, rng, descend
            )
        else:
            starts = [("array", problem.reduced_start(settings.init))]
        runs = [(descend(problem.objective, W), name) for name, W in starts]
        winner, name = min(runs, key=lambda pair: pair[0].point.cost)
        return problem.result(winner, name, settings.tol)


class _Problem:
    """The objective in the basis it is solved in, and the way back."""

    def __init__(
        self,
        X: Array,
        gamma: AbstractGamma | Array,
        kernel: AbstractKernel | str,
        n_components: int,
        engine: EngineLike,
    ) -> None:
        X = as_data(X)
        self.q = n_components
        if not isinstance(n_components, int | np.integer) or not 1 <= n_components <= X.shape[1]:
            raise ValueError(
                "Need an integer 1 <= n_components <= n_features. "
                f"Got n_components={n_components!r} and n_features={X.shape[1]}."
            )
        wide = reduce_to_row_space(X, n_components)
        self.Q: FloatArray | None = None
        if wide is not None:
            self.Q, X = wide
        self.objective = Objective(X, gamma, kernel, engine)

    def reduced_start(self, init: Array) -> FloatArray:
        """An orthonormal start in the basis of the problem."""
        W = np.asarray(init, dtype=np.float64)
        d = self.objective.n_features if self.Q is None else self.Q.shape[0]
        if W.shape != (d, self.q) or not np.all(np.isfinite(W)):
            raise ValueError(
                "`init` must be a finite array of shape (n_features, n_components) = "
                f"({d}, {self.q}). Got shape {W.shape}."
            )
        rank = np.linalg.matrix_rank(W)
        if rank < self.q:
            raise ValueError(
                f"The {self.q} directions of `init` must be independent. Their rank is {rank}."
            )
        return orthonormal_basis(W if self.Q is None else self.Q.T @ W)

    def result(self, winner: Run, start: str, tol: float) -> Result:
        """Order the basis, fix its signs, certify, and return to the columns of X."""
        point = winner.point
        # Any basis of the subspace is as good; the one that diagonalises W'Phi W can be read.
        W = point.W @ np.linalg.eigh(point.rayleigh)[1]
        return Result(
            W=fix_signs(W if self.Q is None else self.Q @ W),
            cost=point.cost,
            status=winner.status,
            history=winner.history,
            eigenvalues=point.spectrum.values,
            certificate=certificate_at(point, tol),
            engine=self.objective.engine,
            start=start,
        )


def _candidates(
    objective: Objective,
    init: str,
    n_init: int,
    q: int,
    rng: np.random.Generator,
    descend: Callable[..., Run],
) -> list[tuple[str, FloatArray]]:
    """The starts to run on all rows: the first one, and the best of the others if it wins."""
    n = objective.n_samples
    if n_init <= 1:
        return [(init, start_from_name(init, objective, q, rng))]
    if n <= _SCREEN_ROWS:
        return list(many_starts(init, n_init, objective, q, rng))
    sample = objective.subset(np.sort(rng.choice(n, _SCREEN_ROWS, replace=False)))
    first = start_from_name(init, objective, q, rng)
    screened = [
        (descend(sample, W, 1e-3), name) for name, W in many_starts(init, n_init, sample, q, rng)
    ]
    best, name = min(screened, key=lambda pair: pair[0].point.cost)
    winner_is_first = best is screened[0][0]
    return [(init, first)] if winner_is_first else [(init, first), (name, best.point.W)]


def print_record(record: Record) -> None:
    """One line per step, for ``verbose``."""
    print(
        f"{record.step:>8}  cost {record.cost:.8g}  gradient {record.gradient:.1e}  "
        f"angle {record.angle:.1e}  {record.seconds:.3f} s"
    )
