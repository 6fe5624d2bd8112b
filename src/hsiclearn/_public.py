"""The public names, each from the part it lives in, as type checkers see them.

``__init__`` loads the same ones, each when it is first asked for.
"""

from __future__ import annotations

from . import datasets, gamma, inspection, kernels
from ._certificate import certify
from ._estimators import (
    AlternativeHSIC,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    UnsupervisedHSIC,
    find_views,
)
from ._measure import HsicEstimate, HsicTestResult, cka, hsic, hsic_estimate, hsic_test
from ._objective import Objective
from ._persistence import load, save, trusted_types
from ._result import Agreement, Certificate, Levels, Record, Result, Status
from ._rows import Spread
from ._selection import (
    CountPath,
    DimensionTest,
    FeaturePath,
    HsicPath,
    KnownRows,
    Neighbours,
    OutOfFold,
    Selection,
    dimension_test,
    feature_path,
    hsic_path,
)
from ._solvers.solve import solve  # not the module of that name, whoever imported it first
from ._version import __version__

__all__ = [
    "Agreement",
    "AlternativeHSIC",
    "Certificate",
    "CountPath",
    "DimensionTest",
    "FeaturePath",
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
    "feature_path",
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
    "trusted_types",
]
