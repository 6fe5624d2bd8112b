"""How exact the sums were."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EngineError"]


@dataclass(frozen=True, slots=True)
class EngineError:
    """How far an engine's Phi may be from the exact one.

    Attributes
    ----------
    relative : float
        ``|Phi_engine - Phi| <= relative |Phi|_F``; for exact engines 0, or the rounding.
    guaranteed : bool
        Whether that is a proven bound. If not, it is an estimate.
    angle : float
        What that means for the answer, to first order: the sine of the largest angle to the
        optimum of the exact engine is at most ``2 relative |Phi|_F / curvature``.
    n_features : int
        Number of landmarks or other features of a kernel; 0 for exact engines.
    rounding : float
        The part of ``relative`` that no engine can remove in double precision; 0 where the rows
        are centred, so that it is a few units of the last digit.
    """

    relative: float = 0.0
    guaranteed: bool = True
    angle: float = 0.0
    n_features: int = 0
    rounding: float = 0.0

    @property
    def approximation(self) -> float:
        """The part of ``relative`` that a finer engine would remove."""
        return self.relative - self.rounding
