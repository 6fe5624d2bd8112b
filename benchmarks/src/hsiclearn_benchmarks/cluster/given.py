"""What a part is given, and clusters on this machine that it asks."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = [
    "Given",
    "Processes",
    "connected",
    "few_processes",
    "on_workers",
    "own_processes",
    "processor_seconds",
]

_FEWEST = 2000  # rows
_SECONDS = 120.0


@dataclass(frozen=True)
class Given:
    """How much of the full size, and whom to tell what is next."""

    scale: float = 1.0
    tell: Callable[[str], None] = lambda what: None

    def rows(self, n: float) -> int:
        """A number of rows at this size."""
        return max(round(self.scale * n), min(_FEWEST, round(n)))

    def times(self, n: int) -> int:
        """How often something is done at this size."""
        return max(round(self.scale * n), 1)


def _distributed() -> Any:
    return import_module("distributed")  # few of its functions say their types


@contextmanager
def few_processes(n: int = 2, **settings: Any) -> Iterator[Any]:
    """A client of workers on this machine, a process of one thread each; the scheduler is here."""
    library = _distributed()
    chosen = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": "CRITICAL"}
    cluster = library.LocalCluster(n_workers=n, **chosen | settings)
    with cluster, library.Client(cluster) as client:
        client.wait_for_workers(n, timeout=_SECONDS)
        yield client


def on_workers(*collections: Any) -> list[Any]:
    """Collections whose chunks are there."""
    kept = [collection.persist() for collection in collections]
    _distributed().wait(kept)
    return kept


@dataclass(frozen=True)
class Processes:
    """A scheduler and its workers, each started as on a machine of its own."""

    file: Path
    scheduler: int
    nannies: Sequence[int]

    def pid(self, name: str) -> int | None:
        """Of ``"scheduler"``, or of ``"worker 0"``, which its nanny has started."""
        if name == "scheduler":
            return self.scheduler
        return _busiest_below(self.nannies[int(name.split()[1])])

    @property
    def pids(self) -> list[int]:
        """Of all of them, once they are there."""
        return [pid for name in self.names if (pid := self.pid(name)) is not None]

    @property
    def names(self) -> list[str]:
        """All of them."""
        return ["scheduler", *(f"worker {k}" for k in range(len(self.nannies)))]


@contextmanager
def own_processes(n: int = 2, limit: str = "2GB") -> Iterator[Processes]:
    """Workers of one thread each."""
    with tempfile.TemporaryDirectory(prefix="hsiclearn-cluster-") as folder:
        file = Path(folder) / "scheduler.json"
        here = ["--no-dashboard", "--scheduler-file", str(file)]
        started = [_start("scheduler", [*here, "--host", "127.0.0.1", "--port", "0"])]
        try:
            _wait_for(file)
            room = ["--nthreads", "1", "--memory-limit", limit, "--local-directory", folder]
            started += [_start("worker", [*here, "--name", str(k), *room]) for k in range(n)]
            with connected(file, n):  # until they are there
                pass
            yield Processes(file, started[0].pid, [process.pid for process in started[1:]])
        finally:
            for process in reversed(started):
                process.terminate()
            for process in reversed(started):
                process.wait(_SECONDS)


@contextmanager
def connected(file: Path, n: int = 2) -> Iterator[Any]:
    """A client of such processes."""
    with _distributed().Client(scheduler_file=str(file)) as client:
        client.wait_for_workers(n, timeout=_SECONDS)
        yield client


def processor_seconds(pids: Sequence[int]) -> list[float]:
    """Of each process so far."""
    import psutil

    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return [float(t.user + t.system) for t in times]


def _start(kind: str, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *arguments]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=quiet, stderr=quiet, env=dict(os.environ))


def _busiest_below(pid: int) -> int | None:
    import psutil

    try:
        below = psutil.Process(pid).children(recursive=True)
        return max(below, key=lambda p: p.memory_info().rss).pid if below else None
    except psutil.Error:
        return None


def _wait_for(file: Path) -> None:
    deadline = time.monotonic() + _SECONDS
    while not (file.exists() and file.stat().st_size):
        if time.monotonic() > deadline:
            raise RuntimeError("The scheduler did not start.")
        time.sleep(0.1)
