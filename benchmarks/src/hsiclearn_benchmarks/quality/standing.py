"""How the methods stand on a data set, and over several: from errors of folds to ranks and gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata, t

from .._types import FloatArray
from .errors import N_FOLDS
from .methods import OURS, RAW, methods_for
from .sets import QualitySet

__all__ = ["Comparison", "Standing", "compare", "mean_rank", "ranks"]

_TIE = 1e-9  # errors that differ by less are equal
_LEVEL = 0.05  # two-sided
_TEST_OVER_TRAIN = 1.0 / (N_FOLDS - 1)


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


@dataclass(frozen=True)
class Standing:
    """The errors of all methods on a set: by method, a row per fold seed, a column per fold."""

    data: QualitySet
    errors: Mapping[str, Sequence[Sequence[float]]]
    seconds: Mapping[str, float]

    @property
    def is_complete(self) -> bool:
        """Whether no method failed: a rival that does must not flatter a goal."""
        return set(methods_for(self.data)) == set(self.errors)

    @property
    def has_contest(self) -> bool:
        """Whether there are ours, and some rival's."""
        return OURS in self.errors and any(key not in (OURS, RAW) for key in self.errors)

    def error(self, method: str, seed: int | None = None) -> float:
        """The mean over folds, of one seed or of all."""
        rows = self.errors[method]
        return float(np.mean(rows if seed is None else rows[seed]))

    def ranks(self, *, seed: int | None = None, with_raw: bool = False) -> dict[str, float]:
        """Of the reducers to the same q; ``with_raw`` also of all columns."""
        keys = [key for key in self.errors if with_raw or key != RAW]
        return ranks({key: self.error(key, seed) for key in keys})

    @cached_property
    def best_rival(self) -> str:
        """The reducer other than ours with the lowest error."""
        rivals = [key for key in self.errors if key not in (OURS, RAW)]
        return min(rivals, key=self.error)

    @cached_property
    def comparison(self) -> Comparison:
        """Ours against the best rival, over all folds of all seeds."""
        ours, theirs = (np.ravel(self.errors[key]) for key in (OURS, self.best_rival))
        return compare(ours.tolist(), theirs.tolist(), _TEST_OVER_TRAIN)


def mean_rank(
    standings: Sequence[Standing], method: str, *, seed: int | None = None, with_raw: bool = False
) -> float | None:
    """Over the sets the method took part in; None if there are none."""
    found = [s.ranks(seed=seed, with_raw=with_raw) for s in standings if method in s.errors]
    places = [places[method] for places in found if method in places]
    return float(np.mean(places)) if places else None
