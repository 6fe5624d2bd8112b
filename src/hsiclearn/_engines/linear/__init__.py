"""Engines in linear time: sums over pairs become sums over rows."""

from __future__ import annotations

from .engine import FeatureEngine, LinearEngine, NystromEngine

__all__ = ["FeatureEngine", "LinearEngine", "NystromEngine"]
