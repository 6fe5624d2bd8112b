r"""How much of the target the projected rows tell: kernel ridge regression in the subspace.

::

    predicted  m + F (F'F + n r I)^-1 F' (Y - m),     K(Z) ~ F F',   Z = X W

with a Gaussian K at half the median distance of the projected rows, whatever kernel W was found
with. The target Y is a matrix with the inner products of K_Y, so that the loss is the squared
distance in the feature space of y: classes are one-hot, and of a real target also its spread
counts, not its mean alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import add

import numpy as np

from .._arrays import Array, FloatArray
from .._columns import Column, fold
from .._engines.features import Candidates, NystromFeatures
from .._linalg import typical_distance, units_near_one
from .._paradigms import one_hot
from .._rows import AbstractRows
from ..exceptions import DegenerateDataError
from ..gamma import AbstractGamma
from ..kernels import Gaussian
from .sample import MOST_ROWS, draw_rows

RIDGES = 10.0 ** np.arange(-5, 0)  # times n: a grid from hardly any smoothing to much
_HALF = 0.5  # of the median distance
_EXACT = 1e-6  # error of a kernel value of candidates: far below the smallest ridge
_MOST_FEATURES = 300
_CANDIDATES = 200  # rows for each direction, of which some are landmarks: pairs of all take longer
_FAR, _FEW_FAR = 1e-2, 0.02  # error of a kernel value of other rows; the share of them it may have
_MOST_RESPONSES = 50
_ROUNDING = 1e-12  # of the largest: an eigenvalue that is none
_BLOCK = 10_000  # rows predicted at a time: 300 features each
_NO_SHARE = 1e-10  # of a row in its own prediction that is left: by rounding alone
_LEVEL, _ERRORS = 0.02, 0.5  # of a loss, of standard errors: less is level


def responses(gamma: AbstractGamma) -> FloatArray:
    """``Y`` (n, r) with ``Y Y' = Gamma``: the target as K_Y sees it, centred.

    Of a Gamma that is not positive semi-definite, the positive part; 50 columns at most.
    """
    U, s = gamma.factors(_MOST_RESPONSES)
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
    ) -> None:
        n = Z.shape[0]
        self._blocks = _blocks(groups, n)
        self._mean = Y.mean(axis=0)
        self._Y = Y - self._mean
        rng = np.random.default_rng(0)
        some = draw_rows(n, n if among_all else _CANDIDATES * Z.shape[1], rng)
        scale = typical_distance(Z[some], rng) or typical_distance(Z, rng)
        # All rows in one place: any bandwidth gives the constant kernel.
        kernel = Gaussian(_HALF * scale if scale > 0.0 else 1.0)
        self._features = _features(kernel, Z[some])
        F = self._of(Z)
        if some.size < n:
            far = np.flatnonzero(np.einsum("ij,ij->i", F, F) < 1.0 - _FAR)
            if far.size > _FEW_FAR * n:
                self._features = _features(kernel, Z[np.union1d(some, far)])
                F = self._of(Z)
        values, vectors = np.linalg.eigh(F.T @ F)
        self._values = np.maximum(values, np.finfo(float).tiny)
        self._vectors = vectors
        self._F = F @ vectors  # orthogonal columns
        self._target = self._F.T @ self._Y

    def _of(self, Z: FloatArray) -> FloatArray:
        return self._features.whiten(self._features.values(Z, None, None).T).T

    @cached_property
    def leave_one_out(self) -> FloatArray:
        """Summed squared error for every ridge, each group g predicted from all the others.

        Closed form, with ``S = F (F'F + ridge)^-1 F'`` and ``R = Y - m``: without the rows of g the
        mean is lower by ``s = sum_g R_i / (n - |g|)``, so that these rows are missed by ::

            (I - S_gg)^-1 [((I - S) R)_g + (1 - (S 1)_g) s']

        Where no groups are told, every row is one.
        """
        n, R = self._Y.shape[0], self._Y
        ones = self._F.sum(axis=0)
        losses = []
        for ridge in n * RIDGES:
            shrunk = 1.0 / (self._values + ridge)
            missed = R - self._F @ (shrunk[:, None] * self._target)
            unexplained = 1.0 - self._F @ (shrunk * ones)
            losses.append(sum(self._left_out(g, shrunk, missed, unexplained) for g in self._blocks))
        return np.array(losses)

    def _left_out(
        self, g: Array, shrunk: FloatArray, missed: FloatArray, unexplained: FloatArray
    ) -> float:
        """Summed squared error on groups of the same size, one in each line of ``g``."""
        lower = self._Y[g].sum(axis=1, keepdims=True) / (self._Y.shape[0] - g.shape[1])
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
        return float(self.leave_one_out.min()) / _total(self._Y)

    def predict(self, Z: FloatArray) -> FloatArray:
        """The target of other rows, with the ridge that leave-one-out prefers."""
        ridge = self._Y.shape[0] * RIDGES[int(np.argmin(self.leave_one_out))]
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


def _total(Y: FloatArray) -> float:
    """Summed squared error of the mean; never 0, so that it can be divided by."""
    return max(float(np.vdot(Y, Y)) - float(np.vdot(m := Y.mean(axis=0), m)) * Y.shape[0], 1e-300)


Part = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""``(Z, Y, Z_new, Y_new)``: rows fitted on, and rows held out."""


def errors_held_out(part: Part, groups: Array | None = None) -> FloatArray:
    """Squared errors on the rows held out, row by row; ``groups`` are those of the others."""
    Z, Y, Z_new, Y_new = part
    return SubspaceRidge(Z, Y, groups).errors(Z_new, Y_new)


def held_out_losses(
    parts: Sequence[Part], groups: Sequence[Array | None] | None = None
) -> FloatArray:
    """What each row held out adds to the share of Y that is left unexplained there.

    ``parts`` has for each split the rows fitted on and the rows held out, ``(Z, Y, Z_new, Y_new)``,
    projected by a W that was found without the latter; ``groups`` those of the rows fitted on.
    """
    groups = [None] * len(parts) if groups is None else groups
    errors = [errors_held_out(part, known) for part, known in zip(parts, groups, strict=True)]
    return shares_of_errors(errors, [part[1] for part in parts], [part[3] for part in parts])


def shares_of_errors(
    errors: Sequence[FloatArray], fitted: Sequence[FloatArray], held_out: Sequence[FloatArray]
) -> FloatArray:
    """Squared errors row by row, as shares of what varies in the targets held out."""
    if not vary(fitted, held_out):  # nothing can be explained
        n = sum(map(len, errors))
        return np.full(n, 1.0 / n)
    return np.concatenate(errors) / _total(np.concatenate(held_out))


def vary(fitted: Sequence[FloatArray], held_out: Sequence[FloatArray]) -> bool:
    """Whether targets held out vary at all, beside those fitted on."""
    total, whole = _total(np.concatenate(held_out)), _total(np.concatenate(fitted))
    return total > _ROUNDING * whole


@dataclass(frozen=True, eq=False)
class KnownRows:
    """Rows of a fit in the subspace, and their target: what ``score`` predicts from.

    Attributes
    ----------
    Z : ndarray of shape (m, q)
        Positions, seen from the mean of the rows.
    y : ndarray of shape (m,) or (m, n_outputs)
        Classes as numbers, or columns of a quantity or of 0 and 1.
    groups : ndarray of int, shape (m,), or None
        The number of the group of each, where ``fit`` was told groups: they choose the ridge.
    """

    Z: FloatArray = field(repr=False)
    y: Array = field(repr=False)
    groups: Array | None = field(default=None, repr=False)

    def explained_share(self, Z: Column, y: Column) -> float:
        """``1 - sum |y - predicted|^2 / sum |y - mean y|^2`` over the rows given.

        Predicted by kernel ridge regression on the rows known (see :class:`SubspaceRidge`).
        Classes are one-hot; of several columns each is divided by its standard deviation.
        With one column of a quantity it is R^2.
        """
        known, columns = self._comparable(y)
        ridge = SubspaceRidge(self.Z, known, self.groups, among_all=True)
        first = columns(y[np.arange(1)])  # seen from there, so that what is constant stays so

        def sums(_: slice, part: Array) -> FloatArray:
            sums = ((columns(some) - first).sum(axis=0) for _, some in _parts(part))
            return sum(sums, np.zeros(first.shape[1]))

        mean = first + fold(y, sums, add, "mean") / len(y)

        def squares(place: slice, part: Array) -> FloatArray:
            total = np.zeros(2)
            for rows, some in _parts(part, place.start):
                Y = columns(some)
                total += np.square(Y - mean).sum(), ridge.error(Z[rows], Y)
            return total

        total, missed = fold(y, squares, add, "score")
        if total > 0.0:
            return float(1.0 - missed / total)
        return 1.0 if missed == 0.0 else 0.0  # as scikit-learn's R^2, where nothing varies

    def _comparable(self, y: Column) -> tuple[FloatArray, Callable[[Array], FloatArray]]:
        """The targets known as a matrix, and a function that makes one of new ones likewise."""
        if y.ndim == 1:
            largest = fold(y, lambda _, part: int(part.max()), max, "largest")
            k = 1 + int(max(self.y.max(), largest))
            return one_hot(self.y, k), lambda some: one_hot(some, k)
        to_units = units_near_one(self.y, y)
        known = to_units(self.y)
        mean, spread = known.mean(axis=0), known.std(axis=0)
        unit = np.where(spread > 0.0, spread, 1.0)
        return (known - mean) / unit, lambda some: (to_units(some) - mean) / unit


def _parts(values: Array, start: int = 0) -> Iterator[tuple[slice, Array]]:
    """Some rows at a time, with their place."""
    for i in range(0, values.shape[0], _BLOCK):
        some = values[i : i + _BLOCK]
        yield slice(start + i, start + i + some.shape[0]), some


def known_rows(
    rows: AbstractRows, W: FloatArray, mean: FloatArray, y: Column, groups: Column | None = None
) -> KnownRows:
    """All rows, or 1000 of them, always the same ones: a fit draws nothing for it."""
    index = draw_rows(rows.n_samples, MOST_ROWS, np.random.default_rng(0))
    numbers = None if groups is None else np.unique(groups[index], return_inverse=True)[1]
    return KnownRows(rows.subset(index) @ W - mean @ W, y[index], numbers)
