"""What a descent tells on its way."""

from __future__ import annotations

from collections.abc import Callable

from .._progress import duration, is_heard, tell
from .._result import Record

__all__ = ["step_teller", "tell_resumed"]


def step_teller(stage: str) -> Callable[[Record], None] | None:
    """A function that tells every step of a descent; None where nobody listens."""
    if not is_heard():
        return None
    return lambda record: tell(
        stage,
        f"{record.step:>8}  cost {record.cost:.8g}  gradient {record.gradient:.1e}  "
        f"angle {record.angle:.1e}  {duration(record.seconds)}",
    )


def tell_resumed(stage: str, start: str, history: tuple[Record, ...]) -> None:
    """Say from where an earlier attempt goes on."""
    tell(
        stage,
        f"start {start!r} goes on after step {len(history) - 1}, "
        f"{duration(history[-1].seconds)} into it",
    )
