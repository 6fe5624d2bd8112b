"""What is to be solved, in the basis it is solved in, and how: all arguments of ``solve``."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .._certificate import certificate_at, first_order_certificate_at
from .._engines import EngineLike
from .._linalg import (
    IDENTITY,
    Basis,
    fix_signs,
    is_wide,
    may_depend,
    orthonormal_basis,
    row_space,
)
from .._objective import Objective, as_data, as_table
from .._progress import tell
from .._result import Certificate, EngineError, Result
from .._rows import AbstractRows, ArrayRows, is_far_from_zero, summarise
from ..gamma import AbstractGamma, as_gamma
from ..kernels import AbstractKernel, kernel_from_name
from ._base import AbstractSolver, ResumableSolver, Run
from .dimension_growth import DimensionGrowthSolver
from .grassmann import GrassmannSolver
from .ism import IsmPlusSolver, ism
from .spectral import SpectralSolver
from .steps import Callback
from .stiefel import StiefelSolver

_EXACT = EngineError()
_LITTLE = 2**22  # bytes: to copy them takes less time than a pass over the rows in threads
_LARGEST_DENSE = 2**28  # bytes: a wide X that is sparse or a stream is made dense up to here

RandomState = int | np.random.Generator | np.random.RandomState | None

SOLVERS: dict[str, Callable[[Objective, float], AbstractSolver]] = {
    "spectral": SpectralSolver,
    "ism+": IsmPlusSolver,
    "ism": ism,
    "dg": DimensionGrowthSolver,
    "stiefel": StiefelSolver,
    "grassmann": GrassmannSolver,
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The keyword arguments of :func:`hsiclearn.solve`, checked.

    ``is_near``: whether ``init`` is an answer already, if only of some rows or to few digits.
    """

    solver: str = "spectral"
    engine: EngineLike = "auto"
    init: str | Array = "phi-zero"
    n_init: int = 1
    tol: float = 1e-6
    max_iter: int = 100
    random_state: RandomState = 0
    verbose: int = 0
    callback: Callback | None = None
    checkpoint: str | os.PathLike[str] | None = None
    resume: bool = False
    on_interrupt: str = "raise"
    is_near: bool = False

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise ValueError(f"`solver` must be one of {list(SOLVERS)}. Got {self.solver!r}.")
        is_path = self.checkpoint is None or isinstance(self.checkpoint, str | os.PathLike)
        for name, is_right, rule in (
            ("tol", isinstance(self.tol, float | int) and self.tol > 0, "a number > 0"),
            ("n_init", _is_count(self.n_init), "an integer >= 1"),
            ("max_iter", _is_count(self.max_iter), "an integer >= 1"),
            ("callback", self.callback is None or callable(self.callback), "callable or None"),
            ("checkpoint", is_path, "a path or None"),
            ("resume", isinstance(self.resume, bool | np.bool_), "a bool"),
            ("on_interrupt", self.on_interrupt in ("raise", "return"), "'raise' or 'return'"),
        ):
            if not is_right:
                raise ValueError(f"`{name}` must be {rule}. Got {getattr(self, name)!r}.")
        if self.n_init > 1 and not isinstance(self.init, str):
            raise ValueError(
                f"`n_init` > 1 needs `init` by name. Got n_init={self.n_init} and an array: it is "
                "one start. Leave n_init at 1, or choose a named start."
            )
        if self.resume and self.checkpoint is None:
            raise ValueError(
                "`resume` needs a file to resume from. Got resume=True and checkpoint=None. Pass "
                "the path as `checkpoint`."
            )
        made = SOLVERS.items()
        able = [n for n, s in made if isinstance(s, type) and issubclass(s, ResumableSolver)]
        if self.checkpoint is not None and self.solver not in able:
            raise ValueError(
                f"`checkpoint` needs a solver that can be resumed, one of {able}. Got "
                f"solver={self.solver!r}. Change the solver, or leave checkpoint at None."
            )

    def for_part(self, part: str) -> Settings:
        """The same with a checkpoint of its own, for a rule that fits several times."""
        if self.checkpoint is None:
            return self
        path = Path(self.checkpoint)
        return replace(self, checkpoint=path.with_name(f"{path.stem}.{part}{path.suffix}"))


def _is_count(value: Any) -> bool:
    return isinstance(value, int | np.integer) and int(value) >= 1


