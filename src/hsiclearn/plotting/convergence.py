"""How a solver came to its answer: cost and gradient, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from .._arrays import FloatArray
from .._result import Record, Result
from ..inspection.fitted import last_step
from ._axes import class_style, draw_legend, panels
from ._names import shown
from .picture import Display

__all__ = ["ConvergenceDisplay"]

_COUNTS = ("evaluations", "iterations", "seconds")


class ConvergenceDisplay(Display):
    """Cost above the lowest and size of the gradient over the work done, on log axes.

    Each kind of step has its marker. An excess of zero cannot be on a log axis: such steps stand
    hollow at the lower edge, as do figures below rounding. Figures that are not finite are left
    out.

    Parameters
    ----------
    history : sequence of Record
        ``result_.history`` of an estimator.
    tol : float, default=None
        The bound on the gradient; a dashed line.

    Attributes
    ----------
    ax_ : array of two matplotlib Axes
        The cost and the gradient. One Axes given to ``plot`` is split into both.
    figure_ : matplotlib Figure
    excess_ : ndarray of shape (n_records,)
        Cost above the lowest in the history.
    """

    def __init__(self, history: Sequence[Record], *, tol: float | None = None) -> None:
        self.history = tuple(history)
        self.tol = tol
        if not self.history:
            raise ValueError("`history` must hold at least one record. Got none.")

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, against: str = "evaluations", ax: Any = None
    ) -> Self:
        """Draw the history of a fitted estimator.

        Parameters
        ----------
        estimator : estimator of hsiclearn, or a pipeline that ends with one
            Fitted.
        against : {"evaluations", "iterations", "seconds"}, default="evaluations"
            What to count along the horizontal axis.
        ax : matplotlib Axes or array of two, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ConvergenceDisplay
        """
        return cls.from_result(last_step(estimator).result_, against=against, ax=ax)

    @classmethod
    def from_result(cls, result: Result, *, against: str = "evaluations", ax: Any = None) -> Self:
        """Draw the history of a result of :func:`hsiclearn.solve`.

        Parameters
        ----------
        result : Result
        against : {"evaluations", "iterations", "seconds"}, default="evaluations"
            What to count along the horizontal axis.
        ax : matplotlib Axes or array of two, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ConvergenceDisplay
        """
        return cls(result.history, tol=result.certificate.tol).plot(ax=ax, against=against)

    def plot(self, ax: Any = None, *, against: str = "evaluations") -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes or array of two, default=None
            Where to draw; None makes a figure. One Axes is split into two.
        against : {"evaluations", "iterations", "seconds"}, default="evaluations"
            What to count along the horizontal axis.

        Returns
        -------
        ConvergenceDisplay
        """
        self._draw(ax, against)
        return self

    def _draw(self, ax: Any, against: str = "evaluations") -> None:
        if against not in _COUNTS:
            raise ValueError(f"`against` must be one of {list(_COUNTS)}. Got {against!r}.")
        axes = panels(ax, 1, 2, (8.4, 3.8))[0]
        self.ax_, self.figure_ = axes, axes[0].figure
        x, cost, gradient = (
            np.array([getattr(record, name) for record in self.history], dtype=np.float64)
            for name in (against, "cost", "gradient")
        )
        finite = cost[np.isfinite(cost)]
        lowest = float(finite.min()) if finite.size else np.nan
        self.excess_ = cost - lowest
        self._draw_steps(axes[0], x, self.excess_, np.finfo(float).eps * abs(lowest))
        self._draw_steps(axes[1], x, gradient, 0.0, self.tol)
        axes[0].set(xlabel=against, ylabel="cost above the lowest")
        axes[1].set(xlabel=against, ylabel="gradient, relative")
        for one in axes:
            one.xaxis.get_major_locator().set_params(integer=against != "seconds")
        if self.tol:
            axes[1].axhline(self.tol, color="0.4", linestyle="--", linewidth=1.0)
            at = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
            look = {"ha": "right", "fontsize": 8, "color": "0.4"}
            axes[1].annotate(f"tol {self.tol:g}", (1.0, self.tol), (-3, 3), **at, **look)

    def _draw_steps(
        self,
        ax: Any,
        x: FloatArray,
        values: FloatArray,
        rounding: float,
        bound: float | None = None,
    ) -> None:
        """A line through all records, and a marker by the kind of step."""
        finite = np.isfinite(values)
        seen, tiny = finite & (values > rounding), np.finfo(float).tiny
        # What a log axis cannot show stands a little below all that it can.
        floor = max(values[seen].min() / 5.0, tiny) if seen.any() else rounding or 1e-16
        y = np.where(seen, values, floor)
        ax.plot(x[finite], y[finite], color="0.7", linewidth=1.0, zorder=1)
        steps = np.array([record.step for record in self.history])
        kinds = list(dict.fromkeys(steps.tolist()))
        handles = []
        for i, kind in enumerate(kinds):
            of_kind, style = finite & (steps == kind), {"linestyle": "none", "markersize": 5.5}
            style |= class_style(i)
            handles += ax.plot(x[of_kind & seen], y[of_kind & seen], **style)
            ax.plot(x[of_kind & ~seen], y[of_kind & ~seen], markerfacecolor="white", **style)
        ax.set_yscale("log")
        drawn = np.append(y[finite], bound or [])
        if drawn.size:  # set by hand: left to itself, one value makes for an axis without length
            ax.set_ylim(max(drawn.min() / 3.0, tiny), drawn.max() * 3.0)
        ax.grid(color="0.92")
        ax.set_axisbelow(True)
        # Below the label of the axis: inside it would cover markers, above it a title.
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "borderaxespad": 4.4}
        one_line = {"ncols": min(len(kinds), 4), "frameon": False, "handletextpad": 0.1}
        names = [shown(kind) for kind in kinds]
        draw_legend(ax, handles, names, fontsize=8, columnspacing=0.8, **one_line, **below)
