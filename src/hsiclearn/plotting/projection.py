"""Rows seen along the first one or two components of a fitted estimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from .._arrays import Array
from ..paradigms.targets import detect_target
from ._draw import draw_classes_on_line, draw_classes_on_plane, draw_real, draw_rows
from ._style import matplotlib_module

__all__ = ["ProjectionDisplay"]


class ProjectionDisplay:
    """Scatter of projected rows, coloured by a target.

    Two or more components: the first against the second; classes differ in colour and marker
    and have a legend, a real target has a colour bar. One component: a histogram per class, one
    above the other, each on a rug of its rows; a real target becomes the vertical axis.

    Make it with :meth:`from_estimator`, or from an array of projected rows and :meth:`plot`.

    Parameters
    ----------
    projection : array-like of shape (n_samples, n_components)
        Projected rows; components beyond the second are not shown.
    y : array-like of shape (n_samples,), default=None
        Labels or numbers, one per row. None draws all rows alike.
    target : {"classes", "real"}, default=None
        How to read y. None: floating point is real, anything else is classes.
    class_names : sequence of str, default=None
        Names of the classes, in the order of the sorted labels.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where the rows were drawn.
    figure_ : matplotlib Figure
        The figure of ``ax_``.
    """

    def __init__(
        self,
        projection: Array,
        *,
        y: Array | None = None,
        target: str | None = None,
        class_names: Sequence[str] | None = None,
    ) -> None:
        self.projection = np.asarray(projection, dtype=np.float64)
        if self.projection.ndim != 2:
            raise ValueError(
                "`projection` must have shape (n_samples, n_components). "
                f"Got shape {self.projection.shape}."
            )
        self.y = None if y is None else _one_per_row(y, self.projection.shape[0])
        self.target = detect_target(y) if target is None and y is not None else target
        self.class_names = class_names

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Array,
        y: Array | None = None,
        *,
        class_names: Sequence[str] | None = None,
        ax: Any = None,
        **scatter_kwargs: Any,
    ) -> Self:
        """Project X with a fitted estimator and draw it.

        Parameters
        ----------
        estimator : transformer
            Fitted, with ``transform``; a pipeline of transformers will do.
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), default=None
            What to colour by. Where the estimator knows whether its own target is real or of
            classes (``target_``), numbers are read in the same way.
        class_names : sequence of str, default=None
            Names of the classes, in the order of the sorted labels.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        **scatter_kwargs : dict
            Passed to ``Axes.scatter``.

        Returns
        -------
        ProjectionDisplay
        """
        last = estimator[-1] if hasattr(estimator, "steps") else estimator
        target = getattr(last, "target_", None)
        if target not in ("classes", "real") or np.asarray(y).dtype.kind not in "fiub":
            target = None
        display = cls(estimator.transform(X), y=y, target=target, class_names=class_names)
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
        ProjectionDisplay
        """
        if ax is None:
            _, ax = matplotlib_module("pyplot").subplots(layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure
        style = {"s": 22, "alpha": 0.8, "linewidths": 0, **scatter_kwargs}
        if self.y is None:
            draw_rows(ax, self.projection, style)
        elif self.target == "real":
            draw_real(ax, self.projection, self.y, style)
        elif self.projection.shape[1] == 1:
            draw_classes_on_line(ax, self.projection, self.y, self.class_names)
        else:
            draw_classes_on_plane(ax, self.projection, self.y, self.class_names, style)
        ax.set_xlabel("component 1")
        return self


def _one_per_row(y: Array, n_samples: int) -> Array:
    """Y as a vector with one entry per row."""
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape != (n_samples,):
        raise ValueError(
            f"`y` must hold one value per projected row, shape ({n_samples},). Got shape "
            f"{values.shape}. Of several outputs, pass the column to colour by."
        )
    return values