def as_generator(random_state: RandomState) -> np.random.Generator:
    """A generator from a seed, a generator, or the older ``RandomState``."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)


class Problem:
    """The objective in the basis it is solved in, and the way back."""

    def __init__(
        self,
        X: Array,
        gamma: AbstractGamma | Array,
        kernel: AbstractKernel | str,
        n_components: int,
        engine: EngineLike,
        tol: float = 1e-6,
    ) -> None:
        rows = as_table(X)
        self.q, self.n_features = n_components, rows.n_features
        if (
            not isinstance(n_components, int | np.integer)
            or not 1 <= n_components <= rows.n_features
        ):
            raise ValueError(
                "Need an integer 1 <= n_components <= n_features. "
                f"Got n_components={n_components!r} and n_features={rows.n_features}."
            )
        self.basis = IDENTITY
        if _may_be_reduced(rows, n_components):
            table = as_data(rows.take(np.arange(rows.n_samples)))
            kernel = kernel_from_name(kernel) if isinstance(kernel, str) else kernel
            gamma = as_gamma(gamma)
            ignores_shifts = kernel.ignores_shifts(centered=gamma.is_centered)
            if ignores_shifts and is_far_from_zero(rows, summarise(rows)):
                table = table - table.mean(axis=0)  # in a rotated basis digits would be lost
            self.basis, reduced = row_space(table, n_components)
            rows = rows if self.basis.is_identity else as_table(reduced)
        self.objective = Objective(
            rows, gamma, kernel, engine, n_components=n_components, rtol=engine_tolerance(tol)
        )

    def start_from(self, init: Array) -> FloatArray:
        """An orthonormal start in the basis of the problem."""
        W = np.asarray(init, dtype=np.float64)
        if W.shape != (self.n_features, self.q) or not np.all(np.isfinite(W)):
            raise ValueError(
                "`init` must be a finite array of shape (n_features, n_components) = "
                f"({self.n_features}, {self.q}). Got shape {W.shape}."
            )
        rank = np.linalg.matrix_rank(W)
        if rank < self.q:
            raise ValueError(
                f"The {self.q} directions of `init` must be independent. Their rank is {rank}."
            )
        return orthonormal_basis(self.basis.coordinates(W))

    def result(self, winner: Run, tol: float, error: EngineError = _EXACT) -> Result:
        """Certify the winner, and return to the columns of X."""
        # Who presses Ctrl-C does not want to wait for a search over curvatures.
        is_short = winner.status.is_cut_short
        certify = first_order_certificate_at if is_short else certificate_at
        tell("verifying")
        certificate = certify(winner.point, tol)
        return result_of(winner, winner.start, certificate, self.basis, error=error)


def result_of(
    run: Run,
    start: str,
    certificate: Certificate,
    basis: Basis = IDENTITY,
    *,
    error: EngineError = _EXACT,
    ordered: bool = True,
) -> Result:
    """A run in some basis as a result in the columns of X: ordered, signs fixed.

    Any basis of the subspace is as good; the one that diagonalises ``W'Phi W`` can be read.
    """
    point, objective = run.point, run.point.objective
    W = point.W @ np.linalg.eigh(point.rayleigh)[1] if ordered else point.W
    return Result(
        W=fix_signs(basis.lift(W)),
        cost=point.cost,
        status=run.status,
        history=run.history,
        eigenvalues=point.spectrum.values,
        certificate=certificate,
        engine=objective.engine,
        start=start,
        engine_reason=objective.engine_reason,
        engine_error=error,
    )


def engine_tolerance(tol: float) -> float:
    """Of kernel values, for an engine that has a choice: Phi is then some hundred times as exact.

    Errors of different pairs have different signs, and most rows are nearer to a landmark than
    the worst candidate is.
    """
    return float(np.clip(10.0 * tol, 1e-13, 1e-4))


def _may_be_reduced(rows: AbstractRows, q: int) -> bool:
    """Whether X is wide, and in memory or small enough to be; or narrow, and both.

    A narrow one has too many columns only where they depend on each other. To find out costs a
    copy, and is left out where X is large and its Gram matrix, a pass over the rows, rules it out.
    """
    n, d = rows.shape
    is_small = 8 * d * (n + q) <= _LARGEST_DENSE
    if d <= n:
        if not is_small or not isinstance(rows, ArrayRows):
            return False
        return 8 * n * d <= _LITTLE or may_depend(rows.from_mean().gram())
    return (is_small or isinstance(rows, ArrayRows)) and is_wide(n, d, q)
