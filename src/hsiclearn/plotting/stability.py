"""How firm a subspace is: angles to those of resamples, and how far loadings spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from .._arrays import Array
from ..inspection import Stability, bootstrap_stability
from ..inspection.fitted import feature_names
from ._axes import BLUE, ORANGE, panels
from ._names import feature_names_for, largest_features, plural, shown
from .loadings import draw_whiskers
from .picture import Display

__all__ = ["StabilityDisplay"]

_MOST_FEATURES = 15


class StabilityDisplay(Display):
    """The largest principal angle of every resample, and loadings with their spread.

    Left, a dot per resample over a histogram, and the median as a line: 0 degrees is firm, 90
    has nothing in common. Right, the mean loading over the resamples with a whisker of one
    standard deviation to each side, for the 15 features of largest share.

    Parameters
    ----------
    stability : Stability
        From :func:`hsiclearn.inspection.bootstrap_stability`.
    feature_names : sequence of str, default=None
        None: x0, x1 and so on.

    Attributes
    ----------
    ax_ : array of two matplotlib Axes
        Angles and loadings. One Axes given to ``plot`` is split into both.
    figure_ : matplotlib Figure
    features_ : ndarray
        Numbers of the features shown, from the top.
    """

    def __init__(self, stability: Stability, *, feature_names: Sequence[str] | None = None) -> None:
        self.stability = stability
        self.feature_names = feature_names_for(feature_names, stability.components.shape[2])

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Array,
        y: Array,
        *,
        n_resamples: int = 50,
        refit: str = "warm",
        random_state: int | np.random.Generator | None = 0,
        ax: Any = None,
    ) -> Self:
        """Resample the rows, fit again, and draw how far the subspace turns.

        Parameters
        ----------
        estimator : SupervisedHSIC, or a pipeline that ends with one
            Fitted on ``X, y``.
        X, y
            The rows it was fitted on.
        n_resamples : int, default=50
        refit : {"warm", "whole"}, default="warm"
            What is chosen anew, as in :func:`hsiclearn.inspection.bootstrap_stability`.
        random_state : int, Generator or None, default=0
            Which rows are drawn.
        ax : matplotlib Axes or array of two, default=None
            Where to draw; None makes a figure. One Axes is split.

        Returns
        -------
        StabilityDisplay
        """
        stability = bootstrap_stability(
            estimator, X, y, n_resamples=n_resamples, refit=refit, random_state=random_state
        )
        return cls(stability, feature_names=feature_names(estimator)).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        loadings = self.stability.components.mean(axis=0)
        self.features_ = largest_features(loadings, _MOST_FEATURES)
        height = max(3.8, 1.4 + 0.24 * self.features_.size)
        axes = panels(ax, 1, 2, (8.8, height))[0]
        self.ax_, self.figure_ = axes, axes[0].figure
        self._draw_angles(axes[0])
        draw_whiskers(
            axes[1],
            loadings[:, self.features_],
            self.stability.loading_spread[:, self.features_],
            [shown(self.feature_names[j]) for j in self.features_],
            loadings.shape[1] - self.features_.size,
        )
        axes[1].set_xlabel("loading, mean and spread")

    def _draw_angles(self, ax: Any) -> None:
        """A histogram with its rows as dots below it."""
        angles, median = self.stability.angles[:, -1], self.stability.typical_angle
        high = float(min(90.0, max(5.0, 1.15 * angles.max())))
        bins = min(20, max(5, angles.size // 3))
        counts, edges = np.histogram(angles, bins, range=(0.0, high))
        ax.stairs(counts, edges, fill=True, color=BLUE, alpha=0.45)
        below = -0.08 * max(float(counts.max()), 1.0)
        ax.plot(angles, np.full(angles.size, below), "|", color=BLUE, markersize=9)
        ax.axvline(median, color=ORANGE, linewidth=1.6)
        ax.set(xlim=(0.0, high), xlabel="largest angle to the fit, degrees", ylabel="resamples")
        ax.set_ylim(bottom=2.0 * below)
        resamples = plural(angles.size, "resample")
        ax.set_title(f"{resamples}, median {median:.1f} degrees", fontsize=10)
        ax.yaxis.get_major_locator().set_params(integer=True)
        ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= ax.get_ylim()[1]])
