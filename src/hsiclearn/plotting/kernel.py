"""The kernel matrix of the rows before and after projection."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, Self

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from .._devices import here
from .._engines.graph import KernelGraph
from .._estimators import BaseHSIC
from .._selection import median_distance
from ..inspection.fitted import fitted_step
from ..kernels import AbstractKernel
from ._axes import panels
from ._names import plural, shown
from ._targets import is_partial, one_per_row, read_colouring, target_kind
from .picture import Display

__all__ = ["KernelDisplay"]

_MOST_NEIGHBOURS = 4000  # rows among which neighbours are sought, as in the fits of many rows
_SCALES = ("bandwidth", "c")  # what kernels call their scale
_MOST_NAMES = 20
_MOST_LINES = 40  # classes; between more, the lines would be all there is to see


class KernelDisplay(Display):
    """Two images side by side: how alike rows are in all columns, and in the subspace.

    Rows stand in the order of their labels, so that classes that fall together are bright squares
    on the diagonal; lines mark where one class ends, unless there are more than 40. Real labels
    order the rows by value. Rows without a label come last.

    Parameters
    ----------
    before, after : array-like of shape (n_rows, n_rows)
        Kernel matrices of the same rows.
    labels : array-like of shape (n_rows,), default=None
        What to order the rows by.
    target : {"classes", "real"}, default=None
        How to read the labels. None: as ``SupervisedHSIC`` reads a target by its type.
    partial : bool, default=False
        Whether -1 (or ``"-1"``) among classes means that a class is not known.

    Attributes
    ----------
    ax_ : array of two matplotlib Axes
    figure_ : matplotlib Figure
    rows_ : ndarray
        Numbers of the rows of X that were taken, in the order of ``before`` and ``after``.
    """

    def __init__(
        self,
        before: Array,
        after: Array,
        *,
        labels: Array | None = None,
        target: str | None = None,
        partial: bool = False,
    ) -> None:
        self.before = np.asarray(before, dtype=np.float64)
        self.after = np.asarray(after, dtype=np.float64)
        n = self.before.shape[0]
        if self.before.shape != (n, n) or self.after.shape != (n, n):
            raise ValueError(
                "`before` and `after` must be square and of the same shape. Got "
                f"{self.before.shape} and {self.after.shape}."
            )
        self.labels = None if labels is None else one_per_row(labels, n)
        self._target = read_colouring(labels, n, target, partial=partial)
        self.target = target if self._target is None else self._target.kind
        self.rows_ = np.arange(n)
        self._titles = ("all columns", "projected")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Array,
        y: Array | None = None,
        *,
        target: str | None = None,
        max_rows: int = 500,
        random_state: int | None = 0,
        ax: Any = None,
    ) -> Self:
        """Evaluate the kernel of a fitted estimator on rows of X, and draw it.

        After projection it is ``kernel_``. Before, it is the same kind of kernel on all columns,
        at their median distance where it has a bandwidth.

        Parameters
        ----------
        estimator : estimator of hsiclearn, or a pipeline that ends with one
            Fitted.
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), default=None
            What to order the rows by. None: the clusters, of a clustering estimator. For
            ``SemiSupervisedHSIC`` rows with -1, not known, come last.
        target : {"classes", "real"}, default=None
            How to read y. None: whole numbers as the estimator read its own target, if it has one;
            fractions are real.
        max_rows : int, default=500
            Of more rows so many are drawn, in proportion to the labels.
        random_state : int or None, default=0
            Which ones.
        ax : matplotlib Axes or array of two, default=None
            Where to draw; None makes a figure. One Axes is split.

        Returns
        -------
        KernelDisplay
        """
        step, rows, _ = fitted_step(estimator, X)
        if y is None and hasattr(step, "predict"):
            y = here(estimator.predict(X))
        target = target_kind(step, y, rows.shape[0], target)
        read = read_colouring(y, rows.shape[0], target, partial=is_partial(step))
        order = None if read is None else read.rank
        index = _evenly_drawn(order, rows.shape[0], max_rows, random_state)
        if order is not None:  # like beside like, also within a class
            along = np.asarray(rows[index] @ step.components_[0])
            index = index[np.lexsort((along, order[index]))]
        before, after, median = _both(step, rows, index, random_state)
        labels = None if y is None else one_per_row(y, rows.shape[0])[index]
        display = cls(before, after, labels=labels, target=target, partial=is_partial(step))
        display.rows_ = index
        scale = "" if median is None else f"\nat the median distance, {median:.3g}"
        kind = _kernel_phrase(step.kernel_)
        own = "" if step.bandwidth_ is None else f"\nbandwidth {step.bandwidth_:.3g}"
        display._titles = (
            f"{plural(rows.shape[1], 'column')}\n{kind}{scale}",
            f"{plural(step.n_components_, 'dimension')} found\n{kind}{own}",
        )
        return display.plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        axes = panels(ax, 1, 2, (8.8, 4.2))[0]
        self.ax_, self.figure_ = axes, axes[0].figure
        order = np.arange(self.before.shape[0])
        if self._target is not None:
            order = np.argsort(self._target.rank, kind="stable")  # NaN goes last
        matrices = [K[np.ix_(order, order)] for K in (self.before, self.after)]
        unit = all(K.min() >= 0.0 and K.max() <= 1.0 + 1e-9 for K in matrices)
        limits = {"vmin": 0.0, "vmax": 1.0} if unit else {}
        for i, (one, K, title) in enumerate(zip(axes, matrices, self._titles, strict=True)):
            image = one.imshow(K, cmap="viridis", interpolation="nearest", **limits)
            one.set_title(title, fontsize=8)
            self._mark_classes(one, named=i == 0)
            if not unit or i == 1:
                one.figure.colorbar(image, ax=axes if unit else one, shrink=0.75, label="kernel")

    def _mark_classes(self, ax: Any, named: bool) -> None:
        """Lines between the classes, and their names down the side."""
        ax.set_xticks([])
        ax.set_yticks([])
        read = self._target
        if read is None:
            return
        codes, names = read.rank, [*map(shown, read.names), read.note]
        if not read.is_classes:
            codes, names = np.isnan(read.values).astype(np.intp), ["", read.note]
            ax.set_ylabel("rows by y, rising downwards" if named else "")
        ends = np.cumsum(np.bincount(codes))
        if len(ends) <= _MOST_LINES:
            for end in ends[:-1] - 0.5:
                width = 0.8 if len(ends) <= _MOST_NAMES else 0.4
                ax.axhline(end, color="white", linewidth=width)
                ax.axvline(end, color="white", linewidth=width)
        if named:
            _name_parts(ax, ends, names, last=bool(read.note))


def _name_parts(ax: Any, ends: Array, names: list[str], last: bool) -> None:
    """Names at the middle of the parts; of very many some, with that of the ``last`` if asked."""
    every = -(-len(ends) // _MOST_NAMES)
    numbers = list(range(0, len(ends), every))
    if last:
        numbers = [i for i in numbers if i < len(ends) - every] + [len(ends) - 1]
    centres = 0.5 * (ends + np.concatenate([[0], ends[:-1]])) - 0.5
    ax.set_yticks(centres[numbers], [names[i] for i in numbers])
    ax.tick_params(axis="y", length=0)


def _both(
    step: BaseHSIC, rows: Array, index: Array, random_state: int | None
) -> tuple[FloatArray, FloatArray, float | None]:
    """K of the rows with these numbers, before and after, and the median distance used before.

    Neighbours, where the kernel has scales by them, are sought among up to 4000 rows.
    """
    some, kernel = index, step.kernel_
    if any(term.has_row_scales for _, term in kernel.terms):
        others = np.setdiff1d(np.arange(rows.shape[0]), index)
        room = min(max(_MOST_NEIGHBOURS - index.size, 0), others.size)
        more = np.random.default_rng(random_state).choice(others, room, replace=False)
        some = np.concatenate([index, more])
    taken = rows[some]
    X = np.asarray(taken.todense() if sparse.issparse(taken) else taken, dtype=np.float64)
    w = X @ step.components_.T
    at_rest, median = _at_median(kernel, X)
    # The clustering estimators take scales from the projected rows, the others from all columns.
    scaled_by = w if hasattr(step, "predict") else X
    before = _kernel_matrix(at_rest, X, X, index.size)
    return before, _kernel_matrix(kernel, w, scaled_by, index.size), median


def _kernel_matrix(
    kernel: AbstractKernel, w: FloatArray, scaled_by: FloatArray, n: int
) -> FloatArray:
    """K of the first n rows of ``w``, at scales that neighbours in ``scaled_by`` give, if any."""
    scales, w = [term.row_scales(scaled_by) for _, term in kernel.terms], w[:n]
    if all(term.pair.is_difference for _, term in kernel.terms):
        w = w - w.mean(axis=0)  # differences do not see the mean, but rounding does
    graph = KernelGraph(kernel, n, engine="dense")
    graph.place(w, [None if scale is None else scale[:n] for scale in scales])
    return np.asarray(graph.multiply(np.eye(n)))


def _at_median(kernel: AbstractKernel, rows: FloatArray) -> tuple[AbstractKernel, float | None]:
    """The kernel with its scale at the median distance of the rows, and that distance.

    A kernel without one scale of its own, such as a sum, is left as it is.
    """
    names: list[str] = [f.name for f in fields(kernel)] if is_dataclass(kernel) else []
    scale = next((name for name in _SCALES if name in names), None)
    if scale is None:
        return kernel, None
    median = median_distance(rows, np.random.default_rng(0))
    return replace(kernel, **{scale: median}), median  # type: ignore[type-var]


def _kernel_phrase(kernel: AbstractKernel) -> str:
    """The kind of kernel, in a word or two."""
    if len(kernel.terms) > 1:
        return "sum of kernels"
    return re.sub(r"\B(?=[A-Z])", " ", type(kernel.terms[0][1]).__name__)


def _evenly_drawn(y: Array | None, n_samples: int, max_rows: int, random_state: Any) -> Array:
    """Numbers of at most ``max_rows`` rows, ordered by y, so that each part of y has its share.

    Among equal y the draw is random; then every so-and-so-many-th row is taken.
    """
    if max_rows < 2:
        raise ValueError(f"`max_rows` must be at least 2. Got {max_rows}.")
    keys = np.zeros(n_samples) if y is None else y
    if n_samples <= max_rows:
        return np.argsort(keys, kind="stable")
    chance = np.random.default_rng(random_state).permutation(n_samples)
    order = np.lexsort((chance, keys))
    taken = order[np.linspace(0, n_samples - 1, max_rows).round().astype(np.intp)]
    return np.sort(taken) if y is None else taken
