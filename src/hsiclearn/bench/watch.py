"""The clock of a measurement: it runs while a method works, not while data are loaded."""

from __future__ import annotations

import time
from collections.abc import Callable

from .._result import Record

__all__ = ["Watch"]


class Watch:
    """Counts the seconds between ``start`` and ``stop``, and passes on what happens.

    ``tell`` hears ``("began", None)``, ``("step", (seconds, cost))`` and ``("ended", seconds)``.
    """

    def __init__(self, tell: Callable[[str, object], None] = lambda kind, value: None) -> None:
        self._tell = tell
        self._began = 0.0

    def start(self) -> None:
        """The method begins."""
        self._tell("began", None)
        self._began = time.perf_counter()

    def report(self, record: Record) -> None:
        """The method made a step."""
        self._tell("step", (time.perf_counter() - self._began, record.cost))

    def stop(self) -> float:
        """The method is done; its seconds."""
        seconds = time.perf_counter() - self._began
        self._tell("ended", seconds)
        return seconds
