"""The price of a cluster: the same fit in one process, and by two workers that have its rows."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hsiclearn import SupervisedHSIC

from .._types import Figures
from ..alone import Limits, Meter, Outcome, run_alone
from ..bench import end_of
from ..parts import Goal, Part, markdown
from .data import KINDS, in_chunks, planted
from .given import Given, connected, on_workers, own_processes, processor_seconds

__all__ = ["measure_overhead"]

_N, _D, _CHUNKS, _FITS = 1e6, 20, 8, 3
_GOAL = 1.3


def measure_overhead(given: Given) -> Part:
    """Both kinds of targets; fits in memory are over before a cluster is there."""
    n = given.rows(_N)
    rows, goals = [], []
    for kind in KINDS:
        given.tell(f"{kind}, in memory")
        alone = run_alone(fits_in_memory, Limits(), n=n, kind=kind)
        given.tell(f"{kind}, two workers")
        with own_processes() as processes:
            settings: Figures = {"file": processes.file, "n": n, "kind": kind}
            both = run_alone(fits_by_workers, Limits(), **settings, pids=processes.pids)
        ratio = _ratio(both, alone, "seconds")
        cells = [_seconds(alone, "seconds"), _seconds(both, "seconds"), _text(ratio)]
        cells += [_seconds(alone, "cpu"), _seconds(both, "cpu"), _text(_ratio(both, alone, "cpu"))]
        rows.append([kind, *cells, _apart(alone, both)])
        goals.append(Goal(f"{kind}: time of two workers over that of one process", ratio, _GOAL))
    head = ["target", "one process, seconds", "two workers, seconds", "ratio"]
    head += ["one process, CPU seconds", "two workers, CPU seconds", "ratio", "apart by"]
    return Part(
        f"Overhead: {n:,} rows of {_D} columns in single precision, q = 2, {_CHUNKS} chunks",
        markdown(head, rows),
        goals,
        notes=[
            f"The median of {_FITS} fits after a first one. The process has two threads, each "
            "worker one; CPU seconds of workers are with those of client and scheduler.",
            "Apart by: the largest difference between the components of the two.",
        ],
    )


def fits_in_memory(_: Meter, *, n: int, kind: str) -> Figures:
    """Seconds of fits in this process."""
    return _figures([os.getpid()], *planted(n, _D, kind))


def fits_by_workers(_: Meter, *, file: Path, pids: Sequence[int], n: int, kind: str) -> Figures:
    """Seconds of fits by processes that hold the chunks."""
    with connected(file):
        collections = on_workers(*in_chunks(*planted(n, _D, kind), _CHUNKS))
        return _figures([os.getpid(), *pids], *collections)


def _figures(pids: Sequence[int], X: object, y: object) -> Figures:
    """Medians of fits, in seconds and in processor seconds of all that have a part."""
    model = SupervisedHSIC(2, engine="nystrom").fit(X, y)
    found = []
    for _ in range(_FITS):
        began, before = time.perf_counter(), sum(processor_seconds(pids))
        model.fit(X, y)
        found.append((time.perf_counter() - began, sum(processor_seconds(pids)) - before))
    seconds, cpu = np.median(found, axis=0).tolist()
    return {"seconds": seconds, "cpu": cpu, "components": model.components_}


def _ratio(over: Outcome, under: Outcome, what: str) -> float | None:
    if not (over.finished and under.finished):
        return None
    return float(over.figures[what] / under.figures[what])


def _seconds(outcome: Outcome, what: str) -> str:
    return f"{outcome.figures[what]:.2f}" if outcome.finished else end_of(outcome)


def _apart(a: Outcome, b: Outcome) -> str:
    if not (a.finished and b.finished):
        return ""
    return f"{np.abs(a.figures['components'] - b.figures['components']).max():.1e}"


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
