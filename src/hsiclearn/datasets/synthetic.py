"""Synthetic tables whose answer is known: hidden directions, or two clusterings in one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .._arrays import Array, FloatArray

__all__ = ["Planted", "TwoViews", "make_planted", "make_two_views"]


class Planted(NamedTuple):
    """Rows, the target, and the directions it depends on, ``(n_features, q)``."""

    X: FloatArray
    y: Array
    W: FloatArray


def _noise(z: FloatArray, rng: np.random.Generator) -> FloatArray:
    return rng.normal(0.0, 0.1, size=(z.shape[0],))


def _third_of_a_turn(z: FloatArray) -> Array:
    turns = np.arctan2(z[:, 1], z[:, 0]) / (2.0 * np.pi) + 0.5
    return np.minimum((3.0 * turns).astype(int), 2)  # a whole turn belongs to the last third


_TARGETS: dict[str, tuple[int, Callable[[FloatArray, np.random.Generator], Array]]] = {
    "step": (1, lambda z, rng: (z[:, 0] > 0.0).astype(int)),
    "xor": (2, lambda z, rng: (z[:, 0] * z[:, 1] > 0.0).astype(int)),
    "ring": (2, lambda z, rng: (np.hypot(z[:, 0], z[:, 1]) > 1.18).astype(int)),
    "sectors": (2, lambda z, rng: _third_of_a_turn(z)),
    "sine": (1, lambda z, rng: np.sin(2.0 * z[:, 0]) + _noise(z, rng)),
    "product": (2, lambda z, rng: z[:, 0] * z[:, 1] + _noise(z, rng)),
}


def make_planted(
    kind: str = "xor",
    n_samples: int = 400,
    n_features: int = 10,
    *,
    n_noise: int = 0,
    tails: float | None = None,
    random_state: int | np.random.Generator = 0,
) -> Planted:
    """Draw rows and a target of one or two of their hidden coordinates.

    Parameters
    ----------
    kind : {"step", "xor", "ring", "sectors", "sine", "product"}
        ``[z1 > 0]``, ``[z1 z2 > 0]``, ``[|(z1, z2)| > 1.18]``, the third of a turn in which
        ``(z1, z2)`` lies, ``sin(2 z1)`` and ``z1 z2``, the last two with noise of a tenth. Of the
        others the target is a class.
    n_samples, n_features : int
    n_noise : int
        How many of the features, the last ones, no hidden direction has a part in.
    tails : float, optional
        Degrees of freedom of Student's t, from which the entries are drawn; standard normal by
        default.
    random_state : int or Generator

    Returns
    -------
    Planted
        ``X``, ``y`` and the hidden basis ``W``: ``X @ W`` are the coordinates z.

    Examples
    --------
    >>> from hsiclearn.datasets import make_planted
    >>> X, y, W = make_planted("ring", 200, 6)
    >>> X.shape, W.shape
    ((200, 6), (6, 2))
    """
    if kind not in _TARGETS:
        raise ValueError(f"`kind` must be one of {list(_TARGETS)}. Got {kind!r}.")
    q, target = _TARGETS[kind]
    used = n_features - n_noise
    if n_samples < 1 or n_noise < 0 or used < q:
        raise ValueError(
            f"Need n_samples >= 1, n_noise >= 0 and n_features - n_noise >= {q} for kind={kind!r}. "
            f"Got n_samples={n_samples}, n_features={n_features}, n_noise={n_noise}."
        )
    if tails is not None and not tails > 0.0:
        raise ValueError(f"`tails` must be None or above 0. Got {tails}.")
    rng = np.random.default_rng(random_state)
    shape = (n_samples, n_features)
    X = rng.standard_normal(shape) if tails is None else rng.standard_t(tails, shape)
    W = np.zeros((n_features, q))
    W[:used] = np.linalg.qr(rng.standard_normal((used, q)))[0]
    return Planted(X, target(X @ W, rng), W)


class TwoViews(NamedTuple):
    """Rows with two independent labellings, each carried by a plane of its own."""

    X: FloatArray
    given: Array
    alternative: Array


def make_two_views(
    kind: str = "blobs",
    n_samples: int = 600,
    n_clusters: int = 2,
    *,
    proportions: Sequence[float] | None = None,
    n_noise: int = 0,
    noise: str = "gaussian",
    rotated: bool = True,
    random_state: int | np.random.Generator = 0,
) -> TwoViews:
    """Draw rows that fall into clusters in two independent ways.

    Two planes, each with clusters of the same kind, and noise columns, of unit variance on average;
    then a random rotation mixes all columns.

    Parameters
    ----------
    kind : {"blobs", "moons", "rings"}
        Gaussian blobs on a circle; half circles that interlock; concentric rings.
    n_samples : int
    n_clusters : int
        In each view, at least 2.
    proportions : sequence of float, optional
        Shares of the clusters; equal by default.
    n_noise : int
        Columns of noise.
    noise : {"gaussian", "uniform"}
    rotated : bool
    random_state : int or Generator

    Returns
    -------
    TwoViews
        ``X`` of shape (n_samples, 4 + n_noise), ``given``, ``alternative``.

    Examples
    --------
    >>> from hsiclearn.datasets import make_two_views
    >>> X, given, alternative = make_two_views("moons", 300, n_noise=2)
    >>> X.shape
    (300, 6)
    """
    if kind not in _SHAPES or noise not in ("gaussian", "uniform"):
        raise ValueError(
            f"`kind` must be one of {list(_SHAPES)} and `noise` 'gaussian' or 'uniform'. "
            f"Got kind={kind!r}, noise={noise!r}."
        )
    rng = np.random.default_rng(random_state)
    shares = np.full(n_clusters, 1.0) if proportions is None else np.asarray(proportions, float)
    if n_clusters < 2 or shares.shape != (n_clusters,) or not shares.min() > 0:
        raise ValueError(
            "Need n_clusters >= 2 and one positive share per cluster. "
            f"Got n_clusters={n_clusters} and shares {shares.tolist()}."
        )
    if n_samples < 2 * n_clusters or n_noise < 0:
        raise ValueError(
            "Need n_samples >= 2 n_clusters and n_noise >= 0. "
            f"Got n_samples={n_samples}, n_clusters={n_clusters}, n_noise={n_noise}."
        )
    views, labels = [], []
    for _ in range(2):
        y = rng.permutation(_labels(n_samples, shares / shares.sum()))
        plane = _SHAPES[kind](y, n_clusters, rng)
        views.append((plane - plane.mean(axis=0)) / np.sqrt(plane.var(axis=0).mean()))
        labels.append(y)
    rest = (
        rng.standard_normal((n_samples, n_noise))
        if noise == "gaussian"
        else rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), (n_samples, n_noise))
    )
    X = np.concatenate([*views, rest], axis=1)
    if rotated:
        X = X @ np.linalg.qr(rng.standard_normal((X.shape[1], X.shape[1])))[0]
    return TwoViews(X, labels[0], labels[1])


def _labels(n: int, shares: FloatArray) -> Array:
    edges = np.round(np.cumsum(shares)[:-1] * n).astype(int)
    return np.searchsorted(edges, np.arange(n), side="right")


def _blobs(y: Array, k: int, rng: np.random.Generator) -> FloatArray:
    """Unit Gaussians, neighbours six standard deviations apart on a circle."""
    angle = 2 * np.pi * y / k
    radius = 3.0 / np.sin(np.pi / k)
    centres = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return centres + rng.standard_normal((y.size, 2))


def _moons(y: Array, k: int, rng: np.random.Generator) -> FloatArray:
    """Half circles in pairs that interlock; the pairs stand side by side."""
    angle = rng.uniform(0, np.pi, y.size)
    pair, down = y // 2, y % 2
    across = np.cos(angle) + down + 3.5 * pair
    up = (1 - 2 * down) * np.sin(angle) + 0.5 * down
    return np.stack([across, up], axis=1) + 0.05 * rng.standard_normal((y.size, 2))


def _rings(y: Array, k: int, rng: np.random.Generator) -> FloatArray:
    """Circles of radius k, ..., 2, 1: the first cluster is the longest."""
    angle = rng.uniform(0, 2 * np.pi, y.size)
    plane = (k - y)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return plane + 0.05 * rng.standard_normal((y.size, 2))


_SHAPES: dict[str, Callable[[Array, int, np.random.Generator], FloatArray]] = {
    "blobs": _blobs,
    "moons": _moons,
    "rings": _rings,
}
