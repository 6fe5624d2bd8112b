"""How to solve: everything but the problem itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import Array
from .._engines import EngineLike
from .._result import Record
from ._base import AbstractSolver, ResumableSolver
from .dimension_growth import DimensionGrowthSolver
from .grassmann import GrassmannSolver
from .ism import IsmPlusSolver, IsmSolver
from .spectral import SpectralSolver
from .stiefel import StiefelSolver

RandomState = int | np.random.Generator | np.random.RandomState | None

SOLVERS: dict[str, type[AbstractSolver]] = {
    SpectralSolver.name: SpectralSolver,
    IsmPlusSolver.name: IsmPlusSolver,
    IsmSolver.name: IsmSolver,
    DimensionGrowthSolver.name: DimensionGrowthSolver,
    StiefelSolver.name: StiefelSolver,
    GrassmannSolver.name: GrassmannSolver,
}


def _is_count(value: Any) -> bool:
    return isinstance(value, int | np.integer) and int(value) >= 1


_RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "tol": (lambda tol: isinstance(tol, float | int) and tol > 0, "a number > 0"),
    "n_init": (_is_count, "an integer >= 1"),
    "max_iter": (_is_count, "an integer >= 1"),
    "checkpoint": (lambda path: isinstance(path, str | os.PathLike | None), "a path or None"),
    "resume": (lambda flag: isinstance(flag, bool | np.bool_), "a bool"),
    "on_interrupt": (lambda word: word in ("raise", "return"), "'raise' or 'return'"),
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The keyword arguments of :func:`hsiclearn.solve`, checked."""

    solver: str = "spectral"
    engine: EngineLike = "auto"
    init: str | Array = "phi-zero"
    n_init: int = 1
    tol: float = 1e-6
    max_iter: int = 100
    random_state: RandomState = 0
    verbose: int = 0
    report: Callable[[Record], None] | None = None
    checkpoint: str | os.PathLike[str] | None = None
    resume: bool = False
    on_interrupt: str = "raise"

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise ValueError(f"`solver` must be one of {list(SOLVERS)}. Got {self.solver!r}.")
        for name, (is_right, rule) in _RULES.items():
            if not is_right(value := getattr(self, name)):
                raise ValueError(f"`{name}` must be {rule}. Got {value!r}.")
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
        able = [name for name, solver in SOLVERS.items() if issubclass(solver, ResumableSolver)]
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


def as_generator(random_state: RandomState) -> np.random.Generator:
    """A generator from a seed, a generator, or the older ``RandomState``."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)
