r"""How much of the target the projected rows tell: kernel ridge regression in the subspace.

::

    predicted  m + F (F'F + n r I)^-1 F' (Y - m),     K(Z) ~ F F',   Z = X W

with a Gaussian K at half the median distance of the projected rows, whatever kernel W was found
with. The target Y is a matrix with the inner products of K_Y, so that the loss is the squared
distance in the feature space of y: classes are one-hot, and of a real target also its spread
counts, not its mean alone.

Where rows have weights v, it is the regression on the table with repeated rows, ``D = diag(v)``, ::

    predicted  m + F (F' D F + V r I)^-1 F' D (Y - m),     m = sum_i v_i y_i / V

and errors count v times: the same with ``v^1/2 F`` and ``v^1/2 (Y - m)`` in the place of F and
Y - m. A row is left out with all its weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from .._arrays import Array, FloatArray
from .._engines.features import Candidates, NystromFeatures
from .._linalg import typical_distance
from ..exceptions import DegenerateDataError
from ..gamma import AbstractGamma
from ..kernels import Gaussian
from .sample import draw_rows

RIDGES = 10.0 ** np.arange(-5, 0)  # times n: a grid from hardly any smoothing to much
_HALF = 0.5  # of the median distance
_EXACT = 1e-6  # error of a kernel value of candidates: far below the smallest ridge
_MOST_FEATURES = 300
_CANDIDATES = 200  # rows for each direction, of which some are landmarks: pairs of all take longer
_FAR, _FEW_FAR = 1e-2, 0.02  # error of a kernel value of other rows; the share of them it may have
_MOST_RESPONSES = 50
_ROUNDING = 1e-12  # of the largest: an eigenvalue that is none
_NO_SHARE = 1e-10  # of a row in its own prediction that is left: by rounding alone
_LEVEL, _ERRORS = 0.02, 0.5  # of a loss, of standard errors: less is level


def responses(gamma: AbstractGamma) -> FloatArray:
    """``Y`` (n, r) with ``Y Y' = Gamma``: the target as K_Y sees it, centred.

    Of a Gamma that is not positive semi-definite, the positive part; 50 columns at most. Of one
    with weights they are those of its single rows.
    """
    U, s = gamma.factors(_MOST_RESPONSES)
    if (v := gamma.row_weights) is not None:
        U = U / np.maximum(v, np.finfo(float).tiny)[:, None]
    positive = s > _ROUNDING * np.abs(s).max(initial=0.0)
    if not positive.any():
        raise DegenerateDataError(
            "A rule that holds rows out needs a Gamma with a positive eigenvalue, to have "
            f"something to predict. The largest is {s.max(initial=0.0):.3g}. Pass a bandwidth "
            "and n_components as numbers, or bandwidth='median'."
        )
    return U[:, positive] * np.sqrt(s[positive])


def level_margin(loss: float, error: Array) -> Array:
    """By how much two losses may differ and be level: two per cent, or half a standard error.

    The error is that of their difference, on rows that are the same for both.
    """
    return np.maximum(_ERRORS * error, _LEVEL * abs(loss))


def error_of_sum(differences: FloatArray) -> Array:
    """Standard error of the sum over rows, along the last axis."""
    return np.asarray(np.sqrt(differences.shape[-1]) * differences.std(axis=-1))


class SubspaceRidge:
    """Kernel ridge regression of Y on the projected rows Z, the ridge chosen by leave-one-out.

    Rows of the same group are left out together. Row by row, a copy of it would predict each row,
    and hardly any ridge would seem best. Of a single group rows are left out after all.

    Landmarks are drawn among some of the rows, unless ``among_all``. Small groups and tails may
    lie far from all of these and would be predicted by the mean: where more than 2 % of the rows
    do, they are added.
    """

    def __init__(
        self,
        Z: FloatArray,
        Y: FloatArray,
        groups: Array | None = None,
        *,
        among_all: bool = False,
        weights: FloatArray | None = None,
    ) -> None:
        n, v = Z.shape[0], weights
        self._blocks = _blocks(groups, n)
        self._total = n if v is None else float(v.sum())
        self._root = None if v is None else np.sqrt(v)
        self._mean = Y.mean(axis=0) if v is None else v @ Y / self._total
        self._Y = self._weighted(Y - self._mean)
        rng = np.random.default_rng(0)
        some = draw_rows(n, n if among_all else _CANDIDATES * Z.shape[1], rng)
        scale = typical_distance(Z[some], rng, None if v is None else v[some])
        scale = scale or typical_distance(Z, rng)
        # All rows in one place: any bandwidth gives the constant kernel.
        kernel = Gaussian(_HALF * scale if scale > 0.0 else 1.0)
        self._features = _features(kernel, Z[some])
        F = self._of(Z)
        if some.size < n:
            far = np.flatnonzero(np.einsum("ij,ij->i", F, F) < 1.0 - _FAR)
            if far.size > _FEW_FAR * n:
                self._features = _features(kernel, Z[np.union1d(some, far)])
                F = self._of(Z)
        F = self._weighted(F)
        values, vectors = np.linalg.eigh(F.T @ F)
        self._values = np.maximum(values, np.finfo(float).tiny)
        self._vectors = vectors
        self._F = F @ vectors  # orthogonal columns
        self._target = self._F.T @ self._Y

    def _weighted(self, rows: FloatArray) -> FloatArray:
        """``v^1/2`` times values of the rows."""
        return rows if self._root is None else self._root[:, None] * rows

    def _of(self, Z: FloatArray) -> FloatArray:
        return self._features.whiten(self._features.values(Z, None, None).T).T

    @cached_property
    def leave_one_out(self) -> FloatArray:
        """Summed squared error for every ridge, each group g predicted from all the others.

        Closed form, with ``S = F (F'F + ridge)^-1 F'`` and ``R = Y - m``: without the rows of g the
        mean is lower by ``s = sum_g R_i / (n - |g|)``, so that these rows are missed by ::

            (I - S_gg)^-1 [((I - S) R)_g + (1 - (S 1)_g) s']

        Where no groups are told, every row is one. With weights it is the same of rows, and ones,
        times ``v^1/2``, s by the weight that is left: the error of a row counts v times.
        """
        R, one = self._Y, 1.0 if self._root is None else self._root
        ones = self._F.sum(axis=0) if self._root is None else self._root @ self._F
        losses = []
        for ridge in self._total * RIDGES:
            shrunk = 1.0 / (self._values + ridge)
            missed = R - self._F @ (shrunk[:, None] * self._target)
            unexplained = one - self._F @ (shrunk * ones)
            losses.append(sum(self._left_out(g, shrunk, missed, unexplained) for g in self._blocks))
        return np.array(losses)

    def _left_out(
        self, g: Array, shrunk: FloatArray, missed: FloatArray, unexplained: FloatArray
    ) -> float:
        """Summed squared error on groups of the same size, one in each line of ``g``."""
        if self._root is None:
            lower = self._Y[g].sum(axis=1, keepdims=True) / (self._Y.shape[0] - g.shape[1])
        else:
            root = self._root[g][:, :, None]
            left = self._total - np.square(root).sum(axis=1, keepdims=True)
            some = (root * self._Y[g]).sum(axis=1, keepdims=True)
            lower = some / np.maximum(left, np.finfo(float).tiny)
        error = missed[g] + unexplained[g][:, :, None] * lower
        F = self._F[g]
        if g.shape[1] == 1:
            own = np.square(F[:, 0]) @ shrunk
            error /= np.maximum(1.0 - own, _NO_SHARE)[:, None, None]
            return float(np.vdot(error, error))
        values, vectors = np.linalg.eigh(np.eye(g.shape[1]) - (F * shrunk) @ F.swapaxes(1, 2))
        # Orthogonal vectors keep the sum of squares: no need to turn back.
        error = vectors.swapaxes(1, 2) @ error / np.maximum(values, _NO_SHARE)[:, :, None]
        return float(np.vdot(error, error))

    @property
    def best_loss(self) -> float:
        """Share of Y left unexplained at the best ridge; too small where Z was chosen to fit Y."""
        total = float(np.vdot(self._Y, self._Y))  # of weighted rows, from their mean
        total = _total(self._Y) if self._root is None else max(total, 1e-300)
        return float(self.leave_one_out.min()) / total

    def predict(self, Z: FloatArray) -> FloatArray:
        """The target of other rows, with the ridge that leave-one-out prefers."""
        ridge = self._total * RIDGES[int(np.argmin(self.leave_one_out))]
        weights = self._target / (self._values + ridge)[:, None]
        return self._mean + self._of(Z) @ (self._vectors @ weights)

    def error(self, Z: FloatArray, Y: FloatArray) -> float:
        """Summed squared error of that prediction."""
        return float(self.errors(Z, Y).sum())

    def errors(self, Z: FloatArray, Y: FloatArray) -> FloatArray:
        """Squared error of that prediction, row by row."""
        difference = self.predict(Z) - Y
        return np.einsum("ij,ij->i", difference, difference)


def _features(kernel: Gaussian, Z: FloatArray) -> NystromFeatures:
    return NystromFeatures(kernel, 0, Candidates(Z), _EXACT, _MOST_FEATURES)


def _blocks(groups: Array | None, n_samples: int) -> list[Array]:
    """The rows of each group: for every size that occurs, an array (groups of it, size)."""
    each = [np.arange(n_samples)[:, None]]
    if groups is None:
        return each
    _, codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    if sizes.size < 2:
        return each
    order = np.argsort(codes, kind="stable")
    first = np.cumsum(sizes) - sizes
    return [order[first[sizes == k][:, None] + np.arange(k)] for k in np.unique(sizes).tolist()]


def _total(Y: FloatArray, weights: FloatArray | None = None) -> float:
    """Summed squared error of the mean; never 0, so that it can be divided by."""
    if weights is not None:
        R = Y - weights @ Y / weights.sum()
        return max(float(weights @ np.einsum("ij,ij->i", R, R)), 1e-300)
    return max(float(np.vdot(Y, Y)) - float(np.vdot(m := Y.mean(axis=0), m)) * Y.shape[0], 1e-300)


Part = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""``(Z, Y, Z_new, Y_new)``: rows fitted on, and rows held out."""

Weights = tuple[FloatArray | None, FloatArray | None]
"""Of rows fitted on, and of rows held out."""

_ALIKE: Weights = (None, None)


def errors_held_out(
    part: Part, groups: Array | None = None, weights: Weights = _ALIKE
) -> FloatArray:
    """Squared errors on the rows held out, row by row; ``groups`` are those of the others.

    The errors of rows that have weights are as many times theirs.
    """
    Z, Y, Z_new, Y_new = part
    errors = SubspaceRidge(Z, Y, groups, weights=weights[0]).errors(Z_new, Y_new)
    return errors if weights[1] is None else weights[1] * errors


def held_out_losses(
    parts: Sequence[Part],
    groups: Sequence[Array | None] | None = None,
    weights: Sequence[Weights] | None = None,
) -> FloatArray:
    """What each row held out adds to the share of Y that is left unexplained there.

    ``parts`` has for each split the rows fitted on and the rows held out, ``(Z, Y, Z_new, Y_new)``,
    projected by a W that was found without the latter; ``groups`` those of the rows fitted on.
    """
    groups = [None] * len(parts) if groups is None else groups
    weights = [_ALIKE] * len(parts) if weights is None else weights
    errors = [errors_held_out(*each) for each in zip(parts, groups, weights, strict=True)]
    fitted, held_out = ([part[k] for part in parts] for k in (1, 3))
    return shares_of_errors(errors, fitted, held_out, [v for _, v in weights])


def shares_of_errors(
    errors: Sequence[FloatArray],
    fitted: Sequence[FloatArray],
    held_out: Sequence[FloatArray],
    weights: Sequence[FloatArray | None] = (),
) -> FloatArray:
    """Squared errors row by row, as shares of what varies in the targets held out."""
    if not vary(fitted, held_out):  # nothing can be explained
        n = sum(map(len, errors))
        return np.full(n, 1.0 / n)
    known = [v for v in weights if v is not None]
    v = np.concatenate(known) if known else None
    return np.concatenate(errors) / _total(np.concatenate(held_out), v)


def vary(fitted: Sequence[FloatArray], held_out: Sequence[FloatArray]) -> bool:
    """Whether targets held out vary at all, beside those fitted on."""
    total, whole = _total(np.concatenate(held_out)), _total(np.concatenate(fitted))
    return total > _ROUNDING * whole
