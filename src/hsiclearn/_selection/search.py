r"""Bandwidth, start and dimension by what a subspace tells about rows it has not seen.

::

    J = (LOO + HO) / 2

LOO: kernel ridge in the subspace fitted on all rows, each row predicted from the others. It is
precise and flattering, since W has seen every row. HO: W and ridge fitted without some rows, loss
on those. It is honest and noisy, since fewer rows are left. Their mean did better than either.
Rows of the same group are left out together in both, and where the ridge is chosen.

HO is computed only where it can matter: it hardly ever lies below LOO, so a candidate whose LOO
alone is above the best J so far is out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .._arrays import Array, FloatArray
from .._engines import single_threaded_blas
from .._linalg import sine_of_largest_angle
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from .candidate import Candidate, Slope
from .grid_fits import PATH, GridFits
from .ridge import held_out_loss, leave_one_out_loss, responses
from .sample import Sample
from .splits import Split
from .telling import tell_candidate

__all__ = ["STARTS", "AbstractSearch", "Search"]

STARTS = (PATH, "second-moments")
_SAME = 1e-2  # sine of the largest angle below which two starts have met
_PATIENCE = 3  # dimensions without gain, after which larger ones are not tried


class AbstractSearch(ABC):
    """Compares fits and takes the best."""

    splits: Sequence[Split]
    """Rows to fit on and rows to hold out."""

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
    seed : int
        Of random starts.
    groups : array of shape (n_samples,) or None
        Of the rows of the sample; rows of the same one are left out together.
    """

    def __init__(
        self,
        sample: Sample,
        kernels: Callable[[int], Sequence[AbstractKernel]],
        splits: Sequence[Split],
        starts: Sequence[str] = STARTS,
        init: FloatArray | None = None,
        seed: int = 0,
        groups: Array | None = None,
    ) -> None:
        self._sample, self._kernels, self._init, self._seed = sample, kernels, init, seed
        self.splits, self._starts, self._groups = splits, starts, groups
        self._Y = responses(sample.gamma)

    def best(self, q: int) -> tuple[Candidate, list[Candidate]]:
        """The candidate of lowest J in q dimensions, and all that were looked at."""
        with single_threaded_blas():
            contest = self._contest(q)
            best: Candidate | None = None
            for entry in sorted(contest.entries, key=lambda e: e.candidate.leave_one_out):
                if best is not None and entry.candidate.leave_one_out >= best.criterion:
                    break
                judged = entry.candidate = contest.judged(entry)
                if best is None or judged.criterion < best.criterion:
                    best = judged
            assert best is not None
            return best, [entry.candidate for entry in contest.entries]

    def all(self, q: int) -> list[Candidate]:
        """Every candidate in q dimensions, all of them with a held-out loss."""
        with single_threaded_blas():
            contest = self._contest(q, exhaustive=True)
            return [contest.judged(entry) for entry in contest.entries]

    def _contest(self, q: int, *, exhaustive: bool = False) -> _Contest:
        """All candidates with their LOO; the scales end where finer ones make it only worse."""
        sample, kernels = self._sample, self._kernels(q)

        def fits(X: FloatArray, gamma: AbstractGamma) -> GridFits:
            return GridFits(X, gamma, kernels, q, self._init, self._seed)

        contest = _Contest(sample, self._Y, kernels, q, self.splits, fits, self._groups)
        slope = Slope()
        for k in range(len(kernels)):
            lowest = contest.enter(k, self._starts, together=not exhaustive)
            if not exhaustive and slope.rises(lowest):
                break
        return contest


@dataclass
class _Entry:
    """A candidate, the number of its kernel, and the starts that led to it."""

    candidate: Candidate
    k: int
    starts: list[str]


class _Contest:
    """The fits in q dimensions, on all rows and on the rows of every split."""

    def __init__(
        self,
        sample: Sample,
        Y: FloatArray,
        kernels: Sequence[AbstractKernel],
        q: int,
        splits: Sequence[Split],
        fits: Callable[[FloatArray, AbstractGamma], GridFits],
        groups: Array | None = None,
    ) -> None:
        self._sample, self._Y, self._kernels, self._q = sample, Y, kernels, q
        self._splits, self._groups = splits, groups
        self._everything = fits(sample.X, sample.gamma)
        self._parts = [
            fits(sample.X[train], sample.gamma.centered_on(train)) for train, _ in splits
        ]
        self.entries: list[_Entry] = []

    def enter(self, k: int, starts: Sequence[str], *, together: bool) -> float:
        """Fit with kernel number k from every start; the lowest LOO.

        ``together``: starts that lead to the same subspace are one entry.
        """
        here: list[_Entry] = []
        for start in starts:
            losses = (entry.candidate.leave_one_out for entry in self.entries + here)
            tell_candidate("choosing", self._q, self._kernels, k, start, losses)
            W = self._everything.fit(k, start).W
            met = [e for e in here if together and _have_met(e.candidate, W)]
            if met:
                met[0].starts.append(start)
                continue
            loss = leave_one_out_loss(self._sample.X @ W, self._Y, self._groups)
            candidate = Candidate(self._q, self._kernels[k], start, loss, float("nan"), W)
            here.append(_Entry(candidate, k, [start]))
        self.entries += here
        return min(entry.candidate.leave_one_out for entry in here)

    def judged(self, entry: _Entry) -> Candidate:
        """The candidate with its loss on rows held out.

        Starts that met on all rows may part on fewer: there the one of lower cost counts.
        """
        X, Y = self._sample.X, self._Y
        losses, found = [], []
        parts = zip(self._parts, self._splits, strict=True)
        for i, (part, (train, test)) in enumerate(parts, start=1):
            self._tell_judging(entry, i)
            fits = [part.fit(entry.k, start) for start in entry.starts]
            found.append(min(fits, key=lambda fit: fit.cost).W)
            Z = X @ found[-1]
            losses.append((Z[train], Y[train], Z[test], Y[test]))
        groups = (
            None if self._groups is None else [self._groups[train] for train, _ in self._splits]
        )
        loss = held_out_loss(losses, groups)
        return replace(entry.candidate, held_out=loss, W_without=tuple(found))

    def _tell_judging(self, entry: _Entry, number: int) -> None:
        losses = (other.candidate.held_out for other in self.entries)
        part = f"part {number} of {len(self._splits)}"
        what, start = "holding rows out", entry.candidate.start
        tell_candidate(what, self._q, self._kernels, entry.k, start, losses, part)


def _have_met(candidate: Candidate, W: FloatArray) -> bool:
    return candidate.W is not None and sine_of_largest_angle(candidate.W, W) <= _SAME
