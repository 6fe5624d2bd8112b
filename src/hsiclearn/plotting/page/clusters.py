"""Figures about the clusters of a clusterer, and how far they agree with labels."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from .labelling import Labelling
from .reading import Reading

__all__ = ["clusters_of"]


def clusters_of(reading: Reading) -> dict[str, Any] | None:
    """Their number, sizes and graph, and a comparison with each column of labels."""
    found = reading.found
    if found is None:
        return None
    sizes = zip(found.names, found.counts, strict=True)
    step: Any = reading.step
    agreement, levels = (getattr(step, name, None) for name in ("agreement_", "levels_"))
    return {
        "n_clusters": step.n_clusters_,
        "sizes": [{"name": name, "n_rows": n} for name, n in sizes],
        "assortativity": step.assortativity_,
        "completed": hasattr(step, "classes_"),
        "graph_eigenvalues": step.graph_eigenvalues_,
        "agreement": asdict(agreement) | {"words": agreement.in_words()} if agreement else None,
        "levels": None if levels is None else levels.named(reading.names).in_words(),
        "against": [
            _against(found, given, _guided(reading, fitted))
            for given, fitted in zip(reading.given, reading.fitted_to, strict=True)
            if given.is_classes
        ],
    }


def _guided(reading: Reading, fitted: bool | None) -> bool:
    """Whether labels took part in the clustering of these rows, or may have."""
    guidance = getattr(reading.step, "guidance_", None)
    return guidance is not None and reading.origin.same_rows and fitted is not False


def _against(found: Labelling, given: Labelling, guided: bool) -> dict[str, Any]:
    """Clusters against a labelling, on the rows whose label is known."""
    known = np.asarray(given.codes) >= 0
    theirs, ours = np.asarray(given.codes)[known], np.asarray(found.codes)[known]
    counts = np.zeros((len(given.names), len(found.names)), dtype=int)
    if known.any():
        rows, columns = np.unique(theirs), np.unique(ours)
        counts[np.ix_(rows, columns)] = contingency_matrix(theirs, ours)
    return {
        "name": given.name,
        "n_rows": int(known.sum()),
        "nmi": None if guided or not known.any() else normalized_mutual_info_score(theirs, ours),
        "guided": guided,
        "given": given.names,
        "found": found.names,
        "counts": counts,
    }
