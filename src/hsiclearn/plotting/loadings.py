"""What each direction is made of: signed loadings as bars or as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from .._arrays import Array, FloatArray
from ..inspection import Stability
from ..inspection.fitted import deviations, feature_names, fitted_step, last_step
from ._axes import BLUE, ORANGE, class_style, draw_legend, one_axes, panels
from ._names import feature_names_for, largest_features, plural, shown
from .picture import Display

__all__ = ["LoadingsDisplay", "draw_whiskers"]

_KINDS = ("bar", "heatmap")
_MOST_PANELS = 6
_MOST_NAMES = 40  # in axes of the user's height
_MOST_NAMES_IN_TALL = 400  # in a figure of our own, as tall as they need
_CELLS_WITH_TEXT = 40  # features; in more rows a number would be larger than its cell


class LoadingsDisplay(Display):
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

    def _draw(self, ax: Any) -> None:
        self.features_ = largest_features(self.loadings, self.max_features)
        names = [shown(self.feature_names[j]) for j in self.features_]
        left_out = self.loadings.shape[1] - self.features_.size
        draw = self._draw_bars if self.kind == "bar" else self._draw_heatmap
        draw(ax, self.loadings[:, self.features_], names, left_out)

    def _draw_bars(self, ax: Any, loadings: FloatArray, names: list[str], left_out: int) -> None:
        """One panel per component with the same limits; negative bars have another colour."""
        q = min(loadings.shape[0], _MOST_PANELS)
        most = _MOST_NAMES if ax is not None else _MOST_NAMES_IN_TALL
        axes = panels(ax, 1, q, (max(6.4, 2.2 + 2.1 * q), _height(len(names))))[0]
        self.ax_, self.figure_ = (axes if q > 1 else axes[0]), axes[0].figure
        spread = None if self.spread is None else self.spread[:q, self.features_]
        reach = np.abs(loadings[:q]) + (0.0 if spread is None else spread)
        limit = 1.08 * (float(reach.max()) or 1.0)
        for k, one in enumerate(axes):
            errors = {} if spread is None else {"xerr": spread[k], "error_kw": {"elinewidth": 1.0}}
            colours = [BLUE if value >= 0 else ORANGE for value in loadings[k]]
            one.barh(np.arange(len(names)), loadings[k], color=colours, height=0.7, **errors)
            _mark_zero(one)
            one.set_axisbelow(True)
            one.set(xlim=(-limit, limit), title=f"component {k + 1}")
            _name_rows(one, names if k == 0 else [""] * len(names), most)
            one.set_xlabel(self._label if q < 3 else "loading")
        _note(axes[0], left_out)

    def _draw_heatmap(self, ax: Any, loadings: FloatArray, names: list[str], left_out: int) -> None:
        """A row per feature and a column per component; blue is positive, red negative."""
        q = loadings.shape[0]
        ax = one_axes(ax, (max(6.4, 3.0 + 0.6 * q), min(9.0, max(2.4, 1.2 + 0.28 * len(names)))))
        self.ax_, self.figure_ = ax, ax.figure
        limit = float(np.abs(loadings).max()) or 1.0
        look = {"cmap": "RdBu", "aspect": "auto", "interpolation": "nearest"}
        image = ax.imshow(loadings.T, vmin=-limit, vmax=limit, **look)
        ax.figure.colorbar(image, ax=ax, label=self._label)
        every = -(-q // 20)
        ax.set_xticks(range(0, q, every), [f"{k + 1}" for k in range(0, q, every)])
        ax.set_xlabel("component")
        _name_rows(ax, names)
        _note(ax, left_out, below=True)
        if len(names) <= _CELLS_WITH_TEXT and q <= 8:
            for (k, j), value in np.ndenumerate(loadings):
                colour = "white" if abs(value) > 0.6 * limit else "black"
                ax.text(k, j, f"{value:.2f}", ha="center", va="center", color=colour, fontsize=8)


def _height(n_features: int) -> float:
    """Of a figure of bars, in inches: rows move closer from 25 on, when the names are smaller."""
    if n_features <= 25:
        return max(2.4, 1.2 + 0.24 * n_features)
    return 7.2 + 0.13 * (min(n_features, _MOST_NAMES_IN_TALL) - 25)


def draw_whiskers(
    ax: Any, loadings: FloatArray, spread: FloatArray, names: Sequence[str], left_out: int
) -> None:
    """All components on one axes: a dot per loading with a whisker of one spread to each side."""
    q, rows = loadings.shape[0], np.arange(len(names))
    offsets = np.linspace(-1.0, 1.0, q) * min(0.09 * q, 0.33) if q > 1 else np.zeros(1)
    handles = []
    for k in range(q):
        look = class_style(k)
        style = {"fmt": look["marker"], "color": look["color"], "markersize": 5, "elinewidth": 1.2}
        handles.append(ax.errorbar(loadings[k], rows + offsets[k], xerr=spread[k], **style))
    _mark_zero(ax)
    ax.hlines(rows[1:] - 0.5, 0, 1, "0.9", transform=ax.get_yaxis_transform())
    _name_rows(ax, names)
    _note(ax, left_out)
    if q > 1:
        labels = [f"component {k + 1}" for k in range(q)]
        above = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": min(q, 3)}
        draw_legend(ax, handles, labels, fontsize=8, frameon=False, **above)


def _mark_zero(ax: Any) -> None:
    ax.axvline(0.0, color="0.3", linewidth=0.8)
    ax.grid(axis="x", color="0.9")


def _name_rows(ax: Any, names: Sequence[str], most: int = _MOST_NAMES) -> None:
    """Names down the side, the first on top; of very many every second, third and so on."""
    every = -(-len(names) // most)
    ax.set_yticks(range(0, len(names), every), names[::every])
    ax.set_ylim(len(names) - 0.5, -0.5)
    if len(names) > 25:
        ax.tick_params(axis="y", labelsize=7)


def _note(ax: Any, left_out: int, below: bool = False) -> None:
    """How many features are not shown."""
    if left_out:
        at = {"xycoords": "axes fraction", "textcoords": "offset points"}
        look = {"ha": "right", "va": "top", "fontsize": 8, "color": "0.35"}
        words, offset = f"and {plural(left_out, 'more feature')}", (-6, -20 if below else -14)
        ax.annotate(words, (0.0, 0.0), offset, **at, **look)
