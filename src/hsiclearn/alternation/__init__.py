"""From starts to a clustering: search, settle, label."""

from __future__ import annotations

from .search import Found, Tried, find_subspace
from .starts import cluster_starts

__all__ = ["Found", "Tried", "cluster_starts", "find_subspace"]
