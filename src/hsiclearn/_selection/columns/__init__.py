"""Which columns directions are made of: one set for all of them, found by cost and by losses."""

from __future__ import annotations

from .choice import AUTO_COUNT, ChosenColumns, choose_columns
from .counts import CountPath

__all__ = ["AUTO_COUNT", "ChosenColumns", "CountPath", "choose_columns"]
