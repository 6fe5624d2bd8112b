"""How much directions of few columns explain, and which columns these are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from .._selection import FeaturePath
from ._axes import BLUE, ORANGE, panels
from ._names import feature_names_for, shown
from .picture import Display

__all__ = ["FeaturePathDisplay"]

_MOST_FEATURES = 20


class FeaturePathDisplay(Display):
    """The share explained on rows held out by the number of columns, and the sets.

    Left, the share with a whisker of one standard error of the difference to the best; a line
    marks the smallest count that is level with it. Right, a square for each column and count: the
    darker, the more of the splits chose it; a dot where the set found on all rows has it. The 20
    columns chosen most often are shown.

    Parameters
    ----------
    path : FeaturePath
        From :func:`hsiclearn.feature_path`.
    feature_names : sequence of str, default=None
        None: x0, x1 and so on.

    Attributes
    ----------
    ax_ : array of two matplotlib Axes
        Shares and sets. One Axes given to ``plot`` is split into both.
    figure_ : matplotlib Figure
    features_ : ndarray
        Numbers of the features shown, from the top.
    """

    def __init__(self, path: FeaturePath, *, feature_names: Sequence[str] | None = None) -> None:
        self.path = path
        self.feature_names = feature_names_for(feature_names, path.supports.shape[1])

    @classmethod
    def from_path(
        cls, path: FeaturePath, *, feature_names: Sequence[str] | None = None, ax: Any = None
    ) -> Self:
        """Draw a path.

        Parameters
        ----------
        path : FeaturePath
            From :func:`hsiclearn.feature_path`.
        feature_names : sequence of str, default=None
        ax : matplotlib Axes or array of two, default=None
            Where to draw; None makes a figure. One Axes is split.

        Returns
        -------
        FeaturePathDisplay
        """
        return cls(path, feature_names=feature_names).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        often = self.path.frequencies.sum(axis=0) + self.path.supports.sum(axis=0)
        self.features_ = np.argsort(-often, kind="stable")[:_MOST_FEATURES]
        height = max(3.8, 1.4 + 0.24 * self.features_.size)
        axes = panels(ax, 1, 2, (8.8, height))[0]
        self.ax_, self.figure_ = axes, axes[0].figure
        self._draw_shares(axes[0])
        self._draw_sets(axes[1])

    def _draw_shares(self, ax: Any) -> None:
        """The curve from few columns to many."""
        path, best = self.path, self.path.best
        share, errors = path.explained_share, path.errors
        ax.errorbar(path.counts, share, yerr=errors, color=BLUE, marker="o", ms=4, capsize=2)
        ax.axvline(path.counts[best], color=ORANGE, linestyle="--")
        ax.set_xscale("log")
        ax.set_xticks(path.counts, [str(k) for k in path.counts])
        ax.minorticks_off()
        ax.set_xlabel("columns")
        ax.set_ylabel("explained on rows held out")
        ax.set_title(f"{path.counts[best]} columns explain {share[best]:.0%}")

    def _draw_sets(self, ax: Any) -> None:
        """A row per column, a place per count."""
        path, order = self.path, np.argsort(self.path.counts)
        often = path.frequencies[np.ix_(order, self.features_)].T
        ax.imshow(often, aspect="auto", cmap="Blues", vmin=0.0, vmax=1.5, origin="upper")
        rows, places = np.nonzero(path.supports[np.ix_(order, self.features_)].T)
        ax.plot(places, rows, "k.", ms=4)
        ax.set_xticks(range(order.size), [str(k) for k in path.counts[order]])
        ax.set_yticks(
            range(self.features_.size), [shown(self.feature_names[j]) for j in self.features_]
        )
        ax.set_xlabel("columns")
        left = path.supports.shape[1] - self.features_.size
        ax.set_title(f"sets; {left} more columns are not shown" if left else "sets")
