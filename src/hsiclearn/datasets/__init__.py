"""Synthetic data."""

from __future__ import annotations

from .two_views import TwoViews, make_two_views

__all__ = ["TwoViews", "make_two_views"]
