"""Rules that choose for the user: bandwidth and dimension."""

from __future__ import annotations

from .bandwidth import median_distance
from .clusters import eigengap_clusters
from .dimension import eigengap_dimension, widest_gap

__all__ = ["eigengap_clusters", "eigengap_dimension", "median_distance", "widest_gap"]
