"""How the methods stand on a data set, and over several: from errors of folds to ranks and gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .errors import N_FOLDS
from .methods import OURS, RAW, methods_for
from .sets import QualitySet
from .statistics import Comparison, compare, ranks

__all__ = ["Standing", "mean_rank"]

_TEST_OVER_TRAIN = 1.0 / (N_FOLDS - 1)


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
