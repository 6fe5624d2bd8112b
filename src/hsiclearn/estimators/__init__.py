"""Estimators in scikit-learn's manner."""

from __future__ import annotations

from .alternative import AlternativeHSIC
from .supervised import SupervisedHSIC
from .unsupervised import UnsupervisedHSIC

__all__ = ["AlternativeHSIC", "SupervisedHSIC", "UnsupervisedHSIC"]
