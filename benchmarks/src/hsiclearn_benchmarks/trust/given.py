"""What a part is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Given"]


@dataclass(frozen=True)
class Given:
    """How much of the full count, where random choices begin, and whom to tell what is next."""

    scale: float = 1.0
    seed: int = 0
    tell: Callable[[str], None] = lambda what: None

    def times(self, n: float) -> int:
        """How often something is done at this size."""
        return max(round(self.scale * n), 1)
