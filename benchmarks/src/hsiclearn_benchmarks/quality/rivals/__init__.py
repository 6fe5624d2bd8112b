"""Rivals that scikit-learn does not have, at the settings of their papers; none is tuned here."""

from __future__ import annotations

from .gkdr import GradientKernelReduction
from .hsic_lasso import hsic_lasso_columns
from .mlkr import KernelRegressionMetric
from .opg import OuterProductOfGradients
from .rfm import RecursiveFeatureMachine
from .sir import SlicedInverseRegression
from .wda import WassersteinDiscriminant

__all__ = [
    "GradientKernelReduction",
    "KernelRegressionMetric",
    "OuterProductOfGradients",
    "RecursiveFeatureMachine",
    "SlicedInverseRegression",
    "WassersteinDiscriminant",
    "hsic_lasso_columns",
]
