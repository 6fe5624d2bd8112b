"""Clusters that are only the levels of discrete columns."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Levels"]


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

    def in_words(self) -> str:
        """What that means, and what to do."""
        *most, last = map(repr, self.names)
        named = f"{', '.join(most)} and {last}" if most else last
        it = "them" if most else "it"
        return (
            f"The clusters are only the levels of {named}: {self.n_levels} different values, which "
            f"tell the cluster of almost every row (adjusted Rand index {self.score:.2f}), and "
            f"nothing else in the subspace does. To see what else the table holds, leave {it} out "
            "(in the command: --drop)."
        )
