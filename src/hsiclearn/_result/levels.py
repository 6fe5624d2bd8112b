"""Clusters that are only the levels of discrete columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .._advice import Advice


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
