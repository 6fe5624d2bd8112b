r"""A fit that is made to predict: the result of a descent of the prediction error.

The directions are orthogonal and have lengths of their own, which are part of the answer: how far
apart rows may be along each and still tell of one another. The longest comes first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import FloatArray
from .._columns import Column
from .._linalg import Basis, fix_signs
from .._progress import shown_by
from .._result import Certificate, Result, Status
from .._rows import AbstractRows, as_rows
from .._solvers import Callback, Sharpened, Steps, gradient_directions, sharpened
from ..gamma import AbstractGamma
from ..kernels import Gaussian
from .candidates import GRADIENTS, PREDICTION
from .metric import FREE
from .problem import Fitted, SupervisedData
from .ridge import responses
from .sample import draw_counted

FIRST_ROWS, MOST_ROWS = 4000, 20_000
"""That a descent looks at, first and last: its time grows in proportion."""

_LAST = 10  # steps
_VANISHING = 1e-12  # of the largest square
_TOL = 1e-3  # what a gradient is measured by: the loss is noisy beyond


def predictive_fit(
    data: SupervisedData,
    W: FloatArray,
    start: str,
    basis_on: Callable[[AbstractRows, Column | None], Basis],
    max_iter: int,
    callback: Callback | None = None,
) -> Fitted:
    """From directions W of the columns, or from gradients; on 20,000 rows at most.

    In the coordinates of a metric or of weights, as when it was compared, and from there: on no
    more rows than there were then, and on more rows than columns, it is what was compared. Of more
    than 4000 rows so many come first.
    """
    rng = np.random.default_rng(data.seed)
    X, gamma = _some(data, FIRST_ROWS, rng)
    Y, v = responses(gamma), gamma.row_weights
    basis = basis_on(as_rows(X), v)
    X = basis.lower(X)
    q = W.shape[1]
    begin = gradient_directions(X, Y, q, v) if start == GRADIENTS else basis.coordinates(W)
    with shown_by(lambda A: _in_order(basis.lift(A))[0]):
        found = _descended(X, gamma, begin, max_iter, callback)
        if data.rows.n_samples > FIRST_ROWS:
            X, gamma = _some(data, MOST_ROWS, rng)
            X = basis.lower(X)
            found = _descended(X, gamma, found.A, max_iter, callback, found.bandwidth)
    A, unit = _in_order(basis.lift(_where_rows_are(X, found.A)))
    squares = np.einsum("ij,ij->j", A, A)
    patterns = A / np.maximum(squares, _VANISHING * squares.max())
    kernel = Gaussian(float(found.bandwidth / unit))
    result = _result(A, found, start, gamma.n_samples)
    return Fitted(result, kernel, metric=FREE, objective=PREDICTION, patterns=patterns)


def _descended(
    X: FloatArray,
    gamma: AbstractGamma,
    A: FloatArray,
    max_iter: int,
    callback: Callback | None,
    bandwidth: float | None = None,
) -> Sharpened:
    """From A, every step told."""
    steps = Steps(f"predicting {X.shape[0]} rows", max_iter, callback)
    steps.announce()
    Y, v = responses(gamma), gamma.row_weights
    return sharpened(X, Y, A, bandwidth=bandwidth, max_iter=max_iter, weights=v, steps=steps)


def _in_order(A: FloatArray) -> tuple[FloatArray, float]:
    """Orthogonal directions, the longest first, of unit size together; and what that took."""
    U, lengths, _ = np.linalg.svd(A, full_matrices=False)
    unit = max(float(np.linalg.norm(lengths)) / np.sqrt(A.shape[1]), np.finfo(float).tiny)
    return fix_signs(U * (lengths / unit)), unit


def _some(
    data: SupervisedData, most: int, rng: np.random.Generator
) -> tuple[FloatArray, AbstractGamma]:
    """So many rows at most, seen from their mean, and their Gamma."""
    index = draw_counted(data.rows.n_samples, most, rng, data.gamma.row_weights)
    X = data.rows.take(index)
    return X - X.mean(axis=0), data.gamma.centered_on(index)


def _where_rows_are(X: FloatArray, A: FloatArray) -> FloatArray:
    """Without what A has along directions in which no row differs: no loss sees that."""
    values, vectors = np.linalg.eigh(X.T @ X)
    V = vectors[:, values > _VANISHING * values[-1]]
    return V @ (V.T @ A)


def _result(A: FloatArray, found: Sharpened, start: str, n_rows: int) -> Result:
    ran_out = Status.MAX_ITER if found.ran_out else Status.STALLED
    status = Status.SETTLED if found.has_settled else ran_out
    status = Status.STOPPED if found.was_stopped else status
    before = found.losses[-1 - _LAST :][0]
    certificate = Certificate(
        orthogonality=0.0,
        stationarity=found.gradients[-1],
        curvature=np.nan,
        second_order=None,
        eigengap=np.nan,
        is_lowest=False,
        theorem1=None,
        full_rank=None,
        tol=_TOL,
        engine="landmarks",
        ended="creep" if found.has_settled else status.name.lower(),
        last_gain=before - found.losses[-1],
        yardstick="the variance",
    )
    return Result(
        W=A,
        cost=found.losses[-1],
        status=status,
        history=found.history,
        eigenvalues=np.zeros(0),
        certificate=certificate,
        engine="landmarks",
        start=start,
        engine_reason=f"{n_rows} rows are predicted from some of them.",
    )
