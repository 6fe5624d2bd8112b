"""From starts to a clustering: search, settle, label."""

from __future__ import annotations

from .agreement import measure_agreement
from .blocks import blocks_of, mean_of, project_rows
from .clustering import ClusterFit, ClusterSettings, fit_clusters
from .extension import Extension
from .guided import fit_guided_clusters
from .guided_starts import guided_starts
from .labelling import ByCentre, ByVote, Labelling, label_rows
from .labels import centres_of, cluster_labels, nearest_centre, unit_rows
from .landmarks import (
    AbstractSample,
    AllRows,
    check_dense_size,
    choose_landmarks,
    takes_landmarks,
)
from .paper import fit_clusters_as_printed
from .search import find_subspace
from .seeding import NeighborGraph, neighbor_rule
from .settle import Found, Tried
from .starts import cluster_starts

__all__ = [
    "AbstractSample",
    "AllRows",
    "ByCentre",
    "ByVote",
    "ClusterFit",
    "ClusterSettings",
    "Extension",
    "Found",
    "Labelling",
    "NeighborGraph",
    "Tried",
    "blocks_of",
    "centres_of",
    "check_dense_size",
    "choose_landmarks",
    "cluster_labels",
    "cluster_starts",
    "find_subspace",
    "fit_clusters",
    "fit_clusters_as_printed",
    "fit_guided_clusters",
    "guided_starts",
    "label_rows",
    "mean_of",
    "measure_agreement",
    "nearest_centre",
    "neighbor_rule",
    "project_rows",
    "takes_landmarks",
    "unit_rows",
]
