"""The eigenvalues behind a fit, and the gap that sets the subspace apart."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from .._arrays import Array, FloatArray
from .._selection import widest_gap
from ..inspection.fitted import last_step
from ._axes import BLUE, ORANGE, draw_legend, one_axes
from .picture import Display

__all__ = ["SpectrumDisplay"]

_DRAWN_BEYOND = 10  # eigenvalues outside of the subspace
_KINDS = {
    "phi": ("eigenvalue of Phi", "in the subspace", "outside"),
    "graph": ("eigenvalue of the graph", "one per cluster", "next"),
}


class SpectrumDisplay(Display):
    """Eigenvalues against their number, with the chosen dimension and the gap after it.

    Of Phi, ascending: the lowest q belong to the subspace, and a wide gap after them says that
    it stands apart. Of the graph of a clustering estimator, descending: the first k belong to the
    clusters. Where the widest of the first 20 gaps, those at which ``n_components="eigengap"``
    looks, is elsewhere, it is marked, too. At most ``q + 10`` eigenvalues are drawn: the far end
    of the spectrum would leave the gap no scale.

    Parameters
    ----------
    eigenvalues : array-like of shape (n,)
        In the order to draw them: ascending of Phi, descending of a graph.
    n_components : int
        How many of them belong to the subspace (to the clusters).
    kind : {"phi", "graph"}, default="phi"
        What they are eigenvalues of.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    gap_ : float
        Between the last eigenvalue inside and the first outside; NaN where none is outside.
    widest_ : int
        After how many eigenvalues the widest of the first 20 gaps is; 0 where there is none.
    """

    def __init__(self, eigenvalues: Array, *, n_components: int, kind: str = "phi") -> None:
        if kind not in _KINDS:
            raise ValueError(f"`kind` must be one of {list(_KINDS)}. Got {kind!r}.")
        self.eigenvalues = np.asarray(eigenvalues, dtype=np.float64)
        self.n_components = int(n_components)
        self.kind = kind
        if self.eigenvalues.ndim != 1 or not 1 <= self.n_components <= self.eigenvalues.size:
            raise ValueError(
                "`eigenvalues` must be a vector of at least `n_components` >= 1 numbers. Got shape "
                f"{self.eigenvalues.shape} and n_components={n_components}."
            )

    @classmethod
    def from_estimator(cls, estimator: Any, *, kind: str = "phi", ax: Any = None) -> Self:
        """Draw the spectrum of a fitted estimator.

        Parameters
        ----------
        estimator : estimator of hsiclearn, or a pipeline that ends with one
            Fitted.
        kind : {"phi", "graph"}, default="phi"
            ``"graph"`` is for clustering estimators.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        SpectrumDisplay
        """
        step = last_step(estimator)
        if kind != "graph":
            if getattr(step, "objective_", None) == "prediction":
                raise ValueError(
                    "Directions that are made to predict have no spectrum of Phi. Got "
                    "objective_='prediction': fit with objective='dependence'."
                )
            display = cls(step.eigenvalues_, n_components=step.n_components_, kind=kind)
        elif hasattr(step, "graph_eigenvalues_"):
            display = cls(step.graph_eigenvalues_, n_components=step.n_clusters_, kind=kind)
        else:
            raise TypeError(
                f"kind='graph' needs a clustering estimator. Got {type(step).__name__}: use "
                "kind='phi'."
            )
        return display.plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        ax = one_axes(ax)
        self.ax_, self.figure_ = ax, ax.figure
        q, total = self.n_components, self.eigenvalues.size
        values = self.eigenvalues[: q + _DRAWN_BEYOND]
        gaps = np.abs(np.diff(self.eigenvalues))
        self.gap_ = float(gaps[q - 1]) if q <= gaps.size else float("nan")
        rising = self.eigenvalues if self.kind == "phi" else -self.eigenvalues
        self.widest_ = widest_gap(rising, total) if gaps.size else 0
        self._draw_stems(ax, values)
        if q < values.size:
            _band(ax, values, q, ORANGE, f"gap after {q}")
        if self.widest_ not in (0, q) and self.widest_ < values.size:
            _band(ax, values, self.widest_, "0.6", f"widest gap, after {self.widest_}")
        number = "number" if values.size == total else f"number, the first {values.size} of {total}"
        if self.widest_ >= values.size > 1:
            number += f"\nwidest gap, not drawn, after {self.widest_}: {gaps[self.widest_ - 1]:.3g}"
        ax.set(xlabel=number, ylabel=_KINDS[self.kind][0])
        ax.set_xlim(0.3, values.size + 0.7)
        ax.margins(y=0.12)
        ax.xaxis.get_major_locator().set_params(integer=True)

    def _draw_stems(self, ax: Any, values: FloatArray) -> None:
        q, number = self.n_components, np.arange(1, values.size + 1)
        base = 0.0 if self.kind == "phi" else float(values.min()) - 0.15 * float(np.ptp(values))
        _, inside, outside = _KINDS[self.kind]
        handles, names = [], []
        for part, name, colour, marker in (
            (slice(0, q), inside, BLUE, "o"),
            (slice(q, None), outside, "0.45", "s"),
        ):
            if values[part].size:
                ax.vlines(number[part], base, values[part], color=colour, linewidth=1.2)
                look = {"linestyle": "none", "color": colour, "marker": marker}
                handles += ax.plot(number[part], values[part], **look)
                names.append(f"{name} ({self.eigenvalues[part].size})")
        if self.kind == "phi":
            ax.axhline(0.0, color="0.7", linewidth=0.8, zorder=0)
        draw_legend(ax, handles, names, loc="best")


def _band(ax: Any, values: FloatArray, after: int, colour: str, text: str) -> None:
    """A band from one eigenvalue to the next, an arrow across, and the size of the gap."""
    low, high = sorted(values[after - 1 : after + 1])
    middle, whole = 0.5 * (low + high), float(np.ptp(values)) or 1.0
    ax.axhspan(low, high, color=colour, alpha=0.15, linewidth=0, zorder=0)
    arrow = {"arrowstyle": "<->", "color": colour, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (after + 0.5, high), (after + 0.5, low), arrowprops=arrow)
    right = after < 0.6 * values.size
    # A narrow band has no room for words: they go to the side where the axes have more.
    narrow = high - low < 0.06 * whole
    up = middle < values.min() + 0.5 * whole
    ax.annotate(
        f"{text}: {high - low:.3g}",
        (after + 0.5, middle),
        (8 if right else -8, (18 if up else -18) if narrow else 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        fontsize=9,
        bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.8},
    )
