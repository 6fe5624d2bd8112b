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
from .._objective import Objective
from .._result import Record
from ._base import AbstractSolver
from .dimension_growth import DimensionGrowthSolver
from .grassmann import GrassmannSolver
from .ism import IsmPlusSolver, IsmSolver
from .spectral import SpectralSolver
from .stiefel import StiefelSolver

RandomState = int | np.random.Generator | np.random.RandomState | None

SOLVERS: dict[str, Callable[[Objective, float], AbstractSolver]] = {
    SpectralSolver.name: SpectralSolver,
    IsmPlusSolver.name: IsmPlusSolver,
    IsmSolver.name: IsmSolver,
    DimensionGrowthSolver.name: DimensionGrowthSolver,
    StiefelSolver.name: StiefelSolver,
    GrassmannSolver.name: GrassmannSolver,
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
        _require(
            "tol", self.tol, isinstance(self.tol, float | int) and self.tol > 0, "a number > 0"
        )
        for name in ("n_init", "max_iter"):
            value = getattr(self, name)
            _require(
                name,
                value,
                isinstance(value, int | np.integer) and int(value) >= 1,
                "an integer >= 1",
            )
        if self.n_init > 1 and not isinstance(self.init, str):
            raise ValueError(
                f"`n_init` > 1 needs `init` by name. Got n_init={self.n_init} and an array: it is "
                "one start. Leave n_init at 1, or choose a named start."
            )
        self._check_checkpoint()

    def for_dimension(self, q: int) -> Settings:
        """The same with a checkpoint of its own, for a rule that tries several dimensions."""
        return self._with_part(f"q{q}")

    def for_round(self, number: int) -> Settings:
        """The same with a checkpoint of its own, for a rule that fits again and again."""
        return self._with_part(f"r{number}")

    def _with_part(self, part: str) -> Settings:
        if self.checkpoint is None:
            return self
        path = Path(self.checkpoint)
        return replace(self, checkpoint=path.with_name(f"{path.stem}.{part}{path.suffix}"))

    def _check_checkpoint(self) -> None:
        is_path = self.checkpoint is None or isinstance(self.checkpoint, str | os.PathLike)
        _require("checkpoint", self.checkpoint, is_path, "a path or None")
        _require("resume", self.resume, isinstance(self.resume, bool | np.bool_), "a bool")
        rule = "'raise' or 'return'"
        _require("on_interrupt", self.on_interrupt, self.on_interrupt in ("raise", "return"), rule)
        if self.resume and self.checkpoint is None:
            raise ValueError(
                "`resume` needs a file to resume from. Got resume=True and checkpoint=None. Pass "
                "the path as `checkpoint`."
            )
        able = [name for name, solver in SOLVERS.items() if getattr(solver, "can_resume", False)]
        if self.checkpoint is not None and self.solver not in able:
            raise ValueError(
                f"`checkpoint` needs a solver that can be resumed, one of {able}. Got "
                f"solver={self.solver!r}. Change the solver, or leave checkpoint at None."
            )


def _require(name: str, value: Any, is_right: bool, rule: str) -> None:
    if not is_right:
        raise ValueError(f"`{name}` must be {rule}. Got {value!r}.")


def as_generator(random_state: RandomState) -> np.random.Generator:
    """A generator from a seed, a generator, or the older ``RandomState``."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)
