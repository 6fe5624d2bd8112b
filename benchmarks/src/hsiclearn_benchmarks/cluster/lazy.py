"""Rows that nobody has at once: memory of each process while they are fitted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hsiclearn import SupervisedHSIC

from .._types import Figures
from ..alone import Limits, Meter, Outcome, run_alone
from ..parts import Goal, Part, markdown
from .data import lazy_rows
from .given import Given, Processes, connected, own_processes

__all__ = ["measure_lazy"]

_SIZES, _D, _CHUNK = (2e6, 2e7), 20, 5e5
_MIDDLE = 8e6
_LIMITS = {"2GB": 2000.0, "700MB": 700.0}  # of a worker: rows are kept, and made anew
_WORKERS, _EVERY = 2, 0.05
_FLAT = 100.0  # MB


@dataclass
class Watcher:
    """The most memory that each process had, looked at from outside."""

    processes: Processes
    most: dict[str, float] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def watching(self) -> Iterator[Watcher]:
        """While this lasts."""
        done = threading.Event()
        thread = threading.Thread(target=self._look, args=(done,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            done.set()
            thread.join()

    def _look(self, done: threading.Event) -> None:
        while not done.wait(_EVERY):
            for name in self.processes.names:
                if (pid := self.processes.pid(name)) is not None:
                    now = _megabytes(pid)
                    self.first.setdefault(name, now)
                    self.most[name] = max(self.most.get(name, 0.0), now)


def _megabytes(pid: int) -> float:
    import psutil

    try:
        return float(psutil.Process(pid).memory_info().rss / 1e6)
    except psutil.Error:
        return 0.0  # it has ended


def measure_lazy(given: Given) -> Part:
    """Few rows and many, with room for them and without."""
    rows, clients, schedulers, workers = [], {}, {}, {}
    few, many = map(given.rows, _SIZES)
    large, small = _LIMITS
    cases = (few, large), (many, large), (given.rows(_MIDDLE), small)
    for n, limit in cases:
        given.tell(f"{n} rows, workers of {limit}")
        found, most, first = fit_watched(n, given.rows(_CHUNK), limit)
        table = f"{n:,}", f"{4e-6 * n * _D:,.0f}", limit
        if not found.finished:
            rows.append([*table, found.problem or found.status, *[""] * 6])
            continue
        assert found.seconds is not None
        assert found.peak is not None
        key = n, limit
        clients[key], schedulers[key] = found.peak / 1e6, most["scheduler"] - first["scheduler"]
        workers[key] = max(v for name, v in most.items() if name != "scheduler")
        cells = [found.figures["where"], f"{found.seconds:.0f}", found.figures["passes"]]
        cells += [f"{clients[key]:.0f}", f"{most['scheduler']:.0f}"]
        rows.append([*table, *cells, *(f"{most[f'worker {k}']:.0f}" for k in range(_WORKERS))])
    head = ["rows", "X, MB", "limit of a worker", "rows are", "seconds", "iterations"]
    head += ["client, MB more", "scheduler, MB", *(f"worker {k}, MB" for k in range(_WORKERS))]
    last = many, large
    return Part(
        f"Lazy: rows of {_D} columns in single precision that are made by chunks, {_WORKERS} "
        "workers of one thread, classes, q = 2",
        markdown(head, rows),
        [
            Goal("client: MB more with ten times the rows", _more(clients, few, last), _FLAT),
            Goal("scheduler: MB more with ten times the rows", _more(schedulers, few, last), _FLAT),
            *(
                Goal(
                    f"a worker of {limit}: MB at its peak", workers.get((n, limit)), _LIMITS[limit]
                )
                for n, limit in cases[1:]
            ),
        ],
        notes=[
            "Every process is one of its own and new for each line; memory is looked at from "
            "outside: of the client what it has more than before the fit, of the others all.",
            f'Chunks of {given.rows(_CHUNK):,} rows; `bandwidth="median"`.',
        ],
    )


def _more(found: dict[tuple[int, str], float], few: int, last: tuple[int, str]) -> float | None:
    before, after = found.get((few, last[1])), found.get(last)
    return None if before is None or after is None else max(after - before, 0.0)


def fit_watched(
    n: int, size: int, limit: str
) -> tuple[Outcome, dict[str, float], dict[str, float]]:
    """A fit, and the most and the first memory of scheduler and workers."""
    with own_processes(_WORKERS, limit) as processes, Watcher(processes).watching() as watcher:
        found = run_alone(fit_lazily, Limits(), file=processes.file, n=n, size=size)
    return found, watcher.most, watcher.first


def fit_lazily(meter: Meter, *, file: Path, n: int, size: int) -> Figures:
    """One fit by the cluster of a scheduler file."""
    with connected(file, _WORKERS):
        collections = lazy_rows(n, _D, size)
        model = SupervisedHSIC(2, bandwidth="median")
        with meter.running():
            model.fit(*collections)
        reason = model.result_.engine_reason
        return {
            "where": "kept" if "kept in memory" in reason else "made in each pass",
            "reason": reason,
            "passes": model.n_iter_,
        }
