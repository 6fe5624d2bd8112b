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
        named = " and ".join(repr(name) for name in self.names)
        of, it = ("one column", "it") if len(self.columns) == 1 else ("these columns", "them")
        return (
            f"The clusters are only the levels of {named}: {of} of {self.n_levels} different "
            f"values tells the cluster of almost every row (adjusted Rand index {self.score:.2f}), "
            f"and nothing else in the subspace does. To see what else the table holds, leave {it} "
            "out (in the command: --drop)."
        )
