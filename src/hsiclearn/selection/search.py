r"""Bandwidth, start and dimension by what a subspace tells about rows it has not seen.

::

    J = (LOO + HO) / 2

LOO: kernel ridge in the subspace fitted on all rows, each row predicted from the others. It is
precise and flattering, since W has seen every row. HO: W and ridge fitted without some rows, loss
on those. It is honest and noisy, since fewer rows are left. Their mean did better than either.

HO is computed only where it can matter: it hardly ever lies below LOO, so a candidate whose LOO
alone is above the best J so far is out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from .._arrays import FloatArray
from ..engines import single_threaded_blas
from ..kernels import AbstractKernel
from ..linalg import sine_of_largest_angle
from .candidate import Candidate, Slope
from .grid_fits import PATH, GridFits
from .ridge import held_out_loss, leave_one_out_loss, responses
from .sample import Sample
from .splits import Split

__all__ = ["STARTS", "AbstractSearch", "Search"]

STARTS = (PATH, "second-moments")
_SAME = 1e-2  # sine of the largest angle below which two starts have met
_PATIENCE = 3  # dimensions without gain, after which larger ones are not tried


class AbstractSearch(ABC):
    """Compares fits and takes the best."""

    @abstractmethod
    def best(self, q: int) -> tuple[Candidate, list[Candidate]]:
        """The best candidate in q dimensions, and all that were looked at."""

    def best_dimension(self, largest: int) -> tuple[Candidate, list[Candidate]]:
        """The candidate of lowest held-out loss over ``q = 1 .. largest``.

        For each q the one of lowest J stands. Larger q are left out once three in a row have
        brought no gain.
        """
        best: Candidate | None = None
        seen: list[Candidate] = []
        for q in range(1, largest + 1):
            candidate, looked_at = self.best(q)
            seen += looked_at
            if best is None or candidate.held_out < best.held_out:
                best = candidate
            elif q - best.n_components >= _PATIENCE:
                break
        assert best is not None
        return best, seen


class Search(AbstractSearch):
    """Compare fits on a sample of rows by J.

    Parameters
    ----------
    sample : Sample
    kernels : callable
        ``kernels(q)``: the kernels to try in q dimensions, from smooth to fine.
    splits : list of Split
        Rows to fit on and rows to hold out.
    starts : sequence of str
        Names as in :class:`GridFits`.
    init : array of shape (n_features, q) or None
        What the start ``"array"`` stands for, in the columns of the sample.
    """

    def __init__(
        self,
        sample: Sample,
        kernels: Callable[[int], Sequence[AbstractKernel]],
        splits: Sequence[Split],
        starts: Sequence[str] = STARTS,
        init: FloatArray | None = None,
    ) -> None:
        self._sample, self._kernels, self._init = sample, kernels, init
        self._splits, self._starts = splits, starts
        self._Y = responses(sample.gamma)

    def best(self, q: int) -> tuple[Candidate, list[Candidate]]:
        """The candidate of lowest J in q dimensions, and all that were looked at."""
        with single_threaded_blas():
            found, judge = self._without_held_out(q)
            best: Candidate | None = None
            for i in np.argsort([c.leave_one_out for _, c in found], kind="stable"):
                k, candidate = found[i]
                if best is not None and candidate.leave_one_out >= best.criterion:
                    break
                if _is_known(k, candidate, found):
                    continue
                judged = judge(k, candidate)
                found[i] = k, judged
                if best is None or judged.criterion < best.criterion:
                    best = judged
            assert best is not None
            return best, [candidate for _, candidate in found]

    def all(self, q: int) -> list[Candidate]:
        """Every candidate in q dimensions, all of them with a held-out loss."""
        with single_threaded_blas():
            found, judge = self._without_held_out(q, exhaustive=True)
            return [judge(k, candidate) for k, candidate in found]

    def _without_held_out(
        self, q: int, *, exhaustive: bool = False
    ) -> tuple[list[tuple[int, Candidate]], Callable[[int, Candidate], Candidate]]:
        """Candidates with the number of their kernel, and how to judge them on rows held out."""
        kernels, sample = self._kernels(q), self._sample
        everything = GridFits(sample.X, sample.gamma, kernels, q, self._init)
        parts = [
            GridFits(sample.X[train], sample.gamma.centered_on(train), kernels, q, self._init)
            for train, _ in self._splits
        ]

        def candidate(k: int, start: str) -> Candidate:
            W = everything.fit(k, start).W
            loss = leave_one_out_loss(sample.X @ W, self._Y)
            return Candidate(q, kernels[k], start, loss, float("nan"), W)

        def judge(k: int, candidate: Candidate) -> Candidate:
            losses = []
            for fits, (train, test) in zip(parts, self._splits, strict=True):
                Z = sample.X @ fits.fit(k, candidate.start).W
                losses.append((Z[train], self._Y[train], Z[test], self._Y[test]))
            return replace(candidate, held_out=held_out_loss(losses))

        found: list[tuple[int, Candidate]] = []
        slope = Slope()
        for k in range(len(kernels)):
            here = [candidate(k, start) for start in self._starts]
            found += [(k, one) for one in here]
            if not exhaustive and slope.rises(min(one.leave_one_out for one in here)):
                break
        return found, judge


def _is_known(k: int, candidate: Candidate, found: Sequence[tuple[int, Candidate]]) -> bool:
    """Whether another start has led to the same subspace, and was judged already."""
    return any(
        k == other
        and not np.isnan(rival.held_out)
        and rival.W is not None
        and candidate.W is not None
        and sine_of_largest_angle(rival.W, candidate.W) <= _SAME
        for other, rival in found
    )
