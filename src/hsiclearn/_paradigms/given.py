"""What is known beside X as terms of an objective: labellings to stay away from, and guidance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils import check_array

from .._linalg import in_units_near_one, typical_distance
from .._objective import Guidance
from ..exceptions import DegenerateDataError
from .labels import ClassLabels
from .supervised import low_rank_gaussian

_MAX_RANK = 50  # of the kernel of scores


def away_from(labellings: Sequence[ClassLabels], weight: float) -> list[Guidance]:
    """``Psi = H Yhat Yhat' H`` for each labelling."""
    return [Guidance(labels.centered_one_hot(), weight) for labels in labellings]


def follow_labels(partial: ClassLabels, weight: float) -> list[Guidance]:
    """One-hot labels, centred over the rows that have one; nothing where all are alike."""
    if partial.classes.size < 2:
        return []
    return [Guidance(partial.centered_one_hot(), weight, follow=True)]


def follow_scores(
    y: Any, n_samples: int, weight: float, rng: np.random.Generator
) -> list[Guidance]:
    """Standardised scores, a Gaussian kernel at their median distance, low rank."""
    scores = check_array(y, dtype=np.float64, ensure_2d=False)
    scores = scores.reshape(scores.shape[0], -1)
    if scores.shape[0] != n_samples:
        raise ValueError(
            f"Scores must have one row per row of X, {n_samples}. Got {scores.shape[0]}."
        )
    scores = in_units_near_one(scores)  # those of the scores are lost below
    spread = scores.std(axis=0)
    if not np.any(spread > 0):
        raise DegenerateDataError(
            f"The scores are constant over {n_samples} rows and guide nowhere: pass y=None."
        )
    scores = (scores - scores.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    L, _ = low_rank_gaussian(scores, typical_distance(scores, rng), _MAX_RANK)
    return [Guidance(L - L.mean(axis=0), weight, follow=True)]
