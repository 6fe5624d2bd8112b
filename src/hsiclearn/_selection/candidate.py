"""One fit among those that a rule compares."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .._arrays import FloatArray
from ..kernels import AbstractKernel

__all__ = ["Candidate", "Slope"]

_WORSE, _MUCH_WORSE = 1.1, 1.5  # times the best loss so far


@dataclass(frozen=True)
class Candidate:
    """One fit that a rule compared.

    ``held_out`` is NaN where it was not needed, ``leave_one_out`` where so many rows could be held
    out that it had nothing to add. ``W_without`` has, for each split, the W that was fitted without
    the rows it holds out; it is empty where none was needed.
    """

    n_components: int
    kernel: AbstractKernel
    start: str
    leave_one_out: float
    held_out: float
    W: FloatArray | None = field(default=None, repr=False, compare=False)
    W_without: tuple[FloatArray, ...] = field(default=(), repr=False, compare=False)

    @property
    def criterion(self) -> float:
        """``J = (LOO + HO) / 2``; HO where there is no LOO."""
        if np.isnan(self.leave_one_out):
            return self.held_out
        return 0.5 * (self.leave_one_out + self.held_out)

    @property
    def bandwidth(self) -> float | None:
        """The scale of the kernel, where it has one."""
        return getattr(self.kernel, "bandwidth", getattr(self.kernel, "c", None))


class Slope:
    """Tells when finer kernels make things only worse: much worse, or worse twice in a row."""

    def __init__(self) -> None:
        self._best, self._worse = np.inf, 0

    def rises(self, loss: float) -> bool:
        """Take note of the best loss at one more kernel; whether to stop here."""
        self._worse = self._worse + 1 if loss > _WORSE * self._best else 0
        much = loss > _MUCH_WORSE * self._best
        self._best = min(self._best, loss)
        return much or self._worse > 1
