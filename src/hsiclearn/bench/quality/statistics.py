"""Ranks, and a test for errors of folds that share their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata, t

from ..._arrays import FloatArray

__all__ = ["Comparison", "compare", "ranks"]

_TIE = 1e-9  # errors that differ by less are equal
_LEVEL = 0.05  # two-sided


def ranks(errors: Mapping[str, float]) -> dict[str, float]:
    """1 for the lowest error; those that tie share the mean of their ranks."""
    values = np.array(list(errors.values()))
    order = np.argsort(values)
    # A number per group of ties: it goes up where the next error is truly larger.
    steps = np.diff(values[order], prepend=values[order[:1]]) >= _TIE
    groups = np.empty(len(values))
    groups[order] = np.cumsum(steps)
    return dict(zip(errors, rankdata(groups).tolist(), strict=True))


class Comparison(NamedTuple):
    """Ours beside another's: the mean difference (positive is worse), its p-value, the verdict."""

    gap: float
    p_value: float
    verdict: str


def compare(ours: Sequence[float], theirs: Sequence[float], test_over_train: float) -> Comparison:
    """The corrected resampled t-test.

    Errors of J folds are not independent, because the folds share rows: the variance of their mean
    is about ``(1/J + n_test/n_train)`` times the variance of one, not ``1/J``.

    Parameters
    ----------
    ours, theirs : sequences of float
        The errors of both on the same folds.
    test_over_train : float
        Rows of a fold's test over those of its training.

    References
    ----------
    C. Nadeau, Y. Bengio: Inference for the Generalization Error. Machine Learning 52, 2003.
    """
    differences: FloatArray = np.subtract(ours, theirs)
    gap, n = float(differences.mean()), len(differences)
    if np.ptp(differences) < _TIE:  # no spread: equal, or different beyond doubt
        p_value = 1.0 if abs(gap) < _TIE else 0.0
    else:
        variance = differences.var(ddof=1) * (1.0 / n + test_over_train)
        p_value = float(2.0 * t.sf(abs(gap) / np.sqrt(variance), n - 1))
    if p_value >= _LEVEL:
        return Comparison(gap, p_value, "level")
    return Comparison(gap, p_value, "significantly " + ("worse" if gap > 0.0 else "better"))
