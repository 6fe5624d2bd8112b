"""Solvers: any of them runs on any objective."""

from __future__ import annotations

from ._base import AbstractSolver, Run, Step, run
from .ism_plus import IsmPlusSolver
from .lbfgs import LbfgsSolver
from .settings import SOLVERS, Settings, as_generator
from .solve import complaints, minimise, print_record, solve
from .spectral import SpectralSolver
from .starts import START_NAMES, start_from_name

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
    "print_record",
    "run",
    "solve",
    "start_from_name",
]
