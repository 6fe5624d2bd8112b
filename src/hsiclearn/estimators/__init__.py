"""Estimators: thin scikit-learn shells."""

from __future__ import annotations

from .supervised import SupervisedHSIC

__all__ = ["SupervisedHSIC"]
