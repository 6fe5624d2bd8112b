"""A cluster that is not here: seconds of a fit on many workers, from those of its tasks on one.

What is measured: seconds of a row in each pass, of a merge, of what the client does between passes;
bytes of tasks and answers; and what a task costs client, scheduler and worker, of thousands that do
nothing. What is assumed: a network, and cores that do not slow each other down. The same is
foretold for two workers on this machine, and measured there.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from hsiclearn import SupervisedHSIC
from hsiclearn._rows._dask.graph import _FAN_IN

from .._types import Figures
from ..alone import Limits, Meter, run_alone
from ..parts import Goal, Part, markdown
from .costs import costs_of_tasks
from .data import KINDS, in_chunks, planted
from .given import Given, few_processes, on_workers
from .trace import Fold, Trace, traced

__all__ = ["Cluster", "Question", "measure_simulation", "seconds_of"]

_N, _D, _CHUNKS = 4e5, 50, 8
_TABLES = ((1e7, 1e5), (1e8, 2.5e5), (1e9, 5e5), (1e9, 1.25e6))  # rows, and rows of a chunk
_WORKERS, _CORES = 100, 8
_NETWORK = 1.25e9  # bytes a second: ten gigabits
_WITHIN = (0.7, 1.4)  # foretold over measured


@dataclass(frozen=True)
class Cluster:
    """Workers, and what a task costs beside its work: seconds of all that take turns, of a core.

    ``latency`` is that of a question.
    """

    workers: int
    cores: int
    task: float
    own: float
    latency: float
    network: float = _NETWORK


@dataclass(frozen=True)
class Question:
    """One pass: its chunks, seconds of each and of a merge, bytes of the task and of an answer."""

    chunks: int
    share: float
    merge: float
    task_bytes: float
    answer_bytes: float


@dataclass
class _Worker:
    """Its chunks that wait, its merges that wait, and how many cores have nothing to do."""

    free: int
    shares: deque[int]
    merges: deque[tuple[int, float]]


def seconds_of(question: Question, cluster: Cluster) -> float:
    """Events in their order: a worker takes a merge before a chunk, the scheduler one at a time.

    Half of what it takes for a task is before the first begins, when the graph is read; the other
    half follows each answer. The task comes to all workers from one of them, one after the other.
    """
    P, w = question.chunks, cluster.workers
    parents, inputs, owner = _tree(P, w)
    workers = [_Worker(cluster.cores, deque(), deque()) for _ in range(w)]
    for k in range(P):
        workers[owner[k]].shares.append(k)
    half = 0.5 * cluster.task
    began = cluster.latency + half * len(owner)
    began += question.task_bytes * (min(P, w) - 1) / cluster.network
    events: list[tuple[float, int, int]] = []  # when, 0 answered or 1 known, which
    waits, scheduler = [len(some) for some in inputs], 0.0

    def begin(worker: _Worker, now: float) -> None:
        while worker.free and (worker.merges or worker.shares):
            worker.free -= 1
            if worker.merges:
                task, seconds = worker.merges.popleft()
            else:
                task, seconds = worker.shares.popleft(), question.share
            heapq.heappush(events, (now + cluster.own + seconds, 0, task))

    for worker in workers:
        begin(worker, began)
    while events:
        now, kind, task = heapq.heappop(events)
        if kind == 0:
            scheduler = max(scheduler, now) + half
            heapq.heappush(events, (scheduler, 1, task))
            workers[owner[task]].free += 1
            begin(workers[owner[task]], now)
            continue
        parent = parents[task]
        if parent < 0:
            return now + cluster.latency
        waits[parent] -= 1
        if not waits[parent]:
            far = sum(owner[i] != owner[parent] for i in inputs[parent])
            moved = far * question.answer_bytes / cluster.network + bool(far) * cluster.latency
            own = question.merge * (len(inputs[parent]) - 1)
            workers[owner[parent]].merges.append((parent, moved + own))
            begin(workers[owner[parent]], now)
    raise AssertionError("A tree has a root.")


def _tree(P: int, w: int) -> tuple[list[int], list[list[int]], list[int]]:
    """Parents, inputs and owners of tasks; chunks come first, neighbours lie together."""
    owner = [k * w // P for k in range(P)]
    inputs: list[list[int]] = [[] for _ in range(P)]
    level = list(range(P))
    while len(level) > 1:
        groups = [level[i : i + _FAN_IN] for i in range(0, len(level), _FAN_IN)]
        level = list(range(len(inputs), len(inputs) + len(groups)))
        inputs += groups
        owner += [owner[group[0]] for group in groups]
    parents = [-1] * len(inputs)
    for task, some in enumerate(inputs):
        for one in some:
            parents[one] = task
    return parents, inputs, owner


def question_of(fold: Fold, rows: int, chunk: float, n_chunks: int) -> Question:
    """A pass as it was measured on ``rows`` rows, with other chunks."""
    per_row = sum(call.seconds for call in fold.shares) / rows
    merges = sum(call.seconds for call in fold.merges)
    joined = max(len(fold.shares) - 1, 1)
    return Question(n_chunks, per_row * chunk, merges / joined, fold.task_bytes, fold.share_bytes)


def fit_seconds(trace: Trace, rows: int, n: float, chunk: float, cluster: Cluster) -> float:
    """All questions of a fit, and what the client does between them."""
    n_chunks = max(round(n / chunk), 1)
    return trace.here + sum(
        taken_seconds(fold, n_chunks, cluster)
        if fold.name == "take"
        else seconds_of(question_of(fold, rows, n / n_chunks, n_chunks), cluster)
        for fold in trace.folds
    )


def taken_seconds(fold: Fold, n_chunks: int, cluster: Cluster) -> float:
    """Of rows that are fetched: a task for each chunk that has one."""
    n_rows = max(fold.answer // (4 * _D), 1)
    tasks = cluster.task * min(n_chunks, n_rows)
    return cluster.latency + tasks + fold.answer / cluster.network


def measure_simulation(given: Given) -> Part:
    """What two workers take is foretold and measured; then what a hundred would."""
    n, body, goals, tables = given.rows(_N), [], [], []
    costs = costs_of_tasks(given)
    two = Cluster(2, 1, costs.task, 0.0, costs.question)
    turns = costs.client + costs.scheduler
    hundred = Cluster(_WORKERS, _CORES, turns, costs.worker, costs.question)
    for kind in KINDS:
        given.tell(f"{kind}, task by task")
        trace = _trace(n, kind)
        given.tell(f"{kind}, two workers")
        measured = _measured(*planted(n, _D, kind))
        foretold = fit_seconds(trace, n, n, n / _CHUNKS, two)
        ratio = foretold / measured
        body.append(
            [kind, *_per_pass(trace, n), f"{foretold:.2f}", f"{measured:.2f}", f"{ratio:.2f}"]
        )
        for bound, at_most in zip(_WITHIN, (False, True), strict=True):
            goals.append(Goal(f"{kind}: foretold over measured", ratio, bound, at_most=at_most))
        tables += [_line(kind, rows, chunk, trace, n, hundred) for rows, chunk in _TABLES]
    head = ["target", "passes", "gather, s", "scatter, s", "client, s"]
    head += ["two workers, foretold", "measured", "ratio"]
    far = ["target", "rows", "MB a chunk", "chunks", "MB a worker", "an evaluation, s"]
    far += ["of it the rows, s", "MB of it", "a fit, s"]
    return Part(
        f'Simulate: {n:,} rows of {_D} columns in single precision, q = 2, bandwidth="median"',
        f"{markdown(head, body)}\n\n{markdown(far, tables)}",
        goals,
        notes=[
            "Gather and scatter: seconds of one core for a million rows, while the other does the "
            "same; client: what it does "
            "between passes, the same for any number of rows.",
            f"A task that does nothing takes {1e3 * costs.task:.2f} ms here, a question "
            f"{1e3 * costs.question:.0f} ms; processor time of a task: client "
            f"{1e3 * costs.client:.2f} ms, scheduler {1e3 * costs.scheduler:.2f} ms, worker "
            f"{1e3 * costs.worker:.2f} ms.",
            f"Second table, a simulation: {_WORKERS} workers of {_CORES} cores that do not slow "
            f"each other down, a network of {_NETWORK / 1e9:g} GB/s; client and scheduler take "
            "turns at the tasks. An evaluation is a gather and a scatter; of it the rows: the "
            "seconds of all chunks over all cores.",
        ],
    )


def _trace(n: int, kind: str) -> Trace:
    """A fit, task by task, while another core does the same: cores of a worker are all busy."""
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: run_alone(fit_traced, Limits(), n=n, kind=kind), range(2)))
    if not all(outcome.finished for outcome in found):
        raise RuntimeError(found[0].problem or found[1].problem)
    trace: Trace = found[0].figures["trace"]
    return trace


def fit_traced(_: Meter, *, n: int, kind: str) -> Figures:
    """The trace of a fit, after one that loads what is loaded late."""
    X, y = planted(n, _D, kind)
    model = SupervisedHSIC(2, engine="nystrom", bandwidth="median")
    model.fit(*in_chunks(X[:4000], y[:4000], 2))
    with traced() as trace:
        model.fit(*in_chunks(X, y, _CHUNKS))
    return {"trace": trace}


def _measured(X: Any, y: Any) -> float:
    """The median of three fits by two workers, after a first one."""
    model, found = SupervisedHSIC(2, engine="nystrom", bandwidth="median"), []
    with few_processes():
        collections = on_workers(*in_chunks(X, y, _CHUNKS))
        for _ in range(4):
            began = time.perf_counter()
            model.fit(*collections)
            found.append(time.perf_counter() - began)
    return float(np.median(found[1:]))


def _per_pass(trace: Trace, n: int) -> list[str]:
    """How many passes, seconds of a core for a million rows of each kind, and of the client."""
    passes = [fold for fold in trace.folds if fold.name != "take"]
    cells = [f"{1e6 * _mean_seconds(trace.of(name)) / n:.2f}" for name in ("gather", "scatter")]
    return [str(len(passes)), *cells, f"{trace.here:.2f}"]


def _mean_seconds(folds: Sequence[Fold]) -> float:
    return float(np.mean([sum(call.seconds for call in fold.shares) for fold in folds]))


def _line(
    kind: str, n: float, chunk: float, trace: Trace, measured: int, cluster: Cluster
) -> list[str]:
    """A table of so many rows on a cluster that is not here."""
    n_chunks = round(n / chunk)
    both = [trace.of(name) for name in ("gather", "scatter")]
    seconds = ideal = moved = 0.0
    for folds in both:
        asked = [question_of(fold, measured, chunk, n_chunks) for fold in folds]
        seconds += float(np.mean([seconds_of(q, cluster) for q in asked]))
        ideal += float(np.mean([q.share for q in asked])) * n_chunks
        workers = min(cluster.workers, n_chunks)
        moved += float(np.mean([q.task_bytes * workers + q.answer_bytes * n_chunks for q in asked]))
    fit = fit_seconds(trace, measured, n, chunk, cluster)
    cells = [
        kind,
        f"{n:,.0f}",
        f"{4e-6 * _D * chunk:,.0f}",
        f"{n_chunks:,}",
        f"{4e-6 * _D * n / cluster.workers:,.0f}",
    ]
    cells += [f"{seconds:.2f}", f"{ideal / (cluster.workers * cluster.cores):.2f}"]
    return [*cells, f"{1e-6 * moved:,.0f}", f"{fit:.1f}"]
