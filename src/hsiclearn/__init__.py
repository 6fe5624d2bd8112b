"""hsic-learn: linear directions that depend most on a target, measured by HSIC.

The public names are those below; anything else may change without notice.
"""

from __future__ import annotations

from . import gamma, kernels
from .certificate import certify
from .estimators import SupervisedHSIC
from .objective import Objective
from .result import Certificate, Record, Result, Status
from .solvers import solve

__all__ = [
    "Certificate",
    "Objective",
    "Record",
    "Result",
    "Status",
    "SupervisedHSIC",
    "__version__",
    "certify",
    "gamma",
    "kernels",
    "solve",
]

__version__ = "0.1.0"
