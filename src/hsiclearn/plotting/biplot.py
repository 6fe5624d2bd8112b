"""Projected rows, and the features that point through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy.optimize import isotonic_regression

from .._arrays import Array, FloatArray
from ..inspection.fitted import deviations, fitted_step
from ._axes import matplotlib_module, one_axes
from ._by_class import paint_for
from ._density import whole_range
from ._names import feature_names_for, largest_features, shown
from ._targets import is_partial, one_per_row, read_colouring, target_kind
from .picture import Display

__all__ = ["BiplotDisplay"]

_LONGEST = 20  # characters of a name among the rows
_REACH = 0.8  # of the way to the edge of the data, for the longest arrow
_LINE = 0.055  # height of a label, as a share of the axes
_CHARACTER = 0.016  # width of a character, as a share of what the data span
_INK = "#222222"


class BiplotDisplay(Display):
    """Scatter of the first two components with an arrow for each of the main features.

    An arrow starts at the mean of the rows and points where a row goes if its feature rises and the
    others stay. In the unit of the axes it is the loadings of its feature on the two components
    times one factor, the same for both axes and for all arrows, so that the longest fits the rows.
    Long arrows against each other are features that rise and fall together: one alone would take a
    row far from where rows are.

    Parameters
    ----------
    projection : array-like of shape (n_samples, n_components)
        Projected rows, of at least two components.
    loadings : array-like of shape (n_components, n_features)
    feature_names : sequence of str, default=None
        None: x0, x1 and so on.
    y : array-like of shape (n_samples,), default=None
        What to colour by.
    target : {"classes", "real"}, default=None
        How to read y. None: as ``SupervisedHSIC`` reads a target by its type.
    class_names : sequence of str, default=None
        Names of the classes, in the order of the sorted labels.
    max_features : int, default=8
        How many arrows to draw, those of largest share in one of the two components.
    partial : bool, default=False
        Whether -1 (or ``"-1"``) among the classes of y means that a class is not known.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    features_ : ndarray
        Numbers of the features with an arrow, by falling share.
    arrows_ : ndarray of shape (n_arrows, 2)
        The arrows as drawn, in the unit of the axes.
    """

    def __init__(
        self,
        projection: Array,
        loadings: Array,
        *,
        feature_names: Sequence[str] | None = None,
        y: Array | None = None,
        target: str | None = None,
        class_names: Sequence[str] | None = None,
        max_features: int = 8,
        partial: bool = False,
    ) -> None:
        self.projection = np.asarray(projection, dtype=np.float64)
        self.loadings = np.asarray(loadings, dtype=np.float64)
        shapes = self.projection.shape, self.loadings.shape
        if len(shapes[0]) != 2 or shapes[0][1] < 2 or shapes[1][:1] != shapes[0][1:]:
            raise ValueError(
                "A biplot needs `projection` of shape (n_samples, q) and `loadings` of shape "
                f"(q, n_features) with q >= 2. Got {shapes[0]} and {shapes[1]}: for one component "
                "use ProjectionDisplay and LoadingsDisplay."
            )
        self.feature_names = feature_names_for(feature_names, self.loadings.shape[1])
        if max_features < 1:
            raise ValueError(f"`max_features` must be at least 1. Got {max_features}.")
        self.y = None if y is None else one_per_row(y, shapes[0][0])
        self._target = read_colouring(y, shapes[0][0], target, partial=partial)
        self.target = target if self._target is None else self._target.kind
        self.class_names = class_names
        self.max_features = max_features

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Array,
        y: Array | None = None,
        *,
        target: str | None = None,
        class_names: Sequence[str] | None = None,
        max_features: int = 8,
        ax: Any = None,
        **scatter_kwargs: Any,
    ) -> Self:
        """Project X with a fitted estimator and draw it with its loadings.

        Loadings are on a standardised scale, ``w_j s_j``, s_j the standard deviation in X: how far
        a row moves if feature j rises by one standard deviation.

        Parameters
        ----------
        estimator : estimator of hsiclearn, or a pipeline that ends with one
            Fitted.
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), default=None
            What to colour by. For ``SemiSupervisedHSIC`` rows with -1, not known, are grey.
        target : {"classes", "real"}, default=None
            How to read y. None: whole numbers as the estimator read its own target, if it has one;
            fractions are real.
        class_names : sequence of str, default=None
            Names of the classes, in the order of the sorted labels.
        max_features : int, default=8
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        **scatter_kwargs : dict
            Passed to ``Axes.scatter``.

        Returns
        -------
        BiplotDisplay
        """
        step, rows, names = fitted_step(estimator, X)
        display = cls(
            np.asarray(rows @ step.components_.T),
            step.components_ * deviations(rows),
            feature_names=names,
            y=y,
            target=target_kind(step, y, rows.shape[0], target),
            class_names=class_names,
            max_features=max_features,
            partial=is_partial(step),
        )
        return display.plot(ax=ax, **scatter_kwargs)

    def plot(self, ax: Any = None, **scatter_kwargs: Any) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        **scatter_kwargs : dict
            Passed to ``Axes.scatter``.

        Returns
        -------
        BiplotDisplay
        """
        self._draw(ax, **scatter_kwargs)
        return self

    def _draw(self, ax: Any, **style: Any) -> None:
        paint = paint_for(self._target, self.class_names, style)
        ax = one_axes(ax)
        self.ax_, self.figure_ = ax, ax.figure
        Z = self.projection[:, :2]
        paint.plane(ax, Z[:, 0], Z[:, 1], style)
        self.features_ = largest_features(self.loadings[:2], self.max_features)
        names = [shown(self.feature_names[j], _LONGEST) for j in self.features_]
        self.arrows_ = _draw_arrows(ax, Z, self.loadings[:2, self.features_].T, names)
        ax.set(xlabel="component 1", ylabel="component 2")
        paint.key(ax, Z.shape[0])


