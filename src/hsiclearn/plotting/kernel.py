"""The kernel matrix of the rows before and after projection."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse

from .._arrays import Array, FloatArray
from ..estimators._base import BaseHSIC
from ..inspection._fitted import fitted_step
from ..paradigms.targets import class_codes, detect_target
from ._axes import panels
from ._kernels import at_median, evenly_drawn, kernel_matrix, kernel_phrase, row_scales
from ._names import shown
from ._targets import one_per_row, target_kind

__all__ = ["KernelDisplay"]

_MOST_NEIGHBOURS = 4000  # rows among which neighbours are sought, as in the fits of many rows
_MOST_NAMES = 20


class KernelDisplay:
    """Two images side by side: how alike rows are in all columns, and in the subspace.

    Rows stand in the order of their labels, so that classes that fall together are bright squares
    on the diagonal; lines mark where one class ends. Real labels order the rows by value.

    Parameters
    ----------
    before, after : array-like of shape (n_rows, n_rows)
        Kernel matrices of the same rows.
    labels : array-like of shape (n_rows,), default=None
        What to order the rows by: classes, or real numbers if floating point.

    Attributes
    ----------
    ax_ : array of two matplotlib Axes
    figure_ : matplotlib Figure
    rows_ : ndarray
        Numbers of the rows of X that were taken, in the order of ``before`` and ``after``.
    """

    def __init__(self, before: Array, after: Array, *, labels: Array | None = None) -> None:
        self.before = np.asarray(before, dtype=np.float64)
        self.after = np.asarray(after, dtype=np.float64)
        n = self.before.shape[0]
        if self.before.shape != (n, n) or self.after.shape != (n, n):
            raise ValueError(
                "`before` and `after` must be square and of the same shape. Got "
                f"{self.before.shape} and {self.after.shape}."
            )
        self.labels = None if labels is None else one_per_row(labels, n)
        self.rows_ = np.arange(n)
        self._titles = ("all columns", "projected")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Array,
        y: Array | None = None,
        *,
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
            What to order the rows by. None: the clusters, of a clustering estimator.
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
            y = estimator.predict(X)
        if y is not None:
            y = one_per_row(y, rows.shape[0])
            real = (target_kind(step, y) or detect_target(y)) == "real"
            y = y.astype(np.float64) if real else y
        order = y if y is None or y.dtype.kind == "f" else class_codes(y)[1]
        index = evenly_drawn(order, rows.shape[0], max_rows, random_state)
        if order is not None:  # like beside like, also within a class
            along = np.asarray(rows[index] @ step.components_[0])
            index = index[np.lexsort((along, order[index]))]
        before, after, median = _both(step, rows, index, random_state)
        display = cls(before, after, labels=None if y is None else y[index])
        display.rows_ = index
        scale = "" if median is None else f"\nat the median distance, {median:.3g}"
        kind = kernel_phrase(step.kernel_)
        own = "" if step.bandwidth_ is None else f"\nbandwidth {step.bandwidth_:.3g}"
        display._titles = (
            f"{rows.shape[1]} columns, {kind}{scale}",
            f"{step.n_components_} dimensions found, {kind}{own}",
        )
        return display.plot(ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes or array of two, default=None
            Where to draw; None makes a figure. One Axes is split.

        Returns
        -------
        KernelDisplay
        """
        axes = panels(ax, 1, 2, (8.8, 4.2))[0]
        self.ax_, self.figure_ = axes, axes[0].figure
        order = self._order()
        matrices = [K[np.ix_(order, order)] for K in (self.before, self.after)]
        unit = all(K.min() >= 0.0 and K.max() <= 1.0 + 1e-9 for K in matrices)
        limits = {"vmin": 0.0, "vmax": 1.0} if unit else {}
        for i, (one, K, title) in enumerate(zip(axes, matrices, self._titles, strict=True)):
            image = one.imshow(K, cmap="viridis", interpolation="nearest", **limits)
            one.set_title(title, fontsize=9)
            self._mark_classes(one, order, named=i == 0)
            if not unit or i == 1:
                one.figure.colorbar(image, ax=axes if unit else one, shrink=0.75, label="kernel")
        return self

    def _order(self) -> Array:
        """Rows by label, otherwise as they are."""
        if self.labels is None:
            return np.arange(self.before.shape[0])
        keys = self.labels if self.labels.dtype.kind == "f" else class_codes(self.labels)[1]
        return np.argsort(keys, kind="stable")

    def _mark_classes(self, ax: Any, order: Array, named: bool) -> None:
        """Lines between the classes, and their names down the side."""
        ax.set_xticks([])
        ax.set_yticks([])
        if self.labels is None:
            return
        if self.labels.dtype.kind == "f":
            ax.set_ylabel("rows by y, rising downwards" if named else "")
            return
        classes, codes = class_codes(self.labels[order])
        ends = np.cumsum(np.bincount(codes))
        for end in ends[:-1]:
            ax.axhline(end - 0.5, color="white", linewidth=0.8)
            ax.axvline(end - 0.5, color="white", linewidth=0.8)
        if named:
            centres = 0.5 * (ends + np.concatenate([[0], ends[:-1]])) - 0.5
            every = -(-len(classes) // _MOST_NAMES)
            ax.set_yticks(centres[::every], [shown(name) for name in classes[::every]])
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
    w, here = X @ step.components_.T, slice(0, index.size)
    at_rest, median = at_median(kernel, X)
    in_all = row_scales(kernel, X, here)
    # The clustering estimators take scales from the projected rows, the others from all columns.
    in_subspace = row_scales(kernel, w, here) if hasattr(step, "predict") else in_all
    before = kernel_matrix(at_rest, X[here], in_all)
    return before, kernel_matrix(kernel, w[here], in_subspace), median
