r"""A subspace that predicts: from a start, down the loss of predicting each row from the others.

HSIC looks for dependence of any kind; what a kernel regression in the subspace can make of it is
another question. L-BFGS (scipy) on the map A, scales included, and the ridge, from a subspace that
is near: the loss has many local minima, and overfits where rows are few, so that whoever calls
this must ask rows held out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from .._arrays import FloatArray
from .._linalg import typical_distance
from .._objective import PredictionLoss
from .._result import Record
from .._threads import end_if_unwanted
from .steps import Steps

_LANDMARKS, _PER_DIRECTION = 100, 40  # at least, and for each direction
_RIDGES = (1e-4, 1e-3, 1e-2)  # to begin with
_LOWEST, _HIGHEST = 1e-6, 1.0  # ridge
_HALF = 0.5  # of the median distance: the bandwidth to begin with
_TOGETHER = 5  # steps ...
_GAIN, _LITTLE = 1e-2, 1e-3  # ... that must lower the loss by so much of it, and of the variance
_MAX_ITER = 100


class Sharpened(NamedTuple):
    """A map, the bandwidth at which it predicts, and how the descent went."""

    A: FloatArray  # (d, q), of Frobenius norm sqrt(q)
    bandwidth: float
    losses: tuple[float, ...]  # of every step
    gradients: tuple[float, ...]  # |A| |gradient| there: a share of the variance, as the loss is
    has_settled: bool
    ran_out: bool  # of steps
    was_stopped: bool = False

    @property
    def history(self) -> tuple[Record, ...]:
        """The losses as costs."""
        pairs = zip(self.losses, self.gradients, strict=True)
        return tuple(_record(k, loss, gradient) for k, (loss, gradient) in enumerate(pairs))


def _record(k: int, loss: float, gradient: float) -> Record:
    step = "lbfgs" if k else "start"
    return Record(step, loss, gradient, np.nan, np.nan, np.nan, k + 1, 0, k)


def sharpened(
    X: FloatArray,
    Y: FloatArray,
    W: FloatArray,
    *,
    bandwidth: float | None = None,
    landmarks: int | None = None,
    max_iter: int = _MAX_ITER,
    weights: FloatArray | None = None,
    steps: Steps | None = None,
) -> Sharpened:
    """From the directions W until five steps together gain less than 1 % of the loss.

    Or less than 0.001 of the variance, which nobody would notice.

    The bandwidth to begin with is half the median distance in the subspace, unless it is known.
    ``weights`` are those of the rows.
    """
    n, q, steps = X.shape[0], W.shape[1], steps or Steps()
    rng = np.random.default_rng(0)
    landmarks = landmarks or max(_LANDMARKS, _PER_DIRECTION * q)
    some = np.sort(rng.choice(n, min(landmarks, n), replace=False))
    mean = Y.mean(axis=0) if weights is None else weights @ Y / weights.sum()
    problem = PredictionLoss(X, Y - mean, X[some], weights)
    scale = bandwidth or _HALF * typical_distance(X @ W, rng, weights)
    A = W / (scale if scale > 0.0 else 1.0)
    ridge = min(_RIDGES, key=lambda r: problem.at(A, r).loss)
    losses: list[float] = []
    gradients: list[float] = []
    ended: list[str] = []
    known: list[tuple[FloatArray, float, FloatArray]] = []  # the last evaluation

    def value(theta: FloatArray) -> tuple[float, FloatArray]:
        end_if_unwanted()
        at = problem.at(theta[:-1].reshape(A.shape), float(np.exp(theta[-1])))
        slope = np.concatenate([at.gradient.ravel(), [at.by_ridge]])
        known[:] = [(theta.copy(), at.loss, slope)]
        return at.loss, slope

    def note(theta: FloatArray) -> None:
        if not (known and np.array_equal(known[0][0], theta)):
            value(theta)
        _, loss, slope = known[0]
        losses.append(loss)
        gradients.append(float(np.linalg.norm(theta[:-1]) * np.linalg.norm(slope[:-1])))
        k = len(losses) - 1
        steps.made(_record(k, loss, gradients[-1]), theta[:-1].reshape(A.shape), k)
        last = losses[-1 - _TOGETHER :]
        if len(last) > _TOGETHER and last[0] - last[-1] <= max(_GAIN * last[0], _LITTLE):
            ended.append("settled")
        elif steps.are_stopped:
            ended.append("stopped")
        if ended:
            raise StopIteration
        steps.begin()

    start = np.concatenate([A.ravel(), [np.log(ridge)]])
    steps.begin()
    try:
        note(start)
    except StopIteration:
        max_iter = 0
    bounds = [(None, None)] * A.size + [(np.log(_LOWEST), np.log(_HIGHEST))]
    found = minimize(
        value,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        callback=note,
        options={"maxiter": max_iter},
    )
    A = found.x[:-1].reshape(A.shape)
    size = float(np.linalg.norm(A)) / np.sqrt(q)
    was_stopped = ended == ["stopped"]
    has_settled = not was_stopped and (bool(ended) or found.status == 0)
    return Sharpened(
        A / size,
        1.0 / size,
        tuple(losses),
        tuple(gradients),
        has_settled,
        found.nit >= max_iter,
        was_stopped,
    )
