"""The public names, each from the part it lives in."""

from __future__ import annotations

from . import datasets, gamma, inspection, kernels
from ._version import __version__
from .certificate import certify
from .estimators import (
    AlternativeHSIC,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    UnsupervisedHSIC,
    find_views,
)
from .measure import HsicEstimate, HsicTestResult, cka, hsic, hsic_estimate, hsic_test
from .objective import Objective
from .persistence import load, save
from .result import Agreement, Certificate, Levels, Record, Result, Status
from .rows import Spread
from .selection import (
    DimensionTest,
    HsicPath,
    KnownRows,
    Neighbours,
    OutOfFold,
    Selection,
    dimension_test,
    hsic_path,
)
from .solvers.solve import solve  # not the module of that name, whoever imported it first

__all__ = [
    "Agreement",
    "AlternativeHSIC",
    "Certificate",
    "DimensionTest",
    "HsicEstimate",
    "HsicPath",
    "HsicTestResult",
    "KnownRows",
    "Levels",
    "Neighbours",
    "Objective",
    "OutOfFold",
    "Record",
    "Result",
    "Selection",
    "SemiSupervisedHSIC",
    "Spread",
    "Status",
    "SupervisedHSIC",
    "UnsupervisedHSIC",
    "__version__",
    "certify",
    "cka",
    "datasets",
    "dimension_test",
    "find_views",
    "gamma",
    "hsic",
    "hsic_estimate",
    "hsic_path",
    "hsic_test",
    "inspection",
    "kernels",
    "load",
    "save",
    "solve",
]
