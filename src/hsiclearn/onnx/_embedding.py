r"""Kernels and labels in ONNX: what ``predict`` of the clustering estimators computes.

The formulas are those of ``_alternation/labelling.py``, in double precision: the kernel between new
rows and those of the fit, its product with the embedding, the nearest centre.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._alternation import ByCentre, ByVote, Extension
from .._arrays import FloatArray
from ..kernels import AbstractKernel, NeighbourScales, RelativeGaussian
from ._graph import Node, Nodes

_SAME = 1e-9  # of a typical length: rows nearer than that are one


def clusters_at(graph: Nodes, w: Node, labelling: Any) -> Node:
    """The clusters of projected rows."""
    if isinstance(labelling, ByCentre):
        return _by_centre(graph, w, labelling)
    if isinstance(labelling, ByVote):
        return _by_vote(graph, w, labelling)
    raise TypeError(
        "A labelling must be by centres or by votes to be written as ONNX. Got "
        f"{type(labelling).__name__}."
    )


def _by_centre(graph: Nodes, w: Node, labelling: ByCentre) -> Node:
    """``argmin_c |c|^2 - 2 u'c``, u the embedding at unit length; centres without rows are none."""
    Y = _embedding(graph, w, labelling.extension)
    length = graph.Sqrt(graph.ReduceSumSquareApi18(Y, axes=[1], keepdims=1))
    one = np.ones(1)
    u = graph.Div(Y, graph.Where(graph.Greater(length, np.zeros(1)), length, one))
    there = np.flatnonzero(~np.isnan(labelling.centres).any(axis=1))
    centres = labelling.centres[there]
    score = graph.Add(graph.MatMul(u, -2.0 * centres.T), np.sum(centres**2, axis=1)[None, :])
    nearest = graph.ArgMin(score, axis=1, keepdims=0)
    return graph.at(labelling.cluster_of[there].astype(np.int64), nearest)


def _by_vote(graph: Nodes, w: Node, labelling: ByVote) -> Node:
    """``argmax_c sum_{j in c} k_j``; a row of the fit keeps its own cluster."""
    extension, labels = labelling.extension, labelling.labels.astype(np.int64)
    Y = np.eye(int(labels.max()) + 1)[labels]
    vote = graph.ArgMax(_times_kernel(graph, w, extension, Y), axis=1, keepdims=0)
    square = graph.squared_distances(w, extension.rows)
    own = graph.at(labels, graph.ArgMin(square, axis=1, keepdims=0))
    spread = float(extension.rows.var(axis=0).sum())
    least = graph.ReduceMin(square, np.array([1], dtype=np.int64), keepdims=0)
    is_ours = graph.LessOrEqual(least, np.array([_SAME**2 * spread]))
    return graph.Where(is_ours, own, vote)


def _embedding(graph: Nodes, w: Node, extension: Extension) -> Node:
    """``(1/lambda) sum_j k_j y_j / sqrt(d(x) d_j)``, or ``(1/lambda) sum_j (k_j - mean) y_j``."""
    if extension.normalize == "none":
        mean = extension.degree @ extension.embedding / extension.degree.size
        KV = graph.Sub(_times_kernel(graph, w, extension, extension.embedding), mean[None, :])
        return graph.Div(KV, extension.values[None, :])
    n, k = extension.embedding.shape
    V = extension.embedding / np.sqrt(extension.degree)[:, None]
    KV = _times_kernel(graph, w, extension, np.append(V, np.ones((n, 1)), axis=1))
    degree = graph.Max(graph.column(KV, k), np.full((1, 1), np.finfo(float).tiny))
    KV = graph.Gather(KV, np.arange(k, dtype=np.int64), axis=1)
    return graph.Div(graph.Div(KV, graph.Sqrt(degree)), extension.values[None, :])


def _times_kernel(graph: Nodes, w: Node, extension: Extension, V: FloatArray) -> Node:
    """``K V`` with ``K_ij = k(w_i, x_j)``, term by term."""
    total = None
    square = graph.squared_distances(w, extension.rows)
    for (weight, kernel), scales in zip(extension.kernel.terms, extension.scales, strict=True):
        beta = square if kernel.pair.is_difference else graph.MatMul(w, extension.rows.T)
        if scales is not None:
            beta = graph.Mul(beta, _inverse_scales(graph, square, scales))
            beta = graph.Mul(beta, scales.inverse[None, :])
        KV = graph.MatMul(_values(graph, beta, kernel), weight * V)
        total = KV if total is None else graph.Add(total, KV)
    return total


def _inverse_scales(graph: Nodes, square: Node, scales: NeighbourScales) -> Node:
    """``1/sigma`` of new rows, by their neighbours among ours; one of ours keeps its own."""
    k = min(scales.n_neighbors, scales.rows.shape[0] - 1)
    how_many = np.array([k + 1], dtype=np.int64)
    nearest = graph.TopK(square, how_many, axis=1, largest=0, sorted=1)[0]
    first, other, own = (graph.Sqrt(graph.column(nearest, c)) for c in (0, k - 1, k))
    is_ours = graph.LessOrEqual(first, np.array([[_SAME * scales.distance[scales.reference]]]))
    sigma = graph.Max(graph.Where(is_ours, own, other), np.array([[scales.lowest]]))
    return graph.Reciprocal(sigma)


def _values(graph: Nodes, beta: Node, kernel: AbstractKernel) -> Node:
    """``f(beta)``, where the kernel says what f is: an exponential, a polynomial, a power."""
    rate = -0.5 if isinstance(kernel, RelativeGaussian) else kernel.rate
    if rate is not None:  # f' = rate f
        at_zero = float(kernel.f(np.zeros(1))[0])
        return graph.Mul(graph.Exp(graph.Mul(beta, np.array([rate]))), np.array([at_zero]))
    if kernel.coefficients is not None:
        *lower, highest = kernel.coefficients
        value: Node = np.array([highest])
        for coefficient in reversed(lower):
            value = graph.Add(graph.Mul(beta, value), np.array([coefficient]))
        return value
    if kernel.power is not None:
        size, unit, exponent = kernel.power
        base = graph.Add(graph.Mul(beta, np.array([1.0 / unit])), np.ones(1))
        return graph.Mul(graph.Pow(base, np.array([exponent])), np.array([size]))
    raise TypeError(
        "A kernel must be an exponential, a polynomial or a power of beta for `predict` to be "
        f"written as ONNX. Got {kernel!r:.200}. Fit with a kernel given by name, or convert "
        '`transform` alone: options={id(step): {"labels": False}}.'
    )
