"""One objective for every paradigm: ``cost(W) = -Tr(Gamma K_XW)``, ``W'W = I``."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from typing import NamedTuple, final

import numpy as np

from .._arrays import Array, FloatArray
from .._engines import (
    TORCH,
    AbstractEngine,
    EngineLike,
    FusedPairs,
    can_lay_out,
    exact_on_device,
    moved_to_torch,
    plan_engine,
)
from .._linalg import (
    AbstractSymmetric,
    DenseSymmetric,
    OperatorSymmetric,
    fits_in_memory,
    symmetric_matrix,
)
from .._result import EngineError
from .._rows import AbstractRows, ArrayRows
from ..gamma import AbstractGamma, as_gamma
from ..kernels import AbstractKernel, kernel_from_name
from .flatness import Flatness
from .point import AbstractObjective, CurvedPoint, Point
from .rounding import rounding_of_phi
from .table import as_table, everything, prepared
from .user_kernels import check_user_kernels

_FEW_COLUMNS = 100  # up to which Phi(0) itself takes hardly longer than ten products with it
_STAND_IN_FROM = 80_000  # rows; with fewer, a pass takes no longer than a few more steps would
_CLEARLY = 1e-6  # a million times what counts as nothing: whatever a sample may be wrong by
_LEAST = 20_000  # rows of a sample that stands in
_PART = 0.1  # of the rows, where that is more ...
_NUMBERS = 5_000_000  # ... and a copy of so many numbers is enough for it


class _Evaluated(NamedTuple):
    """The last evaluation: a start is looked at before a run begins from it."""

    engine: AbstractEngine
    W: FloatArray
    cost: float
    matrix: DenseSymmetric


@final
class Objective(AbstractObjective):
    r"""Cost and derivatives of Eq. (1) of the paper.

    ::

        cost(W)              = -sum_ij Gamma_ij f(beta_ij)
        phi(W)               = -c X' L(Gamma o f'(beta)) X               (d x d, symmetric)
        gradient(W)          = 2 Phi W                                   (Euclidean)
        hessian_vector(W, Z) = 2 (Phi Z + Phidot[Z] W)                   (Euclidean)

    with beta, c and L as the kernel's pair type says: inner products, ``L(S) = S, c = 1``;
    squared differences, ``L(S) = D_S - S, c = 2``. A fixed point of the paper's Algorithm 1 is
    a W of eigenvectors of ``phi(W)``.

    An objective keeps what it computed at the last W: use one per thread.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features), or a row source
        Finite and real. Engines in linear time also take what :func:`hsiclearn._rows.as_rows`
        does, and copy nothing.
    gamma : AbstractGamma or array-like of shape (n_samples, n_samples)
        Symmetric.
    kernel : AbstractKernel or str
        A name stands for the kernel at its default parameters.
    engine : str or callable, default="auto"
        Who computes the sums over pairs, ``"auto"``, ``"dense"``, ``"tiled"``, ``"fused"``,
        ``"nystrom"``, ``"features"`` or ``"torch"``; the choice made is in ``engine``.
    n_components : int, default=2
        The number of directions W will have, which ``"auto"`` asks for.
    rtol : float, default=1e-6
        Accuracy of the kernel values, where the engine has a choice.

    Attributes
    ----------
    n_samples, n_features : int
    rows : AbstractRows
        X as the engine sees it.
    engine, engine_reason : str
        The engine at work, and why it was chosen.
    anchor : ndarray or None
        Where the engine's approximation was chosen, if it is held.
    """

    anchor: FloatArray | None = None

    def __init__(
        self,
        X: Array,
        gamma: AbstractGamma | Array,
        kernel: AbstractKernel | str = "gaussian",
        engine: EngineLike = "auto",
        *,
        n_components: int = 2,
        rtol: float = 1e-6,
    ) -> None:
        rows = as_table(X) if engine != TORCH else moved_to_torch(as_table(X))
        self.gamma = as_gamma(gamma)
        self.kernel = kernel_from_name(kernel) if isinstance(kernel, str) else kernel
        self.n_samples, self.n_features = rows.n_samples, rows.n_features
        if self.gamma.n_samples != self.n_samples:
            raise ValueError(
                f"`gamma` must have one row per row of X, {self.n_samples}. "
                f"Got {self.gamma.n_samples}."
            )
        check_user_kernels(self.kernel, rows)
        self._engine_like, self._rtol, self.n_components = engine, rtol, n_components
        self._rounding: tuple[Point, float] | None = None
        self._last: _Evaluated | None = None
        self._stand_in: list[Objective] = []  # one at most, which copies share ...
        self._stands_in = False  # ... and which needs none itself
        self._is_centered = self.kernel.ignores_shifts(centered=self.gamma.is_centered)
        plan = plan_engine(engine, rows, self.gamma, self.kernel, n_components, rtol)
        self.rows = prepared(rows, plan.is_linear, self._is_centered)
        table = self.rows if plan.is_linear else everything(self.rows)
        self._engine = plan.make(table, self.gamma, self.kernel)
        self.engine, self.engine_reason = self._engine.name, plan.reason
        self.is_in_linear_time = plan.is_linear  # then X need not be in memory

    @property
    def X(self) -> FloatArray:  # type: ignore[override]
        """The rows in memory, dense: for those who need all of them at once."""
        return everything(self.rows)

    @property
    def is_pairwise(self) -> bool:
        """Whether all pairs of very many rows are visited."""
        return self._engine.is_pairwise

    @property
    def noise(self) -> float:  # type: ignore[override]
        """Changes of the cost below this share of it are not to be trusted."""
        return self._engine.noise

    @property
    def slack(self) -> float:  # type: ignore[override]
        """Below this share of the cost, what Phi promises need not come true."""
        return self._engine.slack

    @property
    def column_cost(self) -> float:  # type: ignore[override]
        """What a product with one more column costs, as of the engine."""
        return self._engine.column_cost

    def engine_error(self, point: CurvedPoint) -> EngineError:
        """How far Phi, and a stationary point, may be from the exact ones.

        A stationary W moves by ``Hess^-1 2 dPhi W``, so by ``2 |dPhi| / curvature`` at most.
        """
        error = self._engine.error(point.W, point.scale)
        if (rounding := self.rounding(point)) > 0.0:
            error = replace(error, relative=error.relative + rounding, rounding=rounding)
        curvature = None if error.relative == 0.0 else point.hessian.smallest_curvature
        if curvature is None:
            return error
        turn = 2.0 * error.relative * point.scale
        return replace(error, angle=turn / curvature.value if curvature.value > 0 else np.inf)

    def rounding(self, point: Point) -> float:
        """How far rounding may have moved Phi, as a share of ``|Phi|_F``; 0 for centred rows."""
        if self._is_centered:
            return 0.0
        if self._rounding is None or self._rounding[0] is not point:
            bound = rounding_of_phi(self.rows, self.gamma, self.kernel, point.W)
            self._rounding = point, bound / point.scale
        return self._rounding[1]

    def exact_twin(self, patience: float) -> Objective | None:
        """The same objective with an exact engine; None if that would take too many seconds."""
        if self.rows.on_device is not None:
            return self._exact_on_device(patience)
        pairs, d = 0.5 * self.n_samples**2, self.n_features
        seconds = 10 * pairs * (20.0 + 0.2 * d) * 1e-9  # ten evaluations, measured on one core
        if not self.is_in_linear_time or not isinstance(self.rows, ArrayRows) or seconds > patience:
            return None
        twin = Objective(self.rows, self.gamma, self.kernel, "tiled")
        twin.engine_reason = f"{self.engine} was not exact enough: all pairs instead."
        return twin

    def _exact_on_device(self, patience: float) -> Objective | None:
        if self.is_pairwise:
            return None
        given = self.rows, self.gamma, self.kernel
        name = exact_on_device(*given, self.n_components, patience)
        if name is None:
            return None
        twin = Objective(*given, name, n_components=self.n_components, rtol=self._rtol)
        twin.engine_reason = f"{self.engine} was not exact enough: all pairs instead."
        return twin

    def refined(self, W: FloatArray, factor: float) -> Objective | None:
        """The same objective, ``factor`` times as exact near W; None where it cannot be."""
        engine = self._engine.refined(W, factor)
        return None if engine is None else self._by(engine)

    def _by(self, engine: AbstractEngine, anchor: FloatArray | None = None) -> Objective:
        """The same objective by another engine."""
        twin = copy(self)
        if engine.gamma is not self._engine.gamma:
            for name in ("matrix_at_zero", "norm_at_zero", "flatness"):
                twin.__dict__.pop(name, None)
        twin._engine, twin.anchor = engine, anchor
        return twin

    def sharpened(self, factor: float) -> Objective:
        """The same objective, ``factor`` times as exact wherever it is evaluated."""
        return self if factor == 1.0 else self._by(self._engine.sharpened(factor))

    def in_single(self) -> Objective:
        """The same objective with sums in single precision, where that saves time."""
        return self._by(self._engine.in_single(), self.anchor)

    def held_at(self, W: FloatArray) -> Objective:
        """The same objective by sums that are one smooth function near W, the anchor.

        Itself where they are, as those of exact engines.
        """
        engine = self._engine.held_at(W)
        return self if engine is self._engine else self._by(engine, W)

    def cost(self, W: Array) -> float:
        """``-Tr(Gamma K_XW)``."""
        return -self._engine.total(self._as_frame(W, "W"))

    def gradient(self, W: Array) -> FloatArray:
        """The Euclidean gradient, ``2 Phi W``."""
        W = self._as_frame(W, "W")
        return -2.0 * self._engine.multiply(W, W)

    def cost_and_gradient(self, W: Array) -> tuple[float, FloatArray]:
        """Both from one pass over the pairs; Phi is not formed."""
        total, product = self._engine.total_and_gradient(self._as_frame(W, "W"))
        return -total, -2.0 * product

    def hessian_vector(self, W: Array, Z: Array) -> FloatArray:
        """The Euclidean Hessian along Z, ``2 (Phi Z + Phidot[Z] W)``; no d x d matrix formed."""
        W, Z = self._as_frame(W, "W"), self._as_frame(Z, "Z")
        if W.shape != Z.shape:
            raise ValueError(f"`Z` must have the shape of `W`, {W.shape}. Got {Z.shape}.")
        return -2.0 * (self._engine.multiply(W, Z) + self._engine.multiply(W, W, Z))

    def phi_dot(self, W: FloatArray, Z: FloatArray) -> FloatArray:
        """``Phidot[Z] W``, the part of the Hessian that Phi does not hold."""
        return -self._engine.multiply(W, W, Z)

    def hessian_blocks(self, W: FloatArray) -> FloatArray:
        """M with ``Phidot[Z] W = sum_b M[:, b] Z_b``, shape (q, q, d, d), from one pass."""
        return -self._engine.hessian_blocks(W)

    @property
    def phi_at_zero(self) -> FloatArray:
        """``Phi(0)`` as an array."""
        return self.matrix_at_zero.to_dense()

    @cached_property
    def matrix_at_zero(self) -> AbstractSymmetric:
        """``Phi(0)``: the paper's Phi_0 up to a positive factor, from Gamma's structure in O(n d).

        There f' is the constant f'(0), so ``Phi(0) = -c f'(0) X' L(Gamma) X``. Where f'(0) = 0
        (a polynomial without offset) it vanishes and ``-X' Gamma X`` stands in, as in the paper.
        """
        for with_slopes in (True, False):
            times = partial(self._times_at_zero, with_slopes)
            matrix = symmetric_matrix(self.n_features, times, times)
            if matrix.norm > 0.0:
                break
        return matrix

    @cached_property
    def norm_at_zero(self) -> float:
        """``|Phi(0)|_F``: of many columns to a few per cent, unless the matrix is known anyway."""
        if self.n_features <= _FEW_COLUMNS or "matrix_at_zero" in self.__dict__:
            return self.matrix_at_zero.norm
        by_slopes = (partial(self._times_at_zero, with_slopes) for with_slopes in (True, False))
        norms = (OperatorSymmetric(times, self.n_features).norm for times in by_slopes)
        return next((norm for norm in norms if norm > 0.0), 0.0)

    @cached_property
    def flatness(self) -> Flatness:
        """Below what Phi and Phidot are rounding."""
        return Flatness.of(self, self._rtol)

    def clearly_exceeds_nothing(self, norm: float) -> bool:
        """Whether ``|Phi|`` is far from nothing beside ``|Phi(0)|``, by rows that stand in."""
        return self.has_stand_in and norm > _CLEARLY * self.stand_in.norm_at_zero

    def _times_at_zero(self, with_slopes: bool, V: FloatArray | None = None) -> FloatArray:
        """``-c f'(0) X' L(Gamma) X V``, or ``-X' Gamma X V`` of the first term; else V = I."""
        if not with_slopes:
            return -np.sign(self.kernel.terms[0][0]) * self._engine.at_zero(0, V)[0]
        phi: FloatArray = np.zeros(())
        for t, (weight, term) in enumerate(self.kernel.terms):
            XSX, XDX = self._engine.at_zero(t, V)
            slope = weight * float(np.asarray(term.df(np.zeros(1)))[0])
            phi = phi - slope * term.pair.combined(XDX, XSX)
        return phi

    @cached_property
    def gram(self) -> FloatArray:
        """``X'X``, (d, d)."""
        return self.rows.gram()

    def point(self, W: Array) -> CurvedPoint:
        """Cost and Phi at W from one pass over the pairs; products in place of a large Phi."""
        W, engine = self._as_frame(W, "W"), self._engine
        if not fits_in_memory(self.n_features):
            phi = OperatorSymmetric(lambda V: -engine.multiply(W, V), self.n_features, W)
            return CurvedPoint(self, W, -engine.total(W), phi)
        last = self._last
        if last is None or last.engine is not engine or not np.array_equal(last.W, W):
            total, matrix = engine.contract(W)
            last = _Evaluated(engine, W.copy(), -total, DenseSymmetric(-0.5 * (matrix + matrix.T)))
            self._last = last
        return CurvedPoint(self, W, last.cost, last.matrix)

    def subset(self, index: Array) -> Objective:
        """The same objective on chosen rows."""
        return self._on(index, self.gamma.take(index))

    def sampled(self, size: int) -> Objective:
        """An estimate from some of the rows, ``(n / size)^2`` times the sum over their pairs."""
        n = self.n_samples
        index = np.sort(np.random.default_rng(0).choice(n, size, replace=False))
        return self._on(index, self.gamma.take(index).scaled((n / size) ** 2))

    @property
    def has_stand_in(self) -> bool:
        """Whether rows are so many that some of them are worth asking first."""
        many = self.is_in_linear_time and self.n_samples >= _STAND_IN_FROM
        return many and not self._stands_in

    @property
    def stand_in(self) -> Objective:
        """Rows that stand for all of them in second derivatives, always the same ones.

        Those that share slots of Gamma are beside each other: less memory, and longer products.
        """
        if not self._stand_in:
            n, d = self.n_samples, self.n_features
            least = min(_LEAST, int(4 * _NUMBERS / d))  # of thousands of columns fewer rows
            size = min(max(least, int(min(_PART * n, _NUMBERS / d))), n)
            if self.is_pairwise:  # second derivatives of a quarter: half an evaluation of all
                size = max(size, n // 4)
            index = np.sort(np.random.default_rng(0).choice(n, size, replace=False))
            rows, factor = self.rows.subset(index), self.gamma.row_factor()
            if factor is not None and (order := factor.order(index)) is not None:
                index, rows = index[order], rows.subset(order)
            gamma = self.gamma.take(index).scaled((n / size) ** 2)
            asked = self.engine if isinstance(self._engine_like, str) else self._engine_like
            sample = self._like(rows, gamma, asked)
            sample._stands_in = True
            self._stand_in.append(sample)
        return self._stand_in[0]

    def _on(self, index: Array, gamma: AbstractGamma) -> Objective:
        return self._like(self.rows.subset(index), gamma, self._engine_like)

    def _like(self, rows: AbstractRows, gamma: AbstractGamma, engine: EngineLike) -> Objective:
        """The same of some rows; by another engine where these are too few for many classes."""
        if engine == FusedPairs.name and not can_lay_out(gamma):
            engine = "auto"
        return Objective(
            rows, gamma, self.kernel, engine, n_components=self.n_components, rtol=self._rtol
        )

    def _as_frame(self, W: Array, name: str) -> FloatArray:
        frame = np.asarray(W)
        if frame.ndim != 2 or frame.shape[0] != self.n_features or frame.dtype.kind not in "fiub":
            raise ValueError(
                f"`{name}` must be real with one row per feature, shape ({self.n_features}, q). "
                f"Got dtype {frame.dtype}, shape {frame.shape}."
            )
        return frame.astype(np.float64, copy=False)
