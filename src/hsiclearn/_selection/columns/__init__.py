"""Which columns directions are made of: one set for all of them, found by cost and by losses."""

from __future__ import annotations

from .choice import AUTO_COUNT, ChosenColumns, choose_columns
from .counts import CountPath
from .feature_path import FeaturePath, feature_path

__all__ = [
    "AUTO_COUNT",
    "ChosenColumns",
    "CountPath",
    "FeaturePath",
    "choose_columns",
    "feature_path",
]
