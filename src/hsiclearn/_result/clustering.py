"""What is known of a clustering: whether it comes out again, and what it may be only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field, replace

from .._advice import Advice

_SAME, _NEARLY, _PARTLY = 0.95, 0.8, 0.5
_AS_LOW = 0.003  # of the cost: what another start ends at is as good an answer


@dataclass(frozen=True, kw_only=True)
class Agreement:  # noqa: PLW1641 - that of a dataclass
    """How far the labels of a clustering agree with those of other attempts at it.

    All figures are adjusted Rand indices: 1 for the same clusters, 0 for no more in common than
    chance would give. None stands for what was not measured.

    Attributes
    ----------
    starts : float or None
        Mean over the other starts that the search followed to their end. None where there was no
        other: ``init`` was given, or the first clusters found stood so clear that the search ended.
    n_starts : int
        How many others that were.
    start_scores : tuple of float
        The index of each of them.
    start_costs : tuple of float
        By how much the cost of each lies above that of the winner, as a share of it. Where it is
        as low and the clusters are others, the table holds more than one answer; where it is
        higher, that start was merely worse.
    resamples : float or None
        Mean over refits on one half of the rows, which know nothing of the subspace that was found
        and search for one of their own. Each labels the other half as new rows are labelled, and
        only these rows are compared. Where a table holds several groupings as good, a refit may
        find another one: then this is low, too.
    n_resamples : int
        How many refits.
    resample_scores : tuple of float
        The index of each of them.
    share : float
        Of the rows, in each refit: a half, or 1000 rows where that is less.
    """

    starts: float | None = None
    n_starts: int = 0
    start_scores: tuple[float, ...] = ()
    start_costs: tuple[float, ...] = ()
    resamples: float | None = None
    n_resamples: int = 0
    resample_scores: tuple[float, ...] = ()
    share: float = field(default=float("nan"), hash=False)

    def __eq__(self, other: object) -> bool:
        """A share that is not known is as good as another, which Python decides by its version."""
        if not isinstance(other, Agreement):
            return NotImplemented
        ours, theirs = (
            [None if value != value else value for value in astuple(one)]  # noqa: PLR0124 - NaN
            for one in (self, other)
        )
        return ours == theirs

    @property
    def is_stable(self) -> bool | None:
        """Whether other rows give nearly the same clusters; None where it was not measured."""
        return None if self.resamples is None else self.resamples >= _NEARLY

    @property
    def rivals(self) -> tuple[float, ...]:
        """The indices of starts that end as low and elsewhere: other answers, as good as this."""
        pairs = zip(self.start_scores, self.start_costs, strict=True)
        return tuple(score for score, cost in pairs if cost <= _AS_LOW and score < _NEARLY)

    def in_words(self) -> str:
        """What the figures say, in a sentence or two."""
        parts = [self._resamples_in_words(), self._starts_in_words()]
        return " ".join(part for part in parts if part)

    def _resamples_in_words(self) -> str:
        if self.resamples is None:
            return "Whether other rows would give the same clusters was not measured."
        figures = f"adjusted Rand index {self.resamples:.2f} on average"
        lowest = f"{min(self.resample_scores):.2f}"
        if lowest != f"{self.resamples:.2f}":
            figures += f", {lowest} at least"
        return (
            f"Refitted {self.n_resamples} times on {100 * self.share:.0f} % of the rows and "
            f"tried on others, {_come_again(self.resamples)} ({figures})."
        )

    def _starts_in_words(self) -> str:
        if self.starts is None:
            return ""
        if self.rivals:
            return (
                f"But {len(self.rivals)} of {self.n_starts} other starts ended in other clusters "
                f"(index {min(self.rivals):.2f}) at a cost within {100 * _AS_LOW:.1f} % of this: "
                "the table holds more than one answer."
            )
        scores = ", ".join(f"{score:.2f}" for score in self.start_scores)
        others = f"{self.n_starts} other start{'s' * (self.n_starts > 1)}"
        if min(self.start_scores) >= _NEARLY:
            nearly = "nearly " * (min(self.start_scores) < _SAME)
            return f"From {others} the search ended in {nearly}the same clusters ({scores})."
        return f"From {others} the search ended at a higher cost, in part elsewhere ({scores})."


def _come_again(score: float) -> str:
    words = {_SAME: "the same", _NEARLY: "nearly the same", _PARTLY: "only partly the same"}
    reached = [word for least, word in words.items() if score >= least]
    return f"the clusters come out {(*reached, 'different: do not build on them')[0]}"


@dataclass(frozen=True)
class Levels:
    """The discrete columns whose levels the clusters are.

    Attributes
    ----------
    columns : tuple of int
        Their indices in X.
    names : tuple of str
        Their names, where X had names; else ``"column 3"`` and the like.
    n_levels : int
        How many different values, or combinations of values, they take together.
    score : float
        Adjusted Rand index of the clusters and the clusters that these levels alone determine.
    """

    columns: tuple[int, ...]
    names: tuple[str, ...]
    n_levels: int
    score: float

    def named(self, names: Sequence[str]) -> Levels:
        """With the names of all columns, which an estimator does not know behind an encoder."""
        return replace(self, names=tuple(str(names[j]) for j in self.columns))

    def in_words(self) -> Advice:
        """What that means, and what to do."""
        *most, last = map(repr, self.names)
        named = f"{', '.join(most)} and {last}" if most else last
        it = "them" if most else "it"
        return Advice(
            f"The clusters are only the levels of {named}: {self.n_levels} different values, which "
            f"tell the cluster of almost every row (adjusted Rand index {self.score:.2f}), and "
            f"nothing else in the subspace does. To see what else the table holds, leave {it} out",
            "(in the command: --drop).",
            "by --drop.",
            about=self,
        )
