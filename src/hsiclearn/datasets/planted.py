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


_TARGETS: dict[str, tuple[int, Callable[[FloatArray, np.random.Generator], Array]]] = {
    "step": (1, lambda z, rng: (z[:, 0] > 0.0).astype(int)),
    "xor": (2, lambda z, rng: (z[:, 0] * z[:, 1] > 0.0).astype(int)),
    "ring": (2, lambda z, rng: (np.hypot(z[:, 0], z[:, 1]) > 1.18).astype(int)),
    "sine": (1, lambda z, rng: np.sin(2.0 * z[:, 0]) + _noise(z, rng)),
    "product": (2, lambda z, rng: z[:, 0] * z[:, 1] + _noise(z, rng)),
}


def make_planted(
    kind: str = "xor",
    n_samples: int = 400,
    n_features: int = 10,
    *,
    random_state: int | np.random.Generator = 0,
) -> Planted:
    """Draw standard normal rows and a target of one or two of their hidden coordinates.

    Parameters
    ----------
    kind : {"step", "xor", "ring", "sine", "product"}
        ``[z1 > 0]``, ``[z1 z2 > 0]``, ``[|(z1, z2)| > 1.18]``, ``sin(2 z1)`` and ``z1 z2``, the
        last two with noise of a tenth. Of the first three the target is a class.
    n_samples, n_features : int
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
    if n_samples < 1 or n_features < q:
        raise ValueError(
            f"Need n_samples >= 1 and n_features >= {q} for kind={kind!r}. "
            f"Got n_samples={n_samples}, n_features={n_features}."
        )
    rng = np.random.default_rng(random_state)
    X = rng.standard_normal((n_samples, n_features))
    W = np.linalg.qr(rng.standard_normal((n_features, q)))[0]
    return Planted(X, target(X @ W, rng), W)
