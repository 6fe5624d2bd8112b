"""The price of a cluster: the same fit in one process, and by two workers that have its rows."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from hsiclearn import SupervisedHSIC

from .._types import Figures
from ..alone import Limits, Meter, Outcome, run_alone
from ..parts import Goal, Part, markdown
from .data import KINDS, in_chunks, planted
from .given import Given, connected, on_workers, own_processes

__all__ = ["measure_overhead"]

_N, _D, _CHUNKS, _FITS = 1e6, 20, 8, 5
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
            both = run_alone(fits_by_workers, Limits(), file=processes.file, n=n, kind=kind)
        ratio = _ratio(both, alone)
        rows.append([kind, _seconds(alone), _seconds(both), _text(ratio, ".2f"), _apart(both)])
        goals.append(Goal(f"{kind}: time of two workers over that of one process", ratio, _GOAL))
    head = ["target", "one process, seconds", "two workers, seconds", "ratio", "apart by"]
    return Part(
        f"Overhead: {n:,} rows of {_D} columns in single precision, q = 2, {_CHUNKS} chunks",
        markdown(head, rows),
        goals,
        notes=[
            f"The median of {_FITS} fits after a first one. The process has two threads, each "
            "worker one.",
            "Apart by: the largest difference between the components of the two.",
        ],
    )


def fits_in_memory(_: Meter, *, n: int, kind: str) -> Figures:
    """Seconds of fits in this process."""
    X, y = planted(n, _D, kind)
    model, seconds = _fits(X, y)
    return {"seconds": seconds, "components": model.components_}


def fits_by_workers(_: Meter, *, file: Path, n: int, kind: str) -> Figures:
    """Seconds of fits by two processes that hold the chunks; and how far from one in memory."""
    X, y = planted(n, _D, kind)
    expected = _model().fit(X, y).components_
    with connected(file):
        collections = on_workers(*in_chunks(X, y, _CHUNKS))
        model, seconds = _fits(*collections)
    return {"seconds": seconds, "apart": float(np.abs(model.components_ - expected).max())}


def _model() -> SupervisedHSIC:
    return SupervisedHSIC(2, engine="nystrom")


def _fits(X: object, y: object) -> tuple[SupervisedHSIC, float]:
    model, found = _model().fit(X, y), []
    for _ in range(_FITS):
        began = time.perf_counter()
        model.fit(X, y)
        found.append(time.perf_counter() - began)
    return model, float(np.median(found))


def _ratio(over: Outcome, under: Outcome) -> float | None:
    if not (over.finished and under.finished):
        return None
    return float(over.figures["seconds"] / under.figures["seconds"])


def _seconds(outcome: Outcome) -> str:
    if not outcome.finished:
        return outcome.problem or outcome.status
    return f"{outcome.figures['seconds']:.2f}"


def _apart(outcome: Outcome) -> str:
    return f"{outcome.figures['apart']:.1e}" if outcome.finished else ""


def _text(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)
