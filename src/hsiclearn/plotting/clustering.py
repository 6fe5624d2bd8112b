"""Given labels against clusters found: the contingency table as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from .._arrays import Array
from .._devices import here
from .._paradigms import is_minus_one, read_labels
from ..inspection.fitted import last_step
from ._axes import one_axes
from ._names import names_for, shown
from ._targets import is_partial, one_per_row
from .picture import Display

__all__ = ["ClusteringDisplay"]

_CELLS_WITH_TEXT = 20  # rows or columns; in more a count would be larger than its cell


class ClusteringDisplay(Display):
    """A heat map of how many rows of each given label fell into each cluster.

    Made by :meth:`from_labels` or :meth:`from_estimator`, columns are in the order in which they
    match the rows best, so that the diagonal holds what agrees.

    Parameters
    ----------
    contingency : array-like of shape (n_given, n_found)
        Counts.
    given_names, found_names : sequence of str
        Names of its rows and columns.
    nmi : float
        Normalised mutual information of the two labellings, for the title.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    accuracy_ : float
        Share of the rows that agree under the best matching of clusters to labels.
    """

    def __init__(
        self,
        contingency: Array,
        *,
        given_names: Sequence[str],
        found_names: Sequence[str],
        nmi: float,
    ) -> None:
        self.contingency = np.asarray(contingency)
        self.given_names = [str(name) for name in given_names]
        self.found_names = [str(name) for name in found_names]
        self.nmi = float(nmi)
        if self.contingency.shape != (len(self.given_names), len(self.found_names)):
            raise ValueError(
                "`contingency` must have a row per given name and a column per found name, shape "
                f"({len(self.given_names)}, {len(self.found_names)}). Got {self.contingency.shape}."
            )
        rows, columns = linear_sum_assignment(self.contingency, maximize=True)
        matched = self.contingency[rows, columns].sum()
        self.accuracy_ = float(matched / max(self.contingency.sum(), 1))

    @classmethod
    def from_labels(
        cls,
        given: Array,
        found: Array,
        *,
        given_names: Sequence[str] | None = None,
        found_names: Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Count, match and draw two labellings of the same rows.

        Parameters
        ----------
        given, found : array-like of shape (n_samples,)
        given_names, found_names : sequence of str, default=None
            In the order of the sorted labels. None: the labels themselves.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ClusteringDisplay
        """
        labels = np.asarray(given), np.asarray(found)
        if labels[0].ndim != 1 or labels[0].shape != labels[1].shape or labels[0].size == 0:
            raise ValueError(
                "`given` and `found` must be vectors of the same length, one label per row. Got "
                f"shapes {labels[0].shape} and {labels[1].shape}."
            )
        rows, given_codes = _counted(labels[0], given_names, "given")
        columns, found_codes = _counted(labels[1], found_names, "found")
        table = contingency_matrix(given_codes, found_codes)
        order = _matching_order(table)
        display = cls(
            table[:, order],
            given_names=rows,
            found_names=[columns[j] for j in order],
            nmi=normalized_mutual_info_score(given_codes, found_codes),
        )
        return display.plot(ax=ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Array,
        y: Array,
        *,
        given_names: Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Compare labels with the clusters that a fitted estimator puts X into.

        Parameters
        ----------
        estimator : clustering estimator of hsiclearn, or a pipeline that ends with one
            Fitted.
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Given labels. For ``SemiSupervisedHSIC`` rows with -1, unknown, are left out.
        given_names : sequence of str, default=None
            Names of the given labels, in their order.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ClusteringDisplay
        """
        step = last_step(estimator)
        if not hasattr(step, "predict"):
            raise TypeError(
                f"Need a clustering estimator. Got {type(step).__name__}, which finds no clusters."
            )
        found = here(estimator.predict(X))
        given = one_per_row(y, found.shape[0])
        if is_partial(step):
            known = ~is_minus_one(given)
            if not known.any():
                raise ValueError(
                    f"Clusters are compared with labels that are known. All {given.size} in y are "
                    "-1, not known: pass the labels of some rows."
                )
            given, found = given[known], found[known]
        return cls.from_labels(given, found, given_names=given_names, ax=ax)

    def _draw(self, ax: Any) -> None:
        ax = one_axes(ax)
        self.ax_, self.figure_ = ax, ax.figure
        n_rows, n_columns = self.contingency.shape
        image = ax.imshow(self.contingency, cmap="Blues", vmin=0, aspect="auto")
        ax.figure.colorbar(image, ax=ax, label="rows")
        ax.set_title(f"NMI {self.nmi:.3f}, {100.0 * self.accuracy_:.1f} % matched")
        ax.set(xlabel="cluster found", ylabel="label given")
        _name(ax.set_xticks, self.found_names, rotate=True)
        _name(ax.set_yticks, self.given_names)
        if max(n_rows, n_columns) <= _CELLS_WITH_TEXT:
            half = 0.5 * float(self.contingency.max())
            for (i, j), count in np.ndenumerate(self.contingency):
                colour = "white" if count > half else "0.2"
                ax.text(j, i, f"{count:,}", ha="center", va="center", color=colour, fontsize=9)


def _counted(labels: Array, names: Sequence[str] | None, what: str) -> tuple[list[str], Array]:
    """Names of the different labels, and the number of each row's among them."""
    read = read_labels(labels, f"`{what}`")
    if read.n_unknown:
        raise ValueError(
            f"Every label must be there to be counted. {read.n_unknown} of {labels.size} in "
            f"`{what}` are missing: leave those rows out."
        )
    return names_for(f"{what}_names", names, read.classes, f"labels in `{what}`"), read.codes


def _matching_order(table: Array) -> Array:
    """Columns in the order that puts the best matching on the diagonal; the rest by size."""
    n_columns = table.shape[1]
    columns = linear_sum_assignment(table, maximize=True)[1]
    rest = np.setdiff1d(np.arange(n_columns), columns)
    return np.concatenate([columns, rest[np.argsort(-table[:, rest].sum(axis=0), kind="stable")]])


def _name(set_ticks: Any, names: list[str], rotate: bool = False) -> None:
    """Ticks with names; of very many every second, third and so on."""
    every = -(-len(names) // 30)
    labels = [shown(name) for name in names[::every]]
    long = rotate and max(map(len, labels), default=0) * len(labels) > 45
    look = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if long else {}
    set_ticks(range(0, len(names), every), labels, **look)
