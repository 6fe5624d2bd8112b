"""Data sets: the paper's four tables, and synthetic ones."""

from __future__ import annotations

from ._store import Table
from .cancer import load_cancer
from .car import load_car
from .face import load_face
from .synthetic import Planted, TwoViews, make_planted, make_two_views
from .wine import load_wine

__all__ = [
    "Planted",
    "Table",
    "TwoViews",
    "load_cancer",
    "load_car",
    "load_face",
    "load_wine",
    "make_planted",
    "make_two_views",
]
