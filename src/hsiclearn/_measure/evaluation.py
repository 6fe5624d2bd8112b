"""What an engine found, as an estimate with its error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._engines import EngineChoice
from .blocks import BlockValues
from .linear_time import FeatureSums, Leftover
from .records import HsicEstimate
from .settings import Settings
from .side import AbstractSide
from .sums import CenteredSums

__all__ = ["Evaluation"]


@dataclass(frozen=True)
class Evaluation:
    """What an engine found: sums and what they leave out, or values of blocks."""

    x: AbstractSide
    y: AbstractSide
    settings: Settings
    choice: EngineChoice
    sums: CenteredSums | None = None
    features: FeatureSums | None = None
    leftover: Leftover | None = None
    blocks: BlockValues | None = None

    @property
    def is_degenerate(self) -> bool:
        """Whether a side is constant, so that HSIC is 0 by definition."""
        return self.x.is_constant or self.y.is_constant

    @property
    def is_flat(self) -> bool:
        """Whether a side that is not constant is so to the estimator."""
        estimator = self.settings.estimator
        return self.sums is not None and self.sums.is_flat(estimator)

    def hsic(self) -> HsicEstimate:
        """HSIC of the two sides, in their units."""
        if self.is_degenerate:
            return self._estimate(0.0, 0.0)
        if self.blocks is not None:
            return self._estimate(*self.blocks.hsic())
        assert self.sums is not None
        estimator = self.settings.estimator
        error = 0.0 if self.leftover is None else self._share(self.leftover.xy)
        return self._estimate(self.sums.hsic(estimator), error)

    def cka(self) -> HsicEstimate:
        """``HSIC(X, Y) / sqrt(HSIC(X, X) HSIC(Y, Y))``."""
        if self.is_degenerate or self.is_flat:
            return self._estimate(0.0, 0.0)
        if self.blocks is not None:
            return self._estimate(*self.blocks.cka())
        assert self.sums is not None
        estimator, sums = self.settings.estimator, self.sums
        xy, xx, yy = (s.hsic(estimator) for s in (sums, sums.of_x, sums.of_y))
        value = sums.cka(estimator)
        if self.leftover is None:
            return self._estimate(value, 0.0)
        left = self.leftover
        dxy, dxx, dyy = (self._share(error) for error in (left.xy, left.xx, left.yy))
        down = 0.0 if estimator == "biased" and left.one_sided else 1.0
        norms = (xx + dxx, yy + dyy), (xx - down * dxx, yy - down * dyy)
        if min(norms[1]) <= 0.0:
            return self._estimate(value, np.inf)
        # The extremes of the ratio, over all that the three may be.
        ends = [_ratio(end, *norm) for end in (xy - down * dxy, xy + dxy) for norm in norms]
        return self._estimate(value, max(abs(end - value) for end in ends))

    def _share(self, error: float) -> float:
        """The error of a sum over pairs as one of the estimate.

        The matrix that the unbiased estimator has in the place of Lc has no eigenvalue beyond
        n / (n - 2) times the largest of Lc if that is positive definite, or (2n - 1) / (n - 2)
        times if it is not.
        """
        assert self.sums is not None
        assert self.leftover is not None
        n, estimator = float(self.sums.n), self.settings.estimator
        factor = 1.0
        if estimator == "unbiased":
            factor = (n if self.leftover.one_sided else 2.0 * n - 1.0) / (n - 2.0)
        return factor * error / self.sums.divisor(estimator)

    def _estimate(self, value: float, error: float) -> HsicEstimate:
        guaranteed = self.blocks is None and (self.leftover is None or self.leftover.guaranteed)
        sizes: tuple[int | None, int | None] = (None, None)
        if self.features is not None:
            sizes = self.features.x.size, self.features.y.size
        return HsicEstimate(
            float(value),
            float(error),
            guaranteed,
            self.settings.estimator,
            *self.choice,
            self.x.n_samples,
            *sizes,
            self.x.name,
            self.y.name,
        )


def _ratio(xy: float, xx: float, yy: float) -> float:
    """CKA at an end of the range that three estimates may have."""
    return float(xy / (np.sqrt(xx) * np.sqrt(yy))) if xx > 0.0 and yy > 0.0 else 0.0
