"""Solvers: any of them runs on any objective."""

from __future__ import annotations

from ._base import AbstractSolver, Run, Step, run
from .dimension_growth import DimensionGrowthSolver
from .gradients import gradient_directions
from .grassmann import GrassmannSolver
from .ism import IsmPlusSolver
from .lbfgs import LbfgsSolver
from .problem import SOLVERS, Settings, as_generator, result_of
from .rough import RoughFit, rough_fit
from .sharpen import Sharpened, sharpened
from .solve import minimise, solve, warnings_for
from .spectral import SpectralSolver
from .starts import START_NAMES, SecondMoments, start_from_name
from .steps import Callback, Steps
from .stiefel import StiefelSolver

__all__ = [
    "SOLVERS",
    "START_NAMES",
    "AbstractSolver",
    "Callback",
    "DimensionGrowthSolver",
    "GrassmannSolver",
    "IsmPlusSolver",
    "LbfgsSolver",
    "RoughFit",
    "Run",
    "SecondMoments",
    "Settings",
    "Sharpened",
    "SpectralSolver",
    "Step",
    "Steps",
    "StiefelSolver",
    "as_generator",
    "gradient_directions",
    "minimise",
    "result_of",
    "rough_fit",
    "run",
    "sharpened",
    "solve",
    "start_from_name",
    "warnings_for",
]
