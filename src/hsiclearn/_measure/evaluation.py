"""HSIC of two sides: which engine computes it, and what it found as an estimate with its error."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .._arrays import FloatArray
from .._engines import MEASURE, EngineChoice, Limits
from .._engines.features import Accuracy
from ._device import (
    DeviceSide,
    Marginals,
    blocks_on_device,
    device_feature_sums,
    sums_on_device,
)
from .choice import choose
from .linear_time import SideSums, feature_sums
from .records import HsicEstimate
from .side import AbstractSide
from .sums import BlockValues, CenteredSums, alignment, block_values, exact_sums, sums_in_tiles

ENGINES = ("auto", "dense", "tiled", "nystrom", "block")
ESTIMATORS = ("biased", "unbiased")

TILED_AT_MOST = 30_000
"""Rows; some seconds, where landmarks turn out to be too few."""

_TOLERANCES = (1e-6, 1e-10)  # of landmarks: the second where the error of the first is too large
_GOOD = 0.01  # share of the value that its error may be


@dataclass(frozen=True)
class MeasureSettings:
    """What a user may choose, beside data and kernels."""

    estimator: str
    engine: str
    max_landmarks: int
    block_size: int
    seed: int

    def __post_init__(self) -> None:
        for name, known in (("estimator", ESTIMATORS), ("engine", ENGINES)):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"`{name}` must be one of {list(known)}. Got {getattr(self, name)!r}."
                )
        if self.engine == "block" and self.estimator != "unbiased":
            raise ValueError(
                "engine='block' averages the unbiased estimator over blocks of rows: the bias of "
                "the biased one is that of a block. Pass estimator='unbiased'."
            )
        check_count("max_landmarks", self.max_landmarks, 1)
        check_count("block_size", self.block_size, 4)

    def rng(self, purpose: int) -> np.random.Generator:
        """Random numbers for one purpose, the same whatever else is drawn."""
        return np.random.default_rng([self.seed, purpose])


def seed_of(random_state: int | np.random.Generator | None) -> int:
    """A seed from which everything random follows."""
    if isinstance(random_state, int | np.integer) and random_state >= 0:
        return int(random_state)
    return int(np.random.default_rng(random_state).integers(2**62))


def check_count(name: str, value: int, least: int) -> None:
    """Raise unless a number of things is one."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"`{name}` must be an integer >= {least}. Got {value!r}.")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What an engine found: sums and what they leave out, or values of blocks."""

    x: AbstractSide
    y: AbstractSide
    settings: MeasureSettings
    choice: EngineChoice
    sums: CenteredSums | None = None
    features: SideSums | None = None
    blocks: BlockValues | None = None
    marginals: Marginals | None = None
    """Of all pairs on a device, for permutations."""

    @property
    def is_degenerate(self) -> bool:
        """Whether a side is constant, so that HSIC is 0 by definition."""
        return self.x.is_constant or self.y.is_constant

    @property
    def is_flat(self) -> bool:
        """Whether a side that is not constant is so to the estimator."""
        return self.sums is not None and self.sums.is_flat(self.settings.estimator)

    def hsic(self) -> HsicEstimate:
        """HSIC of the two sides, in their units."""
        if self.is_degenerate:
            return self._estimate(0.0, 0.0)
        if self.blocks is not None:
            return self._estimate(*self.blocks.hsic())
        assert self.sums is not None
        estimator, error = self.settings.estimator, 0.0
        if self.features is not None:
            error = self._errors(self.sums, self.features)[0, 1] / self.sums.divisor(estimator)
        return self._estimate(self.sums.hsic(estimator)[0, 1], error)

    def cka(self) -> HsicEstimate:
        """``HSIC(X, Y) / sqrt(HSIC(X, X) HSIC(Y, Y))``."""
        if self.is_degenerate or self.is_flat:
            return self._estimate(0.0, 0.0)
        if self.blocks is not None:
            return self._estimate(*self.blocks.cka())
        assert self.sums is not None
        value = self.sums.cka(self.settings.estimator)
        if self.features is None:
            return self._estimate(value, 0.0)
        # The extremes of the ratio, over all that the three may be.
        errors = self._errors(self.sums, self.features)
        is_below = self.settings.estimator == "biased" and self.features.one_sided
        H = self.sums.without_diagonals(self.settings.estimator)
        ends = H - (0.0 if is_below else 1.0) * errors, H + errors
        if ends[0].diagonal().min() <= 0.0:
            return self._estimate(value, np.inf)
        mixed = [np.where(np.eye(2), norms, end) for end in ends for norms in ends]
        return self._estimate(value, max(abs(alignment(M) - value) for M in mixed))

    def _errors(self, sums: CenteredSums, features: SideSums) -> FloatArray:
        """Errors of the sums that the estimate is made of, of either side with either.

        The matrix that the unbiased estimator has in the place of Lc has no eigenvalue beyond
        n / (n - 2) times the largest of Lc if that is positive definite, or (2n - 1) / (n - 2)
        times if it is not.
        """
        n, estimator = float(sums.n), self.settings.estimator
        factor = 1.0
        if estimator == "unbiased":
            factor = (n if features.one_sided else 2.0 * n - 1.0) / (n - 2.0)
        return factor * features.errors()

    def _estimate(self, value: float, error: float) -> HsicEstimate:
        found = self.features
        guaranteed = self.blocks is None and (found is None or found.guaranteed)
        sizes: tuple[int | None, int | None] = (None, None) if found is None else found.sizes
        return HsicEstimate(
            float(value),
            float(error),
            guaranteed,
            self.settings.estimator,
            self.choice.name,
            self.choice.reason,
            self.x.total,
            *sizes,
            self.x.name,
            self.y.name,
            self.x.device,
        )


