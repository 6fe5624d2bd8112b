"""What a user may choose, checked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["ENGINES", "ESTIMATORS", "Settings", "check_count"]

ENGINES = ("auto", "dense", "tiled", "nystrom", "block")
ESTIMATORS = ("biased", "unbiased")


@dataclass(frozen=True)
class Settings:
    """What a user may choose, beside data and kernels."""

    estimator: str
    engine: str
    max_landmarks: int
    block_size: int
    seed: int

    def __post_init__(self) -> None:
        if self.estimator not in ESTIMATORS:
            raise ValueError(
                f"`estimator` must be one of {list(ESTIMATORS)}. Got {self.estimator!r}."
            )
        if self.engine not in ENGINES:
            raise ValueError(f"`engine` must be one of {list(ENGINES)}. Got {self.engine!r}.")
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


def check_count(name: str, value: int, least: int) -> None:
    """Raise unless a number of things is one."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"`{name}` must be an integer >= {least}. Got {value!r}.")
