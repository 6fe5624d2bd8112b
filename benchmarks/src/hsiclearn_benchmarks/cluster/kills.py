"""Workers that are killed while they work, and what becomes of the answer."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import Any

import numpy as np

from hsiclearn import SupervisedHSIC

from ..parts import Goal, Part, markdown
from .data import in_chunks, planted
from .given import Given, few_processes

__all__ = ["measure_kills"]

_N, _D, _CHUNKS, _KILLS = 2e5, 20, 8, 20
_PAUSE = (0.5, 2.0)  # seconds from when two workers are there to when one is not
_SETTINGS: dict[str, Any] = {"bandwidth": 4.0, "engine": "nystrom", "tol": 1e-10}
_MOST_CLUSTERS, _PATIENCE = 10, 20.0


def measure_kills(given: Given) -> Part:
    """Fits until there were so many kills, each beside the one in memory."""
    n, n_kills = given.rows(_N), given.times(_KILLS)
    X, y = planted(n, _D, "real")
    X = X.astype(np.float64)
    given.tell("in memory")
    expected = SupervisedHSIC(2, **_SETTINGS).fit(X, y).components_
    differences: list[float] = []
    problems: list[str] = []
    n_killed = n_hit = n_clusters = 0
    while n_killed < n_kills and n_clusters < _MOST_CLUSTERS:
        n_clusters += 1
        before = n_killed
        left = n_kills - n_killed
        with few_processes(memory_limit="2GB") as client, _Killer(client, left, before) as killer:
            while killer.is_alive:
                given.tell(f"{before + killer.n_killed} of {n_kills} killed")
                try:
                    with killer.at_work():
                        found = SupervisedHSIC(2, **_SETTINGS).fit(*in_chunks(X, y, _CHUNKS))
                    differences.append(float(np.abs(found.components_ - expected).max()))
                except Exception as error:  # a fit that is lost is a figure
                    problems.append(f"{type(error).__name__}: {str(error).splitlines()[0][:200]}")
        n_killed, n_hit = n_killed + killer.n_killed, n_hit + killer.n_hit
    worst = max(differences, default=float("nan"))
    head = ["kills", "fits", "fits that were hit", "fits lost", "clusters", "worst difference"]
    row = [n_killed, len(differences) + len(problems), n_hit, len(problems), n_clusters]
    return Part(
        f"Kills: {n:,} rows of {_D} columns, a real target, 2 workers, {_CHUNKS} chunks",
        markdown(head, [[*row, f"{worst:.1e}"]]),
        [
            Goal("kills", n_killed, n_kills, at_most=False),
            Goal("fits lost", len(problems), 0),
            Goal("components: worst difference from the fit in memory", worst, 1e-9),
        ],
        notes=[
            "SIGKILL to a worker process chosen at random, "
            f"{_PAUSE[0]:g} to {_PAUSE[1]:g} s after two were there, in the middle of a fit.",
            "A task that was on a worker when it died may be so three times more: the setting "
            "`distributed.scheduler.allowed-failures`, left at its default.",
            "A new cluster begins where a worker that was killed is not back after "
            f"{_PATIENCE:g} s; the fit goes on without it.",
            *sorted(set(problems)),
        ],
    )


class _Killer:
    """Kills a worker now and then while there is a fit, until there were enough."""

    def __init__(self, client: Any, n_kills: int, seed: int = 0) -> None:
        self.n_killed = self.n_hit = 0
        self._client, self._n_kills = client, n_kills
        self._rng = np.random.default_rng(seed)
        self._working, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> _Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._working.set()
        self._thread.join()

    @property
    def is_alive(self) -> bool:
        """Whether there is more to kill."""
        return self._thread.is_alive()

    @contextlib.contextmanager
    def at_work(self) -> Any:
        """Only inside are workers killed."""
        before = self.n_killed
        self._working.set()
        try:
            yield
        finally:
            self._working.clear()
            self.n_hit += self.n_killed > before

    def _run(self) -> None:
        while self.n_killed < self._n_kills:
            try:
                self._client.wait_for_workers(2, timeout=_PATIENCE)
            except TimeoutError:
                return
            self._done.wait(self._rng.uniform(*_PAUSE))
            self._working.wait()
            if self._done.is_set():
                return
            nannies = list(self._client.cluster.workers.values())
            # A nanny gives up a worker that dies while it starts.
            if all(nanny.status.name == "running" and nanny.pid for nanny in nannies):
                os.kill(nannies[self._rng.integers(len(nannies))].pid, signal.SIGKILL)
                self.n_killed += 1
                self._wait_for_loss()

    def _wait_for_loss(self) -> None:
        """Until the scheduler knows; else it would be taken for two workers again."""
        for _ in range(100):
            if len(self._client.scheduler_info(n_workers=-1)["workers"]) < 2:
                return
            self._done.wait(0.05)
