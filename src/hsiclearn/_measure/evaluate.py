"""Which engine, and its run: the one place where both are decided."""

from __future__ import annotations

from dataclasses import replace

from .._engines import MEASURE, EngineChoice, Limits
from .._engines.features import Accuracy
from .blocks import block_values
from .evaluation import Evaluation
from .linear_time import feature_sums
from .pairs import exact_sums, sums_in_tiles
from .settings import Settings
from .side import AbstractSide

__all__ = ["evaluate"]

_TILED_AT_MOST = 30_000  # rows; some seconds, where landmarks turn out to be too few
_TOLERANCES = (1e-6, 1e-10)  # of landmarks: the second where the error of the first is too large
_GOOD = 0.01  # share of the value that its error may be


def evaluate(
    x: AbstractSide,
    y: AbstractSide,
    settings: Settings,
    *,
    normalize: bool = False,
    refine: bool = True,
    limits: Limits = MEASURE,
) -> Evaluation:
    """Choose an engine and run it.

    ``refine`` asks for more landmarks where the error would be above 1 % of the value.
    """
    choice = _choose(x, y, settings, limits)
    plain = Evaluation(x, y, settings, choice)
    if plain.is_degenerate:
        return plain
    if choice.name == "dense":
        return replace(plain, sums=exact_sums(x, y))
    if choice.name == "tiled":
        return replace(plain, sums=sums_in_tiles(x, y))
    if choice.name == "block":
        values = block_values(x, y, settings.block_size, settings.rng(2))
        return replace(plain, blocks=values)
    found = _by_features(plain, normalize, refine)
    affordable = settings.engine == "auto" and x.n_samples <= _TILED_AT_MOST
    if not refine or not affordable or _is_good(found, normalize):
        return found
    reason = f"{settings.max_landmarks} landmarks are too few for 1 %: all pairs in tiles."
    return replace(plain, choice=EngineChoice("tiled", reason), sums=sums_in_tiles(x, y))


def _by_features(plain: Evaluation, normalize: bool, refine: bool) -> Evaluation:
    """By landmarks, and by more of them where the first are too coarse."""
    settings, n = plain.settings, plain.x.n_samples
    for rtol in _TOLERANCES:
        accuracy = Accuracy(rtol, settings.max_landmarks)
        fx, fy = (side.features(accuracy, settings.rng(1)) for side in (plain.x, plain.y))
        sums = feature_sums(fx, fy, n)
        found = replace(plain, sums=sums.centred(), features=sums, leftover=sums.leftover())
        exhausted = fx.is_exhausted or fy.is_exhausted
        if not refine or exhausted or _is_good(found, normalize):
            break
    return found


def _is_good(found: Evaluation, normalize: bool) -> bool:
    """Whether the error is small beside the value."""
    estimate = found.cka() if normalize else found.hsic()
    return estimate.error <= _GOOD * abs(estimate.value)


def _choose(x: AbstractSide, y: AbstractSide, settings: Settings, limits: Limits) -> EngineChoice:
    n, asked = x.n_samples, settings.engine
    if asked != "auto":
        return EngineChoice(asked, f"engine={asked!r} was asked for.")
    if n <= limits.dense:
        return EngineChoice("dense", f"{n} rows are at most {limits.dense}: all pairs at once.")
    if n <= limits.pairs:
        return EngineChoice("tiled", f"{n} rows are at most {limits.pairs}: all pairs in tiles.")
    if not (x.has_features and y.has_features):
        return EngineChoice("tiled", "a side is known pair by pair only: all pairs are visited.")
    return EngineChoice("nystrom", f"{n} rows are more than {limits.pairs}: one pass over them.")
