"""What ``verbose=1`` prints: the stage, a line per step, the time."""

from __future__ import annotations

import time

from ..result import Record

__all__ = ["Progress", "print_record"]


class Progress:
    """Prints the stages of a solve with the time since it began; silent unless ``verbose``."""

    def __init__(self, verbose: int) -> None:
        self._verbose = verbose
        self._began: float | None = None

    def stage(self, title: str) -> None:
        """Announce a stage; from the second on with the time spent so far."""
        now = time.perf_counter()
        if self._began is None:
            self._began = now
            self._print(title)
        else:
            self._print(f"{title}, after {_duration(now - self._began)}")

    def resumed(self, start: str, history: tuple[Record, ...]) -> None:
        """Say from where an earlier attempt goes on."""
        self._print(
            f"start {start!r} goes on after step {len(history) - 1}, "
            f"{_duration(history[-1].seconds)} into it"
        )

    def finished_before(self, start: str) -> None:
        """Say that a run was finished by an earlier attempt."""
        self._print(f"start {start!r} was finished before")

    def _print(self, line: str) -> None:
        if self._verbose:
            print(line, flush=True)


def print_record(record: Record) -> None:
    """One line per step."""
    print(
        f"{record.step:>8}  cost {record.cost:.8g}  gradient {record.gradient:.1e}  "
        f"angle {record.angle:.1e}  {_duration(record.seconds)}",
        flush=True,
    )


def _duration(seconds: float) -> str:
    """Milliseconds where they are to be seen, minutes and hours where they count."""
    if seconds < 100:
        return f"{seconds:.3f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"
