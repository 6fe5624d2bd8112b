"""The options of ``hsiclearn fit`` that say how to solve: what advice about a fit refers to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

__all__ = ["SolverOptions"]

_RULES = ("auto", "median")  # for the bandwidth


@dataclass(frozen=True)
class SolverOptions:
    """None leaves it to the estimator."""

    bandwidth: str | None = None
    tol: float | None = None
    max_iter: int | None = None
    starts: int | None = None
    engine: str | None = None

    def check(self) -> None:
        """Values must be in range."""
        if self.bandwidth is not None and self.bandwidth not in _RULES:
            _check_positive("--bandwidth", self.bandwidth, ", auto or median")
        if self.tol is not None:
            _check_positive("--tol", self.tol)

    def parameters(self, *, clusters: bool) -> dict[str, Any]:
        """Of an estimator.

        By default a clustering gives every row a scale of its own, from its neighbours; one
        bandwidth for all rows is the Gaussian kernel's.
        """
        found = {
            "tol": self.tol,
            "max_iter": self.max_iter,
            "n_init": self.starts,
            "engine": self.engine,
        }
        if self.bandwidth not in (None, "auto"):
            is_rule = self.bandwidth in _RULES
            found["bandwidth"] = self.bandwidth if is_rule else float(str(self.bandwidth))
            found |= {"kernel": "gaussian"} if clusters else {}
        return {name: value for name, value in found.items() if value is not None}

    def words(self) -> list[str]:
        """As they are typed; those left alone are left out."""
        typed = {
            "--bandwidth": self.bandwidth,
            "--tol": self.tol,
            "--max-iter": self.max_iter,
            "--starts": self.starts,
            "--engine": self.engine,
        }
        pairs = ((option, str(value)) for option, value in typed.items() if value is not None)
        return [word for pair in pairs for word in pair]


def _check_positive(option: str, value: str | float, others: str = "") -> None:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0.0 < number < math.inf:
        raise ValueError(f"{option} must be a number > 0{others}. Got {value!r}.")
