"""What the user of a fitted clustering should be warned of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

__all__ = ["complaints_about"]


def complaints_about(model: Any) -> Iterator[str]:
    """Labels that are missing, that are arbitrary, or that one column tells."""
    found, k = np.unique(model.labels_).size, model.n_clusters_
    if found < k:
        yield (
            f"Only {found} of {k} clusters have rows: the rows take fewer distinct places in the "
            "subspace. Lower n_clusters, or remove duplicate rows."
        )
    if model.n_alone_ >= k > 1:
        yield (
            f"{model.n_alone_} rows are out of reach of all others, as the kernel sees them in "
            "this subspace: each is a cluster to the graph, and the labels are arbitrary. "
            "Raise the bandwidth, or use kernel='relative_gaussian'."
        )
    if model.levels_ is not None:
        yield model.levels_.in_words()
