"""What each direction is made of: signed loadings as bars or as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from .._arrays import Array, FloatArray
from ..inspection import Stability
from ..inspection.fitted import deviations, feature_names, fitted_step, last_step
from ._axes import BLUE, ORANGE, class_style, draw_legend, one_axes, panels
from ._names import and_more, feature_names_for, largest_features, shown

__all__ = ["LoadingsDisplay", "draw_whiskers"]

_KINDS = ("bar", "heatmap")
_MOST_PANELS = 6
_MOST_NAMES = 40  # in axes of the user's height
_MOST_NAMES_IN_TALL = 400  # in a figure of our own, as tall as they need
_CELLS_WITH_TEXT = 40  # features; in more rows a number would be larger than its cell


class LoadingsDisplay:
    """Loadings of the features, those with the largest share in any direction first.

    As bars there is a panel per component (the first six); as a heat map a column per component.
    A figure made for bars grows with their number, so that each has its name, up to 400; in axes
    that are given, and in a heat map, 40 are named.

    Parameters
    ----------
    loadings : array-like of shape (n_components, n_features)
        Signed loadings.
    feature_names : sequence of str, default=None
        None: x0, x1 and so on.
    spread : array-like of shape (n_components, n_features), default=None
        Drawn as error bars, of one spread to each side; a heat map does not show it.
    kind : {"bar", "heatmap"}, default="bar"
    max_features : int or None, default=20
        How many features to show; None: all.

    Attributes
    ----------
    ax_ : matplotlib Axes, or array of Axes
        An array of one Axes per component for the bars of two or more.
    figure_ : matplotlib Figure
    features_ : ndarray
        Numbers of the features shown, from the top.
    """

    def __init__(
        self,
        loadings: Array,
        *,
        feature_names: Sequence[str] | None = None,
        spread: Array | None = None,
        kind: str = "bar",
        max_features: int | None = 20,
    ) -> None:
        self.loadings = np.atleast_2d(np.asarray(loadings, dtype=np.float64))
        self.feature_names = feature_names_for(feature_names, self.loadings.shape[1])
        self.spread = None if spread is None else np.atleast_2d(np.asarray(spread, np.float64))
        if kind not in _KINDS:
            raise ValueError(f"`kind` must be one of {list(_KINDS)}. Got {kind!r}.")
        if max_features is not None and max_features < 1:
            raise ValueError(f"`max_features` must be None or at least 1. Got {max_features}.")
        if self.spread is not None and self.spread.shape != self.loadings.shape:
            raise ValueError(
                f"`spread` must have the shape of the loadings, {self.loadings.shape}. "
                f"Got {self.spread.shape}."
            )
        self.kind = kind
        self.max_features = max_features
        self._label = "loading"

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Array | None = None,
        *,
        kind: str = "bar",
        max_features: int | None = 20,
        stability: Stability | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the loadings of a fitted estimator.

        Parameters
        ----------
        estimator : estimator of hsiclearn, or a pipeline that ends with one
            Fitted.
        X : array-like of shape (n_samples, n_features), default=None
            Rows that tell how much each column varies: then loadings are drawn on a standardised
            scale, ``w_j s_j``. None: as they are in ``components_``, per unit of each column.
        kind : {"bar", "heatmap"}, default="bar"
        max_features : int or None, default=20
        stability : Stability, default=None
            From :func:`hsiclearn.inspection.bootstrap_stability`: its spread makes error bars.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure. Bars of several components split it up.

        Returns
        -------
        LoadingsDisplay
        """
        step, names = last_step(estimator), feature_names(estimator)
        scale: Array = 1.0
        if X is not None:
            step, rows, names = fitted_step(estimator, X)
            scale = deviations(rows)
        display = cls(
            step.components_ * scale,
            feature_names=names,
            spread=None if stability is None else stability.loading_spread * scale,
            kind=kind,
            max_features=max_features,
        )
        display._label = "loading" if X is None else "standardised loading"
        return display.plot(ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure. Bars of several components split it up, or take an
            array of as many.

        Returns
        -------
        LoadingsDisplay
        """
        self.features_ = largest_features(self.loadings, self.max_features)
        names = [shown(self.feature_names[j]) for j in self.features_]
        left_out = self.loadings.shape[1] - self.features_.size
        draw = self._plot_bars if self.kind == "bar" else self._plot_heatmap
        draw(ax, names, left_out)
        return self

    def _plot_bars(self, ax: Any, names: list[str], left_out: int) -> None:
        q = min(self.loadings.shape[0], _MOST_PANELS)
        most = _MOST_NAMES if ax is not None else _MOST_NAMES_IN_TALL
        size = (max(6.4, 2.2 + 2.1 * q), _height(len(names)))
        axes = panels(ax, 1, q, size)[0]
        self.ax_, self.figure_ = (axes if q > 1 else axes[0]), axes[0].figure
        spread = None if self.spread is None else self.spread[:, self.features_]
        _draw_bars(axes, self.loadings[:q, self.features_], spread, names, left_out, most)
        for one in axes:
            one.set_xlabel(self._label if q < 3 else "loading")

    def _plot_heatmap(self, ax: Any, names: list[str], left_out: int) -> None:
        q = self.loadings.shape[0]
        size = (max(6.4, 3.0 + 0.6 * q), min(9.0, max(2.4, 1.2 + 0.28 * len(names))))
        ax = one_axes(ax, size)
        self.ax_, self.figure_ = ax, ax.figure
        _draw_heatmap(ax, self.loadings[:, self.features_].T, names, left_out, self._label)


def _height(n_features: int) -> float:
    """Of a figure of bars, in inches: rows move closer from 25 on, when the names are smaller."""
    if n_features <= 25:
        return max(2.4, 1.2 + 0.24 * n_features)
    return 7.2 + 0.13 * (min(n_features, _MOST_NAMES_IN_TALL) - 25)


def _draw_bars(
    axes: Array,
    loadings: FloatArray,
    spread: FloatArray | None,
    names: Sequence[str],
    left_out: int,
    most_names: int = _MOST_NAMES,
) -> None:
    """One panel per component with the same limits; negative bars have another colour."""
    reach = np.abs(loadings) if spread is None else np.abs(loadings) + spread[: len(loadings)]
    limit = 1.08 * (float(reach.max()) or 1.0)
    at = np.arange(len(names))
    for k, (ax, values) in enumerate(zip(axes, loadings, strict=True)):
        errors = None if spread is None else spread[k]
        colours = [BLUE if value >= 0 else ORANGE for value in values]
        ax.barh(at, values, xerr=errors, color=colours, height=0.7, error_kw={"elinewidth": 1.0})
        ax.axvline(0.0, color="0.3", linewidth=0.8)
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
        ax.set(xlim=(-limit, limit), title=f"component {k + 1}")
        _name_rows(ax, names if k == 0 else [], len(names), most_names)
    _note(axes[0], left_out)


def _draw_heatmap(
    ax: Any, loadings: FloatArray, names: Sequence[str], left_out: int, label: str
) -> None:
    """A row per feature and a column per component; blue is positive, red negative."""
    limit = float(np.abs(loadings).max()) or 1.0
    image = ax.imshow(
        loadings, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest"
    )
    ax.figure.colorbar(image, ax=ax, label=label)
    q = loadings.shape[1]
    every = -(-q // 20)
    ax.set_xticks(range(0, q, every), [f"{k + 1}" for k in range(0, q, every)])
    ax.set_xlabel("component")
    _name_rows(ax, names, len(names))
    _note(ax, left_out, below=True)
    if len(names) <= _CELLS_WITH_TEXT and q <= 8:
        for (j, k), value in np.ndenumerate(loadings):
            colour = "white" if abs(value) > 0.6 * limit else "black"
            ax.text(k, j, f"{value:.2f}", ha="center", va="center", color=colour, fontsize=8)


def draw_whiskers(
    ax: Any, loadings: FloatArray, spread: FloatArray, names: Sequence[str], left_out: int
) -> None:
    """All components on one axes: a dot per loading with a whisker of one spread to each side."""
    q = loadings.shape[0]
    offsets = np.linspace(-1.0, 1.0, q) * min(0.09 * q, 0.33) if q > 1 else np.zeros(1)
    handles = []
    for k in range(q):
        look = class_style(k)
        at = np.arange(len(names)) + offsets[k]
        handles.append(
            ax.errorbar(
                loadings[k],
                at,
                xerr=spread[k],
                fmt=look["marker"],
                color=look["color"],
                markersize=5,
                elinewidth=1.2,
            )
        )
    ax.axvline(0.0, color="0.3", linewidth=0.8)
    ax.grid(axis="x", color="0.9")
    ax.hlines(np.arange(1, len(names)) - 0.5, 0, 1, "0.9", transform=ax.get_yaxis_transform())
    _name_rows(ax, names, len(names))
    _note(ax, left_out)
    if q > 1:
        labels = [f"component {k + 1}" for k in range(q)]
        above = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": min(q, 3)}
        draw_legend(ax, handles, labels, fontsize=8, frameon=False, **above)


def _name_rows(ax: Any, names: Sequence[str], count: int, most: int = _MOST_NAMES) -> None:
    """Names down the side, the first on top; of very many every second, third and so on."""
    every = -(-count // most)
    ax.set_yticks(
        range(0, count, every), names[::every] if names else [""] * len(range(0, count, every))
    )
    ax.set_ylim(count - 0.5, -0.5)
    if count > 25:
        ax.tick_params(axis="y", labelsize=7)


def _note(ax: Any, left_out: int, below: bool = False) -> None:
    """How many features are not shown."""
    if left_out:
        ax.annotate(
            and_more(left_out, "feature"),
            (0.0, 0.0),
            (-6, -20 if below else -14),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="right",
            va="top",
            fontsize=8,
            color="0.35",
        )
