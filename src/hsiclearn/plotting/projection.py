"""Rows seen along components of a fitted estimator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.pipeline import Pipeline

from .._arrays import Array, FloatArray
from .._devices import here
from ._axes import one_axes, panels
from ._by_class import paint_for
from ._density import clipped
from ._names import names_for
from ._paint import Paint
from ._targets import is_partial, one_per_row, read_colouring, target_kind
from .picture import Display

__all__ = ["ProjectionDisplay"]

_MOST_IN_GRID = 6  # components; more panels are too small to read


class ProjectionDisplay(Display):
    """Scatter of projected rows, coloured by a target.

    Two components: one against the other; classes differ in colour and marker and have a legend,
    a real target has a colour bar. One component: a histogram per class, one above the other,
    each on a rug of its rows; a real target becomes the vertical axis. All pairs: a grid with
    scatters below the diagonal and histograms on it.

    Points become smaller and fainter with their number. Above 200,000 rows a density of all rows
    is drawn instead, on a grid of cells: the colour is the mean colour of the rows in a cell (the
    colour of their mean for a real target), and it is the more opaque the more rows there are.

    Rows whose y is missing (NaN, None) are grey, behind the others, and counted in the legend.

    Make it with :meth:`from_estimator`, or from an array of projected rows and :meth:`plot`.

    Parameters
    ----------
    projection : array-like of shape (n_samples, n_components)
        Projected rows.
    y : array-like of shape (n_samples,), default=None
        Labels or numbers, one per row. None draws all rows alike.
    target : {"classes", "real"}, default=None
        How to read y. None: as ``SupervisedHSIC`` reads a target by its type.
    class_names : sequence of str, default=None
        Names of the classes, in the order of the sorted labels.
    components : (int, int), (int,) or "pairs", default=(0, 1)
        Which components to draw, counted from 0; of a single one, that one is drawn. ``"pairs"``
        draws every pair of the first six.
    partial : bool, default=False
        Whether -1 (or ``"-1"``) among the classes of y means that a class is not known.
    limits : {"auto", "all"}, default="auto"
        ``"auto"``: where the whole range of a component is more than four times that of its central
        95 % of rows, rows more than that range beyond it stand at the edge, and the picture says
        how many there are. ``"all"``: the whole range.
    axis_names : sequence of str, default=None
        A name for each component. None: component 1, component 2 and so on.

    Attributes
    ----------
    ax_ : matplotlib Axes, or array of Axes
        Where the rows were drawn; a q x q array for pairs.
    figure_ : matplotlib Figure
        The figure of ``ax_``.
    drawn_as_ : {"points", "density"}
        How the rows were drawn.
    counts_ : ndarray or None
        Rows per cell, where a density was drawn; in a grid of pairs, of the first pair.
    n_outside_ : int
        Rows that stand at the edge, since they lie beyond it.
    """

    def __init__(
        self,
        projection: Array,
        *,
        y: Array | None = None,
        target: str | None = None,
        class_names: Sequence[str] | None = None,
        components: tuple[int, ...] | str = (0, 1),
        partial: bool = False,
        limits: str = "auto",
        axis_names: Sequence[str] | None = None,
    ) -> None:
        self.projection = np.asarray(projection, dtype=np.float64)
        if self.projection.ndim != 2:
            raise ValueError(
                "`projection` must have shape (n_samples, n_components). "
                f"Got shape {self.projection.shape}."
            )
        n, q = self.projection.shape
        self.y = None if y is None else one_per_row(y, n)
        self._target = read_colouring(y, n, target, partial=partial)
        self.target = target if self._target is None else self._target.kind
        self.class_names = class_names
        self.components = _checked_components(components, q)
        if limits not in ("auto", "all"):
            raise ValueError(f"`limits` must be 'auto' or 'all'. Got {limits!r}.")
        self.limits = limits
        default = [f"component {k + 1}" for k in range(q)]
        self.axis_names = names_for("axis_names", axis_names, default, "components")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Array,
        y: Array | None = None,
        *,
        target: str | None = None,
        class_names: Sequence[str] | None = None,
        components: tuple[int, ...] | str = (0, 1),
        limits: str = "auto",
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
            What to colour by. For ``SemiSupervisedHSIC`` rows with -1, not known, are grey.
        target : {"classes", "real"}, default=None
            How to read y. None: whole numbers as the estimator read its own target, if it has one;
            fractions are real.
        class_names : sequence of str, default=None
            Names of the classes, in the order of the sorted labels.
        components : (int, int), (int,) or "pairs", default=(0, 1)
            Which components to draw.
        limits : {"auto", "all"}, default="auto"
            Whether rows far off may stand at the edge, so that they do not squash the others.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure. For pairs it is split up.
        **scatter_kwargs : dict
            Passed to ``Axes.scatter``; without effect on a density.

        Returns
        -------
        ProjectionDisplay
        """
        if not hasattr(estimator, "transform"):
            last = estimator[-1] if isinstance(estimator, Pipeline) else estimator
            raise TypeError(
                "Need an estimator with `transform`, or a pipeline that ends with one: of a longer "
                f"one pass the beginning, like pipeline[:-1]. Got {type(last).__name__}."
            )
        Z = here(estimator.transform(X))
        display = cls(
            Z,
            y=y,
            target=target_kind(estimator, y, Z.shape[0], target),
            class_names=class_names,
            components=components,
            partial=is_partial(estimator),
            limits=limits,
        )
        return display.plot(ax=ax, **scatter_kwargs)

    def plot(self, ax: Any = None, **scatter_kwargs: Any) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure. For pairs it is split up, or a q x q array.
        **scatter_kwargs : dict
            Passed to ``Axes.scatter``; without effect on a density.

        Returns
        -------
        ProjectionDisplay
        """
        self._draw(ax, **scatter_kwargs)
        return self

    def _draw(self, ax: Any, **style: Any) -> None:
        paint = paint_for(self._target, self.class_names, style)
        if self.components == "pairs":
            self._draw_pairs(paint, ax, style)
        else:
            self._draw_one(paint, one_axes(ax), style)
        self.drawn_as_ = "points" if self.counts_ is None else "density"

    def _draw_one(self, paint: Paint, ax: Any, style: dict[str, Any]) -> None:
        self.ax_, self.figure_ = ax, ax.figure
        Z, outside = self._in_limits(list(self.components))
        ax.set_xlabel(self.axis_names[self.components[0]])
        if Z.shape[1] == 1:
            self.counts_ = paint.line(ax, Z[:, 0], style)
        else:
            self.counts_ = paint.plane(ax, Z[:, 0], Z[:, 1], style)
            ax.set_ylabel(self.axis_names[self.components[1]])
            paint.key(ax, Z.shape[0])
        if outside:
            ax.set_title(outside, loc="left", fontsize=9, color="0.35")

    def _in_limits(self, components: list[int]) -> tuple[FloatArray, str]:
        """Rows, those beyond the limits at the edge; and words on these."""
        Z, n = self.projection[:, components], 0
        if self.limits == "auto":
            Z, n = clipped(Z)
        self.n_outside_ = n
        return Z, f"{n:,} row{' lies' if n == 1 else 's lie'} beyond the edge" if n else ""

    def _draw_pairs(self, paint: Paint, ax: Any, style: dict[str, Any]) -> None:
        """Scatters below the diagonal, histograms on it, nothing above."""
        n_components = self.projection.shape[1]
        q = min(n_components, _MOST_IN_GRID)
        side = max(4.8, 1.7 * q)
        axes = panels(ax, q, q, (side + 1.2, side))
        self.ax_, self.figure_ = axes, axes[0, 0].figure
        Z, outside = self._in_limits(list(range(q)))
        small, self.counts_ = {"s": 8.0, **style}, None
        for (i, j), cell in np.ndenumerate(axes):
            if i == j:
                paint.diagonal(cell, Z[:, i])
            elif i > j:
                counts = paint.plane(cell, Z[:, j], Z[:, i], small, cells=128)
                self.counts_ = counts if (i, j) == (1, 0) else self.counts_
            else:
                cell.set_axis_off()
        for i in range(q):
            for j in range(i + 1):
                _label_cell(axes, i, j, self.axis_names)
        paint.key_of_grid(axes, Z.shape[0])
        first = f"the first {q} of {n_components} components" if q < n_components else ""
        if first or outside:
            self.figure_.suptitle("; ".join(filter(None, (first, outside))))


def _label_cell(axes: Array, i: int, j: int, names: Sequence[str]) -> None:
    """Axes are labelled at the edge of the grid only; panels of a column share their limits."""
    ax, last = axes[i, j], axes.shape[0] - 1
    if i < last:
        ax.sharex(axes[last, j])
    ax.tick_params(labelbottom=i == last, labelleft=j == 0 and i > 0, labelsize=8)
    if i == last:
        ax.set_xlabel(names[j])
    if j == 0:
        ax.set_ylabel(names[i])
    if i == j:
        ax.set_yticks([])


def _checked_components(components: tuple[int, ...] | str, q: int) -> Any:
    """One or two numbers of components, or the word for all pairs."""
    if isinstance(components, str):
        if components != "pairs":
            raise ValueError(f"`components` must be a pair or 'pairs'. Got {components!r}.")
        return "pairs" if q > 1 else (0,)
    chosen = tuple(components) if isinstance(components, Iterable) else ()
    if q == 1 and chosen == (0, 1):
        return (0,)
    are_numbers = all(isinstance(number, Integral) and 0 <= number < q for number in chosen)
    if len(chosen) not in (1, 2) or not are_numbers or len(set(chosen)) != len(chosen):
        raise ValueError(
            f"`components` must be 'pairs' or a tuple of one or two different numbers from 0 to "
            f"{q - 1}, for there are {q} components. Got {components!r}."
        )
    return chosen
