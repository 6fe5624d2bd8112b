"""What a fit asks of a cluster, question by question: seconds and bytes of every task.

Tasks run here, one after the other, so that seconds are those of one core and nobody waits.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import dask
import numpy as np

from hsiclearn._rows._dask.graph import Graph
from hsiclearn._rows._dask.remote import chosen, merged, share

__all__ = ["Call", "Fold", "Trace", "traced"]


@dataclass(frozen=True)
class Call:
    """One task: its seconds, and the bytes of its answer."""

    seconds: float
    bytes: int


@dataclass
class Fold:
    """One question: the bytes of the task that is sent, and what was answered on the way."""

    name: str
    task_bytes: int = 0
    shares: list[Call] = field(default_factory=list)
    merges: list[Call] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def answer(self) -> int:
        """The bytes of what comes back."""
        return self.merges[-1].bytes if self.merges else sum(call.bytes for call in self.shares)

    @property
    def share_bytes(self) -> float:
        """The bytes of the answer of a chunk, in the mean."""
        return float(np.mean([call.bytes for call in self.shares]))


@dataclass
class Trace:
    """All questions of a fit, in their order, and the seconds of the whole."""

    folds: list[Fold] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def here(self) -> float:
        """Seconds of what is not a question: they do not depend on the workers."""
        return max(self.seconds - sum(fold.seconds for fold in self.folds), 0.0)

    def of(self, name: str) -> list[Fold]:
        """The passes over all rows of one name."""
        return [fold for fold in self.folds if fold.name == name]


@contextmanager
def traced() -> Iterator[Trace]:
    """Note what is asked inside; without a client."""
    trace = Trace()
    by_graph: dict[int, Fold] = {}
    add, compute = Graph.add, Graph.compute

    def noted_add(graph: Any, *task: Any, of: str = "") -> Any:
        name = graph._name.removeprefix("hsic-")
        fold = by_graph.setdefault(id(graph), Fold(name))
        function, *rest = task
        if of == "-task":
            fold.task_bytes += len(rest[0])
        elif function in (share, chosen):
            function = _noted(function, fold.shares)
        elif function is merged:
            function = _noted(function, fold.merges)
        return add(graph, function, *rest, of=of)

    def noted_compute(graph: Any, keys: Any) -> Any:
        fold = by_graph.pop(id(graph), None)
        began = time.perf_counter()
        answer = compute(graph, keys)
        if fold is not None:
            fold.seconds = time.perf_counter() - began
            trace.folds.append(fold)
        return answer

    of_class: Any = Graph
    of_class.add, of_class.compute = noted_add, noted_compute
    began = time.perf_counter()
    try:
        with dask.config.set(scheduler="synchronous"):
            yield trace
    finally:
        trace.seconds = time.perf_counter() - began
        of_class.add, of_class.compute = add, compute


def _noted(function: Callable[..., Any], calls: list[Call]) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        began = time.perf_counter()
        answer = function(*args)
        seconds = time.perf_counter() - began
        calls.append(Call(seconds, len(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))))
        return answer

    return call
