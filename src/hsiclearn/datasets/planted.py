"""Tables whose target depends on a few hidden directions, and only there."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._arrays import Array, FloatArray

__all__ = ["Planted", "make_planted"]


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