def evaluate(
    x: AbstractSide,
    y: AbstractSide,
    settings: MeasureSettings,
    *,
    normalize: bool = False,
    refine: bool = True,
    limits: Limits = MEASURE,
) -> Evaluation:
    """Choose an engine and run it.

    ``refine`` asks for more landmarks where the error would be above 1 % of the value.
    """
    choice = choose(x, y, settings.engine, limits)
    plain = Evaluation(x, y, settings, choice)
    if plain.is_degenerate:
        return plain
    if choice.name != "nystrom":
        return _by_pairs(plain)
    found = _by_features(plain, normalize, refine)
    affordable = settings.engine == "auto" and x.column is None and x.n_samples <= TILED_AT_MOST
    if not refine or not affordable or _is_good(found, normalize):
        return found
    reason = f"{settings.max_landmarks} landmarks are too few for 1 %: all pairs in tiles."
    return _by_pairs(replace(plain, choice=EngineChoice("tiled", reason)))


def _by_pairs(plain: Evaluation) -> Evaluation:
    """All pairs, or those of blocks of rows. On a device it is tiles that ``"dense"`` has, too."""
    x, y, name, settings = plain.x, plain.y, plain.choice.name, plain.settings
    blocks = settings.block_size, settings.rng(2)
    if isinstance(x, DeviceSide) and isinstance(y, DeviceSide):
        if name == "block":
            return replace(plain, blocks=blocks_on_device(x, y, *blocks))
        sums, marginals = sums_on_device(x, y)
        return replace(plain, sums=sums, marginals=marginals)
    if name == "block":
        return replace(plain, blocks=block_values(x, y, *blocks))
    return replace(plain, sums=(exact_sums if name == "dense" else sums_in_tiles)(x, y))


def _by_features(plain: Evaluation, normalize: bool, refine: bool) -> Evaluation:
    """By landmarks, and by more of them where the first are too coarse."""
    settings, n = plain.settings, plain.x.n_samples
    for rtol in _TOLERANCES:
        accuracy = Accuracy(rtol, settings.max_landmarks)
        fx, fy = (side.features(accuracy, settings.rng(1)) for side in (plain.x, plain.y))
        if isinstance(plain.x, DeviceSide):
            sums = device_feature_sums(plain.x, fx, fy)
        else:
            sums = feature_sums(fx, fy, n, plain.x.column, plain.x.weights)
        found = replace(plain, sums=sums.centred(), features=sums)
        exhausted = fx.is_exhausted or fy.is_exhausted
        if not refine or exhausted or _is_good(found, normalize):
            break
    return found


def _is_good(found: Evaluation, normalize: bool) -> bool:
    """Whether the error is small beside the value."""
    estimate = found.cka() if normalize else found.hsic()
    return estimate.error <= _GOOD * abs(estimate.value)
