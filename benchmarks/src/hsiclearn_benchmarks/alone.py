"""One fit in a process of its own: seconds, memory beyond the data, and how it ended.

Memory is read from outside, every few milliseconds: a thread inside would have to wait for the
interpreter, which a long call may hold. A fit that takes too long or too much is killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._types import Figures
from .processes import Pipe, Watch, start_process

__all__ = ["Limits", "Meter", "Outcome", "Task", "run_alone"]

_EVERY = 0.01  # seconds between two looks at the memory
_AROUND = 1800.0  # seconds for what is not the fit: imports, making the data, scoring


@dataclass(frozen=True)
class Limits:
    """What a fit may take."""

    seconds: float = 3600.0
    bytes: float = 8e9


@dataclass(frozen=True)
class Outcome:
    """How a fit ended, and its figures if it finished.

    ``status`` is ``"finished"``, ``"out of time"``, ``"out of memory"`` or ``"failed"``; ``peak``
    is in bytes beyond what was there before the fit, the data among it.
    """

    status: str
    seconds: float | None = None
    cpu: float | None = None
    peak: float | None = None
    figures: Figures = field(default_factory=dict)
    problem: str = ""

    @property
    def finished(self) -> bool:
        """Whether there are figures."""
        return self.status == "finished"


class Meter:
    """What a task measures itself with; it is handed to the task."""

    def __init__(self, tell: Callable[[str, object], None]) -> None:
        self._tell = tell

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Only what happens inside is measured: once per task."""
        watch = Watch(self._tell)
        _give_back()
        self._tell("base", _anonymous_bytes())
        cpu = time.process_time()
        watch.start()
        yield
        watch.stop()
        self._tell("cpu", time.process_time() - cpu)
        self._tell("memory", _anonymous_bytes())


Task = Callable[..., Figures]
"""``task(meter, **settings)``; a function of a module, so that another process can import it."""


def run_alone(task: Task, limits: Limits, **settings: Any) -> Outcome:
    """Run a task in a fresh process, and end it where it exceeds the limits."""
    process, pipe = start_process(_perform, task, settings)
    try:
        return _Follower(limits, process.pid).follow(pipe)
    finally:
        process.kill()
        process.join()
        pipe.close()


def _perform(pipe: Pipe, task: Task, settings: dict[str, Any]) -> None:
    def tell(kind: str, value: object) -> None:
        pipe.send((kind, value))

    try:
        tell("figures", task(Meter(tell), **settings))
    except MemoryError:
        tell("out of memory", None)
    except Exception as error:
        tell("failed", f"{type(error).__name__}: {error}")


class _Follower:
    """Listens to a process, looks at its memory, and says when it has had enough."""

    def __init__(self, limits: Limits, pid: int | None) -> None:
        self._limits, self._pid = limits, pid
        self._deadline, self._is_running = time.monotonic() + _AROUND, False
        self._told: dict[str, Any] = {}
        self._most = 0.0

    def follow(self, pipe: Pipe) -> Outcome:
        """Until the process is done, or has to be."""
        while True:
            try:
                outcome = self._heard(*pipe.recv()) if pipe.poll(_EVERY) else self._looked()
            except (EOFError, OSError):  # the system ends who takes too much
                status = "out of memory" if self._is_running else "failed"
                outcome = Outcome(status, problem="its process ended")
            if outcome is not None:
                return outcome

    def _heard(self, kind: str, value: Any) -> Outcome | None:
        if kind == "figures":
            peak = max(self._most, self._told["memory"]) - self._told["base"] if self._told else 0.0
            seconds, cpu = self._told.get("ended"), self._told.get("cpu")
            return Outcome("finished", seconds, cpu, max(peak, 0.0), value)
        if kind in ("out of memory", "failed"):
            return Outcome(kind, problem=value or "")
        self._told[kind] = value
        if kind in ("began", "ended"):
            self._is_running = kind == "began"
            budget = self._limits.seconds if self._is_running else _AROUND
            self._deadline = time.monotonic() + budget
        return None

    def _looked(self) -> Outcome | None:
        if self._is_running:
            self._most = max(self._most, _anonymous_bytes(self._pid))
            if self._most - self._told["base"] > self._limits.bytes:
                return Outcome("out of memory")
        if time.monotonic() > self._deadline:
            return Outcome("out of time") if self._is_running else Outcome("failed", problem="hung")
        return None


def _anonymous_bytes(pid: int | None = None) -> float:
    """``RssAnon`` of a process, by default this one.

    Where there is no ``/proc``: the most this process ever had, and 0 of others.
    """
    try:
        status = Path(f"/proc/{pid or 'self'}/status").read_text()
    except OSError:
        return _largest_ever() if pid in (None, os.getpid()) else 0.0
    for line in status.splitlines():
        if line.startswith("RssAnon:"):
            return 1024.0 * float(line.split()[1])
    return 0.0  # a process that has ended


def _give_back() -> None:
    """Return what was freed to the system, so that it is not taken for memory in use."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _largest_ever() -> float:
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    unit = 1.0 if sys.platform == "darwin" else 1024.0
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
