"""What L-BFGS remembers of the last steps on the manifold, and the direction it follows from."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import numpy as np

from .._arrays import FloatArray

_STEPS = 10


class Memory:
    """The last steps s and changes of gradient y, as tangents at the present W."""

    def __init__(self) -> None:
        self._pairs: list[tuple[FloatArray, FloatArray]] = []

    def __bool__(self) -> bool:
        return bool(self._pairs)

    def clear(self) -> None:
        """Forget everything."""
        self._pairs = []

    def direction(
        self, gradient: FloatArray, divide: Callable[[FloatArray], FloatArray] = lambda V: V
    ) -> FloatArray:
        """The two-loop recursion around ``M^-1 = divide``, M a first guess of the Hessian."""
        Z, weights = gradient, []
        for s, y in reversed(self._pairs):
            weights.append(float(np.vdot(s, Z) / np.vdot(s, y)))
            Z = Z - weights[-1] * y
        Z = divide(Z)
        if self._pairs:
            s, y = self._pairs[-1]
            Z = Z * float(np.vdot(s, y) / np.vdot(y, divide(y)))
        for (s, y), weight in zip(self._pairs, reversed(weights), strict=True):
            Z = Z + (weight - float(np.vdot(y, Z) / np.vdot(s, y))) * s
        return -Z

    def move_to(
        self, W: FloatArray, step: FloatArray, before: FloatArray, after: FloatArray
    ) -> None:
        """Carry all to W by projection, and add what a step there has told of the gradient."""
        V = np.stack([step, before, *chain.from_iterable(self._pairs)])
        V -= W @ (W.T @ V)
        s, before, *others = V
        y, carried = after - before, zip(others[::2], others[1::2], strict=True)
        self._pairs = [(a, b) for a, b in carried if np.vdot(a, b) > 0.0]
        if np.vdot(s, y) > 1e-10 * np.linalg.norm(s) * np.linalg.norm(y):
            self._pairs = [*self._pairs, (s, y)][-_STEPS:]


def backtracked(slope: float, length: float, rise: float) -> float:
    """The lowest point of the parabola through what a line search knows, within reason."""
    bend = 2.0 * (rise - length * slope)
    wanted = -slope * length**2 / bend if np.isfinite(bend) and bend > 0 else 0.0
    return min(max(wanted, 0.1 * length), 0.5 * length)
