"""Solvers: any of them runs on any objective."""

from __future__ import annotations

from ._base import AbstractSolver, Run, Step, run
from .dimension_growth import DimensionGrowthSolver
from .grassmann import GrassmannSolver
from .ism import IsmPlusSolver
from .lbfgs import LbfgsSolver
from .problem import SOLVERS, Settings, as_generator, result_of
from .solve import minimise, solve, warnings_for
from .spectral import SpectralSolver
from .stages import step_teller
from .starts import START_NAMES, start_from_name
from .stiefel import StiefelSolver

__all__ = [
    "SOLVERS",
    "START_NAMES",
    "AbstractSolver",
    "DimensionGrowthSolver",
    "GrassmannSolver",
    "IsmPlusSolver",
    "LbfgsSolver",
    "Run",
    "Settings",
    "SpectralSolver",
    "Step",
    "StiefelSolver",
    "as_generator",
    "minimise",
    "result_of",
    "run",
    "solve",
    "start_from_name",
    "step_teller",
    "warnings_for",
]
