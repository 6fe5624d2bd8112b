"""hsic-learn: linear directions that depend most on a target, measured by HSIC.

The public names are those below; anything else may change without notice.
"""

from __future__ import annotations

from . import datasets, gamma, kernels
from .certificate import certify
from .estimators import (
    AlternativeHSIC,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    UnsupervisedHSIC,
    find_views,
)
from .objective import Objective
from .result import Certificate, Record, Result, Status
from .solvers import solve

__all__ = [
    "AlternativeHSIC",
    "Certificate",
    "Objective",
    "Record",
    "Result",
    "SemiSupervisedHSIC",
    "Status",
    "SupervisedHSIC",
    "UnsupervisedHSIC",
    "__version__",
    "certify",
    "datasets",
    "find_views",
    "gamma",
    "kernels",
    "solve",
]

__version__ = "0.1.0"
