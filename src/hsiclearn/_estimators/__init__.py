"""Estimators in scikit-learn's manner."""

from __future__ import annotations

from ._badge import Badge, badge_of
from ._base import BaseHSIC
from ._namespace import on_host
from .alternative import AlternativeHSIC, find_views
from .semi_supervised import SemiSupervisedHSIC
from .supervised import SupervisedHSIC
from .unsupervised import UnsupervisedHSIC

__all__ = [
    "AlternativeHSIC",
    "Badge",
    "BaseHSIC",
    "SemiSupervisedHSIC",
    "SupervisedHSIC",
    "UnsupervisedHSIC",
    "badge_of",
    "find_views",
    "on_host",
]
