"""What the user of a fitted clustering should be warned of."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._advice import Advice
from ..exceptions import DependenceWarning

__all__ = ["complaints_about"]


def complaints_about(model: Any) -> list[tuple[type[Warning], str]]:
    """Labels that are missing, that are arbitrary, or that one column tells."""
    messages = []
    found, k = np.unique(model.labels_).size, model.n_clusters_
    if found < k:
        messages.append(
            Advice(
                f"Only {found} of {k} clusters have rows: the rows take fewer distinct places in "
                "the subspace.",
                "Lower n_clusters, or remove duplicate rows.",
                "Lower --clusters, or remove duplicate rows.",
            )
        )
    if model.n_alone_ >= k > 1:
        messages.append(
            Advice(
                f"{model.n_alone_} rows are out of reach of all others, as the kernel sees them in "
                "this subspace: each is a cluster to the graph, and the labels are arbitrary.",
                "Raise the bandwidth, or use kernel='relative_gaussian'.",
                "Raise --bandwidth, or leave it out.",
            )
        )
    if model.levels_ is not None:
        messages.append(model.levels_.in_words())
    return [(DependenceWarning, message) for message in messages]
