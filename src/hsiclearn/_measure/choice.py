"""Which engine, by where the rows are and how many there are."""

from __future__ import annotations

from .._engines import EngineChoice, Limits
from ._device import DeviceSide, device_choice
from .side import AbstractSide


def choose(x: AbstractSide, y: AbstractSide, engine: str, limits: Limits) -> EngineChoice:
    """By where the rows are and how many; ``engine`` is what was asked for."""
    if x.column is not None:
        return _far_choice(x, y, engine)
    if isinstance(x, DeviceSide) and isinstance(y, DeviceSide):
        return device_choice(x, y, engine, limits)
    choice = _choose_here(x, y, engine, limits)
    if not x.is_fetched:
        return choice
    return EngineChoice(choice.name, f"Rows of Dask, few enough to be fetched. {choice.reason}")


def _far_choice(x: AbstractSide, y: AbstractSide, asked: str) -> EngineChoice:
    """The one engine that needs sums over rows alone, or an error where it cannot serve."""
    n = x.n_samples
    if asked not in ("auto", "nystrom"):
        what = "draws rows from everywhere" if asked == "block" else "visits all pairs of rows"
        raise ValueError(
            f"engine={asked!r} {what}, which must be in memory. Got {n} rows of Dask, too many to "
            "be fetched: use engine='nystrom', or rows drawn at random, in memory."
        )
    for name, side in (("X", x), ("Y", y)):
        if not side.has_features:
            raise ValueError(
                f"Of {n} rows of Dask, too many to be fetched, each is seen by its features: at "
                f"most 2000 classes, or 2000 sparse columns. {name} has more, under kernel "
                f"{side.name!r}: group classes, choose columns, or pass rows drawn at random, in "
                "memory."
            )
    return EngineChoice("nystrom", f"{n} rows of Dask: one pass over them, where they are.")


def _choose_here(x: AbstractSide, y: AbstractSide, asked: str, limits: Limits) -> EngineChoice:
    n = x.n_samples
    if asked != "auto":
        return EngineChoice(asked, f"engine={asked!r} was asked for.")
    if n <= limits.dense:
        return EngineChoice("dense", f"{n} rows are at most {limits.dense}: all pairs at once.")
    if n <= limits.pairs:
        return EngineChoice("tiled", f"{n} rows are at most {limits.pairs}: all pairs in tiles.")
    if not (x.has_features and y.has_features):
        return EngineChoice("tiled", "a side is known pair by pair only: all pairs are visited.")
    return EngineChoice("nystrom", f"{n} rows are more than {limits.pairs}: one pass over them.")