def _draw_arrows(
    ax: Any, Z: FloatArray, directions: FloatArray, names: Sequence[str]
) -> FloatArray:
    """Draw, and return the arrows in the unit of the axes. They set the limits of the axes.

    One factor turns all directions into arrows, on both axes: with one for each axis an arrow
    would not point where a row moves. The arrow that looks longest reaches towards the edge.
    """
    centre = Z.mean(axis=0)
    half = 0.5 * np.ptp([whole_range(z) for z in Z.T], axis=1)
    longest = float(np.max(np.linalg.norm(directions / half, axis=1), initial=0.0)) or 1.0
    arrows = directions * (_REACH / longest)
    right = arrows[:, 0] >= 0
    low, high = _limits(Z, centre + arrows, right, names)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    tips = (centre + arrows - low) / (high - low)
    places = _label_places(tips, right)
    halo = {
        "path_effects": [
            matplotlib_module("patheffects").withStroke(linewidth=2.5, foreground="white")
        ]
    }
    line = {"arrowstyle": "-|>", "color": _INK, "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0}
    thin = {"arrowstyle": "-", "color": "0.5", "linewidth": 0.6}
    shares = {"xycoords": "axes fraction", "textcoords": "axes fraction", "va": "center"}
    for i, name in enumerate(names):
        ax.annotate("", centre + arrows[i], centre, arrowprops={**line, **halo})
        # The name beside its tip, with a thin line where it had to move.
        moved = abs(places[i, 1] - tips[i, 1]) > 0.5 * _LINE
        look = {"ha": "left" if right[i] else "right", "fontsize": 9, "color": _INK}
        to_tip = thin if moved else None
        ax.annotate(name, tips[i], places[i], arrowprops=to_tip, **shares, **look, **halo)
    return arrows


def _limits(
    Z: FloatArray, tips: FloatArray, right: Array, names: Sequence[str]
) -> tuple[FloatArray, FloatArray]:
    """Limits that hold the rows, the tips, and the labels to the left and right of these."""
    low, high = np.array([whole_range(ends) for ends in np.vstack([Z, tips]).T]).T
    room = high - low
    low, high = low - 0.06 * room, high + 0.06 * room
    lengths = _CHARACTER * room[0] * np.array([len(name) + 2 for name in names])
    low[0] = min(low[0], *(tips[:, 0] - np.where(right, 0.0, lengths)))
    high[0] = max(high[0], *(tips[:, 0] + np.where(right, lengths, 0.0)))
    return low, high


def _label_places(tips: FloatArray, right: Array) -> FloatArray:
    """Places of labels: outside their tips, and on each side a line's height from the next."""
    places = tips + np.where(right, 0.015, -0.015)[:, None] * np.array([1.0, 0.0])
    for side in (right, ~right):
        members = np.flatnonzero(side)
        order = members[np.argsort(places[members, 1], kind="stable")]
        places[order, 1] = _spread_out(places[order, 1])
    return places


def _spread_out(heights: FloatArray) -> FloatArray:
    """Rising numbers, at least a line apart, near where they were, within the axes.

    Numbers that are too near are moved as a block about their mean: isotonic regression of the
    heights less the lines below them.
    """
    steps = _LINE * np.arange(heights.size)
    level = isotonic_regression(heights - steps).x
    return np.clip(level, 0.03, max(0.97 - max(steps, default=0.0), 0.03)) + steps
