"""Data sets: the paper's four tables, and synthetic ones."""

from __future__ import annotations

from ._store import Table
from .cancer import load_cancer
from .car import load_car
from .face import load_face
from .planted import Planted, make_planted
from .two_views import TwoViews, make_two_views
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
