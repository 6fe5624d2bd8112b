"""One process that measures, and is ended when a cell runs out of its budget.

Methods that are slow on purpose spend minutes in a single step, so a budget cannot be a check
between steps: the process is killed and a new one started. What it had reported by then stays.
"""

from __future__ import annotations

import multiprocessing
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Self

from ..result import Record
from .measure import MEASURES, Figures

__all__ = ["Measured", "Worker", "open_worker"]


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
        """Figures of one cell within ``budget`` seconds."""
        self._pipe.send((table, method, data))
        began = time.monotonic()
        history: list[tuple[float, float]] = []
        while True:
            left = began + budget - time.monotonic()
            if not self._pipe.poll(max(left, 0.0)):
                self.restart()
                return Measured(None, f"over {budget:g} s", tuple(history))
            try:
                kind, value = self._pipe.recv()
            except EOFError:
                self.restart()
                return Measured(None, "its process ended", tuple(history))
            if kind == "step":
                history.append(value)
            elif kind == "figures":
                return Measured(value, "", tuple(history))
            else:
                return Measured(None, value, tuple(history))

    def restart(self) -> Self:
        """End the process, and begin with a new one."""
        self.close()
        self._start()
        return self

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _start(self) -> None:
        # Started anew rather than forked: threads of the parent's BLAS do not survive a fork.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe.recv()  # ready: imports are no part of a budget


@contextmanager
def open_worker() -> Iterator[Worker]:
    """A worker that is ended on the way out."""
    worker = Worker()
    try:
        yield worker
    finally:
        worker.close()


def _serve(pipe: Connection[Any, Any]) -> None:
    warnings.simplefilter("ignore")
    pipe.send(("ready", None))
    while True:
        try:
            table, method, data = pipe.recv()
        except EOFError:
            return
        began = time.perf_counter()

        def report(record: Record, began: float = began) -> None:
            pipe.send(("step", (time.perf_counter() - began, record.cost)))

        try:
            pipe.send(("figures", MEASURES[table](method, data, report)))
        except Exception as error:
            pipe.send(("problem", f"{type(error).__name__}: {error}"))
