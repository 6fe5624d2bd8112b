"""One process that measures, and is ended when a method runs out of its budget.

Methods that are slow on purpose spend minutes in a single step, so a budget cannot be a check
between steps: the process is killed and a new one started. What it had reported by then stays.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .._types import Figures
from ..processes import Pipe, Watch, start_process
from .measure import MEASURES

__all__ = ["Measured", "Worker", "open_worker"]

_AROUND = 300.0  # seconds for what is not the method: imports, loading, scoring


@dataclass(frozen=True)
class Measured:
    """Figures of one cell, or None and why; with them the costs over time."""

    figures: Figures | None
    problem: str
    history: tuple[tuple[float, float], ...]


class Worker:
    """Measures one cell after the other; use :func:`open_worker`."""

    def __init__(self) -> None:
        self._start()

    def measure(self, table: str, method: str, data: str, budget: float) -> Measured:
        """Figures of one cell; the method itself has ``budget`` seconds."""
        self._pipe.send((table, method, data))
        history: list[tuple[float, float]] = []
        deadline, is_running = time.monotonic() + _AROUND, False
        while True:
            try:
                if not self._pipe.poll(max(deadline - time.monotonic(), 0.0)):
                    self._restart()
                    what = f"over {budget:g} s" if is_running else "no answer"
                    return Measured(None, what, tuple(history))
                kind, value = self._pipe.recv()
            except (EOFError, OSError):
                self._restart()
                return Measured(None, "its process ended", tuple(history))
            if kind == "step":
                history.append(value)
            elif kind == "began":
                # Of several folds, each has what the ones before it left.
                deadline, is_running = time.monotonic() + budget, True
            elif kind == "ended":
                budget -= value
                deadline, is_running = time.monotonic() + _AROUND, False
            elif kind == "figures":
                return Measured(value, "", tuple(history))
            else:
                return Measured(None, value, tuple(history))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _restart(self) -> None:
        self.close()
        self._start()

    def _start(self) -> None:
        self._process, self._pipe = start_process(_serve)


@contextmanager
def open_worker() -> Iterator[Worker]:
    """A worker that is ended on the way out."""
    worker = Worker()
    try:
        yield worker
    finally:
        worker.close()


def _serve(pipe: Pipe) -> None:
    watch = Watch(lambda kind, value: pipe.send((kind, value)))
    while True:
        try:
            table, method, data = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(("figures", MEASURES[table](method, data, watch)))
        except Exception as error:
            pipe.send(("problem", f"{type(error).__name__}: {error}"))
