"""What is known beside X: labellings to stay away from, partial labels or scores to follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_array

from .._arrays import Array, FloatArray
from .._linalg import in_units_near_one, typical_distance
from .._objective import Guidance
from ..exceptions import DegenerateDataError
from .supervised import low_rank_gaussian
from .targets import is_missing

__all__ = ["PartialLabels", "away_from", "follow_labels", "follow_scores", "partial_labels"]

_MAX_RANK = 50  # of the kernel of scores
UNKNOWN = -1


def away_from(y: Any, n_samples: int, weight: float) -> list[Guidance]:
    """``Psi = H Yhat Yhat' H`` for one labelling, or for each column of several."""
    labellings = _as_labels(y)
    if labellings.ndim not in (1, 2) or labellings.shape[0] != n_samples:
        raise ValueError(
            f"y must hold one label per row of X, shape ({n_samples},), or several labellings, "
            f"shape ({n_samples}, m). Got shape {labellings.shape}."
        )
    columns = labellings.reshape(n_samples, -1).T
    return [Guidance(_centered_one_hot(_codes(column)), weight) for column in columns]


def _as_labels(y: Any, remedy: str = "drop those rows, or name the missing class") -> Array:
    """Labels as an array of numbers or strings; missing ones are an error."""
    labels = np.asarray(y)
    if labels.dtype.kind == "O":
        missing = int(np.count_nonzero(is_missing(labels.ravel())))
        if missing == 0:
            return np.array(labels.tolist())  # whole numbers stay numbers
    elif labels.dtype.kind == "f":
        missing = int(np.count_nonzero(~np.isfinite(labels)))
    else:
        missing = 0
    if missing:
        raise ValueError(
            f"Labels must be finite. Got {missing} NaN or infinite or missing entries of "
            f"{labels.size}: {remedy}."
        )
    return labels


def _codes(labels: Array) -> Array:
    """Labels as 0, 1, ..."""
    classes, codes = np.unique(labels, return_inverse=True)
    if classes.size < 2:
        raise DegenerateDataError(
            f"A labelling to stay away from must have at least 2 classes. Got one, "
            f"{classes.tolist()[0]!r}, in {labels.size} rows: leave it out."
        )
    if classes.size == labels.size:
        raise DegenerateDataError(
            f"A labelling to stay away from must group rows. Got {classes.size} different labels "
            f"in {labels.size} rows: bin a quantity into a few classes first."
        )
    return codes


def _centered_one_hot(codes: Array) -> FloatArray:
    """``H Yhat``; rows with code -1 are zero, and the others are centred among themselves."""
    known = codes >= 0
    U = np.zeros((codes.size, int(codes.max()) + 1))
    U[known, codes[known]] = 1.0
    U[known] -= U[known].mean(axis=0)
    return U


@dataclass(frozen=True)
class PartialLabels:
    """Codes 0, 1, ... of the named classes, -1 where a row's class is unknown."""

    codes: Array
    classes: Array


def partial_labels(y: Any, n_samples: int) -> PartialLabels:
    """Read a column of labels in which -1 means unknown."""
    labels = _as_labels(y, "use -1, or '-1' among strings, where the class is unknown")
    if labels.shape != (n_samples,):
        raise ValueError(
            f"Partial labels must have one entry per row of X, shape ({n_samples},). "
            f"Got shape {labels.shape}."
        )
    if labels.dtype.kind == "f" and not np.all(labels == np.round(labels)):
        raise ValueError(
            "Partial labels must be whole numbers or strings. Got fractions: for scores pass "
            "guidance='scores'."
        )
    labels = labels.astype(str) if labels.dtype.kind in "US" else labels.astype(np.int64)
    known = labels != (str(UNKNOWN) if labels.dtype.kind == "U" else UNKNOWN)
    if not known.any():
        raise ValueError(
            f"All {n_samples} labels are -1, that is unknown. Name some rows, or pass y=None for "
            "an unsupervised fit."
        )
    classes = np.unique(labels[known])
    codes = np.full(n_samples, UNKNOWN)
    codes[known] = np.searchsorted(classes, labels[known])
    return PartialLabels(codes, classes)


def follow_labels(partial: PartialLabels, weight: float) -> list[Guidance]:
    """One-hot labels, centred over the rows that have one; nothing where all are alike."""
    if partial.classes.size < 2:
        return []
    return [Guidance(_centered_one_hot(partial.codes), weight, follow=True)]


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
