"""What the rules chose, and on what grounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .._linalg import nearest_basis
from .candidates import PREDICTION, Candidate
from .neighbours import Neighbours
from .sample import Split

_FEW_ROWS = 100  # below which what is explained on rows held out cannot be relied on
_BEYOND_CHANCE = 4.0  # standard errors: candidates were compared, so two are not enough
NOTHING_FOUND = 0.98
"""Held-out loss from which on a target counts as unexplained.

Permuted targets of 178 rows and more gave 0.996 and more; of noise in 30 or 50 rows about half got
past it.
"""


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Rows that were held out, where a fit that has not seen them puts them.

    A map of few rows and many columns shows any target perfectly on the rows it was fitted on;
    these positions show what is left of that on new rows.

    Attributes
    ----------
    rows : ndarray of int, shape (m,)
        Rows of the X of the fit, ascending.
    Z : ndarray of shape (m, q)
        Their positions, on the axes of ``transform``.
    """

    rows: Array = field(repr=False)
    Z: FloatArray = field(repr=False)


@dataclass(frozen=True)
class Selection:
    """The candidate a rule settled on, beside those it was compared with.

    ``chosen`` and ``candidates`` hold bandwidth, start, dimension and both losses of each;
    ``n_samples`` is the number of rows they were compared on, ``n_rows`` that of all rows of the
    fit (0: not on record), ``n_features`` that of the columns that vary. ``neighbours`` says how
    well nearest neighbours know the target of rows held out, None where there is only a kernel of
    it; ``out_of_fold`` where a fit without them puts those rows.
    """

    chosen: Candidate
    candidates: tuple[Candidate, ...] = field(repr=False)
    n_samples: int
    neighbours: Neighbours | None = None
    out_of_fold: OutOfFold | None = field(default=None, repr=False, compare=False)
    n_features: int = 0
    n_rows: int = 0

    @classmethod
    def of(
        cls, chosen: Candidate, candidates: Sequence[Candidate], n_samples: int, **known: Any
    ) -> Selection:
        """Without the subspaces, which are of no further use."""
        one, *all_ = (
            replace(c, weights=None, losses=None, W=None, W_without=(), instead=None)
            for c in (chosen, *candidates)
        )
        return cls(one, tuple(all_), n_samples, **known)

    @property
    def n_held_out(self) -> int:
        """How many rows, or groups of them, were held out: all, unless ``cv`` says otherwise."""
        counted = 0 if self.neighbours is None else self.neighbours.n_held_out
        return counted or self.n_samples

    @property
    def explained_share(self) -> float:
        """How much of the target the subspace explains on rows held out: ``1 - HO``.

        Of the variance of one-hot labels; of a real target, of its variance in the feature space
        of its kernel. It can be negative: worse than the mean. It is that of the best of all
        candidates, so it is optimistic, and much so below some 100 rows.
        """
        return 1.0 - self.chosen.held_out

    def in_words(self) -> str:
        """The choice in a line."""
        best = self.chosen
        scale = "" if best.bandwidth is None else f"bandwidth {best.bandwidth:.4g}, "
        if best.objective == PREDICTION:
            scale = f"made to predict, begun at {scale}"
        known = ""
        if self.neighbours is not None:
            known = f"; {self.neighbours.in_words(best.n_components, self.n_features)}"
        return (
            f"chosen on {self.n_samples} rows: {scale}q = {best.n_components}, start {best.start}; "
            f"{self.explained_share:.1%} explained on rows held out{known}"
        )

    @property
    def caution(self) -> str:
        """What few rows mean for the figures, in a sentence or two; empty where rows are enough.

        Few are fewer than 100 held out, or fewer in the fit than columns.
        """
        found = []
        rows, held_out = self.n_rows or self.n_samples, self.n_held_out
        if held_out < _FEW_ROWS:
            some = f", {held_out} rows or groups held out" if held_out < self.n_samples else ""
            found.append(
                f"The choice was made on {self.n_samples} rows{some}. With fewer than about "
                f"{_FEW_ROWS}, the share explained on rows held out cannot be relied on: among "
                "tables of pure noise with 30 or 50 rows, about half seemed to explain something."
            )
        if rows < self.n_features:
            found.append(
                f"There are more columns ({self.n_features}) than rows ({rows}): on the rows it "
                "was fitted on, a map then shows any target perfectly. Only rows held out tell."
            )
        return " ".join(found)

    @property
    def found_dependence(self) -> bool:
        """Whether more is known of rows held out than chance knows.

        By the share explained; or, where many classes of few rows each leave none, by nearest
        neighbours that beat chance by four standard errors.
        """
        if self.chosen.held_out < NOTHING_FOUND:
            return True
        if self.neighbours is None:
            return False
        return self.neighbours.errors_above_chance(self.n_held_out) > _BEYOND_CHANCE


def positions_held_out(
    Z: Sequence[FloatArray], final: FloatArray, splits: Sequence[Split], index: Array
) -> OutOfFold:
    """Rows held out, on the axes of the final map.

    Two fits of the same subspace may differ by a rotation or a reflection, which no kernel sees.
    For each split that is undone by the orthogonal R (Procrustes) with the least ::

        |(Z - mean Z) R - (F - mean F)|_F     over the rows fitted on,

    F being their final positions. A row that is held out several times counts the first time.

    ``Z`` has for each split all rows, projected by a W that was found without those it holds out;
    ``index`` the number of each row in the X of the fit.
    """
    out = np.empty_like(final)
    seen = np.zeros(final.shape[0], dtype=bool)
    for here, (train, test) in zip(Z, splits, strict=True):
        new = test[~seen[test]]
        center, target = here[train].mean(axis=0), final[train].mean(axis=0)
        R = nearest_basis((here[train] - center).T @ (final[train] - target))
        out[new] = (here[new] - center) @ R + target
        seen[new] = True
    rows = np.flatnonzero(seen)
    return OutOfFold(index[rows], out[rows])
