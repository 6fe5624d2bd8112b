"""What a task costs beside its work: of thousands that do nothing."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from hsiclearn._rows._dask.graph import Graph

from .given import Given, connected, own_processes, processor_seconds

__all__ = ["Costs", "costs_of_tasks"]

_TINY, _REPEATS = (8, 2000), 4  # as many as the chunks of a small fit, and as of a large one


@dataclass(frozen=True)
class Costs:
    """Seconds on this machine: of a task and a question, and processor seconds of who has a part.

    On a machine whose cores are shared by all of these, ``task`` is about their sum over the cores;
    where each has its own, client and scheduler take turns and workers do not.
    """

    task: float
    question: float
    client: float
    scheduler: float
    worker: float


def costs_of_tasks(given: Given) -> Costs:
    """A line through two numbers of tasks; processor time is that of the larger number."""
    given.tell("tasks that do nothing")
    with own_processes() as processes, connected(processes.file) as client:
        pids = [os.getpid(), *processes.pids]
        few = [_asked(client, given.times(_TINY[0])) for _ in range(_REPEATS)]
        before = processor_seconds(pids)
        many = [_asked(client, given.times(_TINY[1])) for _ in range(_REPEATS)]
        after = processor_seconds(pids)
    (n_few, least), (n_many, most) = min(few), min(many)
    each = [(b - a) / (_REPEATS * n_many) for a, b in zip(before, after, strict=True)]
    task = (most - least) / (n_many - n_few)
    return Costs(task, max(least - n_few * task, 0.0), each[0], each[1], sum(each[2:]))


def _asked(client: Any, n: int) -> tuple[int, float]:
    """The number of tasks of a tree over n of them, and its seconds."""
    graph = Graph("tiny", client)
    root = graph.tree(_nothing, b"", [graph.add(_nothing, k) for k in range(n)])
    began = time.perf_counter()
    graph.compute(root)
    return len(graph._tasks), time.perf_counter() - began


def _nothing(*_: object) -> None:
    return None
