r"""Bandwidth, start and dimension by what a subspace tells about rows it has not seen.

::

    J = (LOO + HO) / 2

LOO: kernel ridge in the subspace fitted on all rows, each row predicted from the others. It is
precise and flattering, since W has seen every row. HO: W and ridge fitted without some rows, loss
on those. It is honest and noisy, since fewer rows are left. Their mean did better than either.
Rows of the same group are left out together in both, and where the ridge is chosen.
HO is computed only where it can matter: it hardly ever lies below LOO, so a candidate whose LOO
alone is above the best J so far is out.

Where rows are plenty, none has to serve twice: every candidate is fitted once, on some of them,
and HO on fresh ones alone decides: as precise as J of folds, at a third of the fits.

Where there are as many columns as rows to fit on, any target can be fitted, and LOO says nothing
of a W that has seen every row. Then HO alone decides, too.

The first split, or the first ones where they hold few rows out, says which candidates are worth
the others: one that is clearly much worse there is given up.

Of several metrics the first stays unless another is clearly better; and so does HSIC, unless
directions made to predict are: their HO alone is compared, since they descend LOO itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._arrays import Array, FloatArray
from .._engines import single_threaded_blas
from .._progress import stop_is_asked
from ..kernels import AbstractKernel
from .candidates import DEPENDENCE, PREDICTION, STARTS, Candidate
from .contest import Contest
from .metric import IDENTITY, RELEVANCE
from .ridge import responses, vary
from .sample import Sample, Split

_PATIENCE = 3  # dimensions without gain, after which larger ones are not tried
_FIRST = 30  # rows at least, or a third of them, that the first splits hold out


@dataclass
class Search:
    """Compare fits on a sample of rows.

    ``kernels(q, metric)`` are those to try in q dimensions, from smooth to fine, in each of the
    ``metrics``; ``starts`` are names as in :class:`Proposal`, ``init`` is what ``"array"`` stands
    for in the columns of the sample, ``seed`` that of random ones. Rows of the same group are left
    out together. ``is_fresh``: fit on the rows of the one split alone, and judge by the others.
    ``max_iter`` bounds the steps of a prediction, as in the fit that follows.
    """

    sample: Sample
    kernels: Callable[[int, str], Sequence[AbstractKernel]]
    splits: Sequence[Split]
    starts: Sequence[str] = STARTS
    init: FloatArray | None = None
    seed: int = 0
    groups: Array | None = None
    metrics: Sequence[str] = (IDENTITY,)
    objectives: Sequence[str] = (DEPENDENCE,)
    is_fresh: bool = False
    max_iter: int = 100

    @cached_property
    def Y(self) -> FloatArray:
        """What is to be predicted."""
        return responses(self.sample.gamma)

    @property
    def plain(self) -> Sequence[str]:
        """The metrics that are made of rows alone; the others begin with a fit in one of them."""
        return [metric for metric in self.metrics if metric != RELEVANCE] or [IDENTITY]

    @cached_property
    def n_first(self) -> int:
        """How many splits tell first: together they hold rows enough out, whose targets vary."""
        enough = min(_FIRST, self.sample.n_samples // 3)
        held_out = np.zeros(0, dtype=np.intp)
        for n, (_, test) in enumerate(self.splits, start=1):
            held_out = np.union1d(held_out, test)
            if held_out.size >= enough and vary([self.Y], [self.Y[held_out]]):
                return n
        return len(self.splits)

    def best(self, q: int) -> tuple[Candidate, list[Candidate]]:
        """The best candidate in q dimensions, and all that were looked at."""
        contest = Contest(self, q)
        return self._with_more(contest, self._plain_winner(contest)), contest.candidates

    def _plain_winner(self, contest: Contest) -> Candidate:
        """The best fit of HSIC in the metrics that are made of rows alone."""
        with single_threaded_blas():
            for levels in contest.families:
                contest.enter_while_it_helps(levels)
            return contest.winner()

    def _with_more(self, contest: Contest, plain: Candidate) -> Candidate:
        """The best of a fit and of what is made of it."""
        found = plain
        with single_threaded_blas():
            if self._asks_for_more(RELEVANCE, self.metrics, found):
                found = contest.weighed(plain)
            if self._asks_for_more(PREDICTION, self.objectives, found):
                found = contest.made_to_predict(plain, found)
        return found

    @staticmethod
    def _asks_for_more(more: str, among: Sequence[str], found: Candidate) -> bool:
        """Whether to look at what is made of a fit: asked for alone, or with something to gain."""
        has_use = len(among) == 1 or found.leaves_something
        return more in among and has_use and not stop_is_asked()

    @cached_property
    def is_wide(self) -> bool:
        """Whether the rows fitted on are so few that directions in all columns can fit anything."""
        return self.sample.X.shape[1] >= min(train.size for train, _ in self.splits)

    def all(self, q: int) -> list[Candidate]:
        """Every candidate in q dimensions, all of them with both losses."""
        with single_threaded_blas():
            contest = Contest(self, q, in_full=True)
            for levels in contest.families:
                for level in levels:
                    contest.enter(level, together=False)
            return [contest.judged(entry) for entry in contest.entries]

    def best_dimension(self, largest: int) -> tuple[Candidate, list[Candidate]]:
        """The candidate of lowest held-out loss over ``q = 1 .. largest``.

        For each q the best one stands. Larger q are left out once three in a row have brought no
        gain.
        """
        contests = [Contest(self, 1)]
        best = self._plain_winner(contests[0])
        for q in range(2, largest + 1):
            contests.append(Contest(self, q))
            candidate = self._plain_winner(contests[-1])
            if candidate.held_out < best.held_out:
                best = candidate
            elif q - best.n_components >= _PATIENCE:
                break
            if stop_is_asked():
                break
        # In the dimension found, only.
        best = self._with_more(contests[best.n_components - 1], best)
        return best, [one for contest in contests for one in contest.candidates]
