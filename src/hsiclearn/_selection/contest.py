"""The candidates in one dimension: entered, judged by rows held out, and given up on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf, isnan, nan
from typing import TYPE_CHECKING

from .._arrays import FloatArray
from .._linalg import orthonormal_basis, sine_of_largest_angle
from .._progress import is_heard, stop_is_asked, tell
from .._threads import side_by_side
from .candidates import (
    DEPENDENCE,
    PREDICTION,
    Candidate,
    Fits,
    Proposal,
    predictions,
    proposals,
    weighings,
)
from .metric import IDENTITY, RELEVANCE
from .ridge import SubspaceRidge, error_of_sum, errors_held_out, shares_of_errors

if TYPE_CHECKING:
    from .search import Search

_SAME = 1e-2  # sine of the largest angle below which two starts have met
_WORSE, _MUCH_WORSE = 1.1, 1.5  # times the best loss so far
_HOPELESS = 1.15  # times the loss of the best on the first splits: they are small, and differ
_HOPEFUL = 0.98  # of the loss on the first splits: what is to be clearly better is so there
_AS_GOOD = 1.015  # times the lowest: near the best scale, samples move ratios of losses by 3 %


@dataclass
class Entry:
    """A candidate, the proposals that led to it, and the subspace of the rows it was entered on.

    ``without`` are the subspaces fitted without the rows that the first splits hold out, as many as
    were asked for, ``errors`` the squared errors on those rows.
    """

    candidate: Candidate
    proposals: list[Proposal]
    W: FloatArray | None = None
    without: list[FloatArray] = field(default_factory=list)
    errors: list[FloatArray] = field(default_factory=list)

    def is_near(self, W: FloatArray) -> bool:
        if self.W is None:
            return False
        return sine_of_largest_angle(orthonormal_basis(self.W), orthonormal_basis(W)) <= _SAME

    def lowest_on(self, fits: Fits) -> FloatArray:
        """Of the subspaces that the proposals lead to on some rows, the one of lowest cost.

        Starts that met on the rows of the entry may part on others.
        """
        return min(map(fits.fit, self.proposals), key=lambda fit: fit.cost).W


def _smoothest(candidates: Sequence[Candidate]) -> Candidate:
    """Of those that fresh rows cannot tell from the best, the one with the smoothest kernel.

    It is the first: a finer one has more local minima, and takes longer.
    """
    lowest = min(candidate.held_out for candidate in candidates)
    level = [candidate for candidate in candidates if candidate.held_out <= _AS_GOOD * lowest]
    return min(
        (one for one in level if one.kernel is level[0].kernel), key=lambda one: one.held_out
    )


class Contest:
    """The candidates in q dimensions, with their fits on all rows and on those of every split."""

    def __init__(self, search: Search, q: int, *, in_full: bool = False) -> None:
        self._search, self._q = search, q
        self._is_honest = search.is_fresh or (search.is_wide and not in_full)
        self._loss = "held_out" if self._is_honest else "leave_one_out"
        self.families = [
            proposals(search.kernels(q, metric), search.starts, metric) for metric in search.plain
        ]
        self.entries: list[Entry] = []
        self._weighing: Proposal | None = None  # the better one, where weights helped at first
        sample, gamma, Y = search.sample, search.sample.gamma, search.Y
        self._whole = Fits(sample.X, gamma, Y, q, search.init, search.seed, search.max_iter)
        self._parts = []
        for k, (i, _) in enumerate(search.splits):
            X, init = sample.seen_by(k)[i], sample.init_for(k, search.init)
            part = X, gamma.centered_on(i), Y[i], q, init, search.seed, search.max_iter
            self._parts.append(Fits(*part))

    @property
    def candidates(self) -> list[Candidate]:
        """All that were looked at."""
        return [entry.candidate for entry in self.entries]

    @property
    def _fits_of_all(self) -> Fits:
        """On all rows, unless those held out are fresh ones."""
        return self._parts[0] if self._search.is_fresh else self._whole

    def enter_while_it_helps(self, levels: Sequence[list[Proposal]]) -> None:
        """Level by level, until finer kernels are much worse, or worse twice in a row."""
        best, n_worse = inf, 0
        for level in levels:
            here = self.enter(level)
            loss = min(getattr(entry.candidate, self._loss) for entry in here)
            n_worse = n_worse + 1 if loss > _WORSE * best else 0
            if loss > _MUCH_WORSE * best or n_worse > 1 or stop_is_asked():
                break
            best = min(best, loss)

    def enter(self, level: list[Proposal], *, together: bool = True) -> list[Entry]:
        """Fit with one kernel from every start, for its LOO, or the loss on rows held out first.

        ``together``: starts that lead to the same subspace of the rows fitted on are one entry.
        """
        search = self._search
        for one in level:
            self._tell("choosing", one, self._loss)
        here: list[Entry] = []
        fits = self._parts[0] if self._is_honest else self._whole
        for one, fit in zip(level, fits.fit_all(level), strict=True):
            met = [entry for entry in here if together and entry.is_near(fit.W)]
            if met:
                met[0].proposals.append(one)
                continue
            candidate = Candidate(self._q, one.kernel, one.start, nan, nan, one.metric)
            here.append(Entry(candidate, [one], fit.W))
        for entry in here:
            if self._is_honest:
                entry.candidate = self.judged(entry, search.n_first)
            else:
                assert entry.W is not None
                loss = self._leave_one_out(entry.W)
                entry.candidate = replace(entry.candidate, leave_one_out=loss, W=entry.W)
        self.entries += here
        return here

    def winner(self) -> Candidate:
        """The best one; that of another metric than the first only if it is clearly better."""
        first, *others = self._search.plain
        best = self._winner_in(first)
        assert best is not None
        for metric in others:
            if stop_is_asked():
                break
            other = self._winner_in(metric, best.criterion)
            if other is not None and other.is_clearly_below(best):
                best = other
        return self._on_its_rows(best) if best.W is None else best

    def _on_its_rows(self, best: Candidate) -> Candidate:
        """With the subspace of the rows fitted on."""
        entry = self._entry_of(best)
        entry.candidate = replace(best, W=entry.lowest_on(self._fits_of_all))
        return entry.candidate

    def _winner_in(self, metric: str, below: float = inf) -> Candidate | None:
        """The candidate of lowest J; on rows that no fit has seen, the smoothest of lowest loss.

        None where no J can be below a bound.
        """
        mine = [entry for entry in self.entries if entry.candidate.metric == metric]
        if self._search.is_fresh:
            return _smoothest([entry.candidate for entry in mine])
        if self._is_honest:
            return self._lowest_held_out(mine)
        best: Entry | None = None
        for entry in sorted(mine, key=lambda e: e.candidate.leave_one_out):
            bound = below if best is None else best.candidate.criterion
            if bound < inf and entry.candidate.leave_one_out >= bound:
                break
            if best is not None and stop_is_asked():
                break
            if best is not None and self._is_hopeless(entry, best):
                continue
            entry.candidate = self.judged(entry)
            if best is None or entry.candidate.criterion < best.candidate.criterion:
                best = entry
        return None if best is None else best.candidate

    def _is_hopeless(self, entry: Entry, best: Entry) -> bool:
        """Of one whose LOO is no lower: whether it is clearly much worse on the first splits."""
        first = self._search.n_first
        this, that = self.judged(entry, first), self.judged(best, first)
        assert this.losses is not None
        assert that.losses is not None
        margin = max((_HOPELESS - 1.0) * that.held_out, error_of_sum(this.losses - that.losses))
        return bool(this.held_out - that.held_out > margin)

    def _lowest_held_out(self, entries: Sequence[Entry]) -> Candidate:
        """The candidate of lowest HO, of those that the first splits leave in question."""
        level = _WORSE * min(entry.candidate.held_out for entry in entries)
        close = [entry for entry in entries if entry.candidate.held_out <= level]
        for entry in close:
            entry.candidate = self.judged(entry)
        return min((entry.candidate for entry in close), key=lambda one: one.held_out)

    def weighed(self, best: Candidate) -> Candidate:
        """The best one, or what it becomes with columns weighed by their part, if clearly better.

        The first splits tell whether it may be: at its scale, and unless it is worse there, at the
        next finer. Where nothing else is asked for, it is taken.
        """
        search = self._search
        source = self._entry_of(best).proposals[0]
        is_free = tuple(search.metrics) != (RELEVANCE,)
        kernels = search.kernels(self._q, IDENTITY) if source.metric == IDENTITY else []
        entries = [
            Entry(Candidate(self._q, p.kernel, p.start, nan, nan, RELEVANCE), [p])
            for p in weighings(source, kernels)
        ]
        bound = self._first_of(self._entry_of(best)) if is_free else inf
        found, lowest = [], inf
        for entry in entries:
            self._tell("weighing columns", entry.proposals[0], self._loss)
            self.entries.append(entry)
            loss = self._first_of(entry)
            if loss < min(lowest, bound):
                lowest, self._weighing = loss, entry.proposals[0]
            if loss < _HOPEFUL * bound:
                entry.candidate = self._with_columns_weighed(entry)
                found.append(entry.candidate)
            elif loss > _WORSE * bound:
                break
        if is_free:
            found = [one for one in found if one.is_clearly_below(best)]
        return min(found, key=lambda one: one.criterion, default=best)

    def _with_columns_weighed(self, entry: Entry) -> Candidate:
        """The candidate judged, with its weights."""
        [proposal] = entry.proposals
        fits, judged = self._fits_of_all, self.judged(entry)
        W = fits.fit(proposal).W
        if not self._is_honest:
            judged = replace(judged, leave_one_out=self._leave_one_out(W))
        return replace(judged, W=W, weights=fits.weights[proposal])

    def made_to_predict(self, found: Candidate, best: Candidate) -> Candidate:
        """The best one, or what a descent of the prediction error makes of another, if better.

        The first splits tell which of them may be; where nothing else is asked for, all.
        """
        search = self._search
        source = self._entry_of(found)
        entries = [
            Entry(Candidate(self._q, p.kernel, p.start, nan, nan, p.metric, PREDICTION), [p])
            for p in predictions(source.proposals[0], self._weighing)
        ]
        for entry in entries:
            self._tell("predicting", entry.proposals[0], "held_out")
        parts = self._parts[: search.n_first]
        for part in parts:
            part.fit(source.proposals[0])  # here, not in two threads
        side_by_side([partial(self._first_of, entry) for entry in entries], parts[0].X.shape[0])
        is_free = DEPENDENCE in search.objectives
        bound = self._first_of(self._entry_of(best)) if is_free else inf
        hopeful = [entry for entry in entries if self._first_of(entry) < bound]
        for entry in hopeful:
            entry.candidate = self.judged(entry)
        self.entries += entries
        if not hopeful:
            return best
        chosen = min(hopeful, key=lambda entry: entry.candidate.held_out)
        if is_free and not chosen.candidate.is_clearly_below(best):
            return best
        # Where its descent begins, and in which coordinates.
        begun = chosen.proposals[0].follows or source.proposals[0]
        fits = self._fits_of_all
        W, weights = fits.fit(begun).W, fits.weights.get(begun)
        instead = best if is_free else None
        chosen.candidate = replace(chosen.candidate, W=W, weights=weights, instead=instead)
        return chosen.candidate

    def _entry_of(self, candidate: Candidate) -> Entry:
        return next(entry for entry in self.entries if entry.candidate is candidate)

    def _leave_one_out(self, W: FloatArray) -> float:
        """LOO of a subspace of all rows."""
        search = self._search
        sample = search.sample
        v = sample.gamma.row_weights
        return SubspaceRidge(sample.X @ W, search.Y, search.groups, weights=v).best_loss

    def _first_of(self, entry: Entry) -> float:
        """The loss on the rows that the first splits hold out."""
        return self.judged(entry, self._search.n_first).held_out

    def judged(self, entry: Entry, most: int | None = None) -> Candidate:
        """The candidate with its loss on rows held out; ``most`` are the splits that count."""
        search = self._search
        self._hold_out(entry, most)
        splits = search.splits[:most]
        fitted, held_out = (
            [search.Y[part] for part in parts] for parts in zip(*splits, strict=True)
        )
        v = search.sample.gamma.row_weights
        weights = () if v is None else [v[test] for _, test in splits]
        losses = shares_of_errors(entry.errors[:most], fitted, held_out, weights)
        found = tuple(entry.without[:most])
        return replace(
            entry.candidate, held_out=float(losses.sum()), losses=losses, W_without=found
        )

    def _hold_out(self, entry: Entry, most: int | None) -> None:
        """Fit the entry without the rows of each split that counts, unless it was before."""
        n_known, parts = len(entry.without), self._parts[:most]
        if n_known >= len(parts):
            return
        if not self._search.is_fresh:
            for i in range(n_known + 1, len(parts) + 1):
                counted = f", part {i} of {len(self._parts)}"
                self._tell("holding rows out", entry.proposals[0], "held_out", counted)
        fits = [partial(self._without, entry, k) for k in range(n_known, len(parts))]
        for W, errors in side_by_side(fits, parts[0].X.shape[0]):
            entry.without.append(W)
            entry.errors.append(errors)

    def _without(self, entry: Entry, k: int) -> tuple[FloatArray, FloatArray]:
        """The subspace fitted without the rows that split k holds out, and the errors on these."""
        search, (train, test) = self._search, self._search.splits[k]
        W = entry.lowest_on(self._parts[k])
        Z, Y, groups = search.sample.seen_by(k) @ W, search.Y, search.groups
        known = None if groups is None else groups[train]
        v = search.sample.gamma.row_weights
        weights = (None, None) if v is None else (v[train], v[test])
        return W, errors_held_out((Z[train], Y[train], Z[test], Y[test]), known, weights)

    def _tell(self, what: str, one: Proposal, loss: str, part: str = "") -> None:
        """The proposal looked at, and the lowest ``loss`` so far."""
        if not is_heard():
            return
        name = "kernel" if one.kernel.scale is None else f"bandwidth {one.kernel.scale:.3g}"
        losses = [getattr(entry.candidate, loss) for entry in self.entries]
        known = [value for value in losses if not isnan(value)]
        lowest = f", lowest loss {min(known):.3f}" if known else ""
        stage = f"{what}, {self._q} dimension{'' if self._q == 1 else 's'}"
        metric = "" if one.metric == IDENTITY else f", metric {one.metric}"
        tell(stage, f"{name} ({one.place}){part}{lowest}, start {one.start}{metric}")
