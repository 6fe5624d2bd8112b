"""Kernel matrices of some rows, before and after projection, and which rows to take."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from .._arrays import Array, FloatArray
from .._engines.graph import KernelGraph
from .._selection import median_distance
from ..kernels import AbstractKernel

__all__ = ["at_median", "evenly_drawn", "kernel_matrix", "kernel_phrase", "row_scales"]

_SCALES = ("bandwidth", "c")  # what kernels call their scale


def kernel_matrix(
    kernel: AbstractKernel, w: FloatArray, scales: list[FloatArray | None]
) -> FloatArray:
    """K of projected rows; one set of row scales, or None, per term of the kernel."""
    if all(term.pair.is_difference for _, term in kernel.terms):
        w = w - w.mean(axis=0)  # differences do not see the mean, but rounding does
    graph = KernelGraph(kernel, w.shape[0], engine="dense")
    graph.place(w, scales)
    return np.asarray(graph.multiply(np.eye(w.shape[0])))


def row_scales(
    kernel: AbstractKernel, rows: FloatArray, shown_rows: slice
) -> list[FloatArray | None]:
    """The scales that neighbours among all ``rows`` give to those shown, per term."""
    scales = [term.row_scales(rows) for _, term in kernel.terms]
    return [None if s is None else s[shown_rows] for s in scales]


def at_median(kernel: AbstractKernel, rows: FloatArray) -> tuple[AbstractKernel, float | None]:
    """The kernel with its scale at the median distance of the rows, and that distance.

    A kernel without one scale of its own, such as a sum, is left as it is.
    """
    names: list[str] = [f.name for f in fields(kernel)] if is_dataclass(kernel) else []
    for name in _SCALES:
        if name in names:
            median = median_distance(rows, np.random.default_rng(0))
            return replace(kernel, **{name: median}), median  # type: ignore[type-var]
    return kernel, None


def kernel_phrase(kernel: AbstractKernel) -> str:
    """The kind of kernel, in a word or two."""
    if len(kernel.terms) > 1:
        return "sum of kernels"
    name = type(kernel.terms[0][1]).__name__
    return "".join(f" {c}" if c.isupper() and i else c for i, c in enumerate(name))


def evenly_drawn(y: Array | None, n_samples: int, max_rows: int, random_state: Any) -> Array:
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
