"""Solvers: any of them runs on any objective."""

from __future__ import annotations

from ._base import AbstractSolver, Run, Step, run
from .ism_plus import IsmPlusSolver
from .lbfgs import LbfgsSolver
from .settings import SOLVERS, Settings, as_generator
from .solve import complaints, minimise, solve
from .spectral import SpectralSolver
from .starts import START_NAMES

__all__ = [
    "SOLVERS",
    "START_NAMES",
    "AbstractSolver",
    "IsmPlusSolver",
    "LbfgsSolver",
    "Run",
    "Settings",
    "SpectralSolver",
    "Step",
    "as_generator",
    "complaints",
    "minimise",
    "run",
    "solve",
]
