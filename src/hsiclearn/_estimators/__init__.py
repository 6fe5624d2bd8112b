"""Estimators in scikit-learn's manner."""

from __future__ import annotations

from .alternative import AlternativeHSIC
from .semi_supervised import SemiSupervisedHSIC
from .supervised import SupervisedHSIC
from .unsupervised import UnsupervisedHSIC
from .views import find_views

__all__ = [
    "AlternativeHSIC",
    "SemiSupervisedHSIC",
    "SupervisedHSIC",
    "UnsupervisedHSIC",
    "find_views",
]
