"""Jobs in processes of their own, which may be killed at a moment."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from multiprocessing.context import ForkServerContext
from typing import Any

from ..processes import Pipe
from .victims import enter

__all__ = ["Attempt", "Moment", "attempted"]

_PATIENCE = 300.0  # seconds without a word


@dataclass(frozen=True)
class Moment:
    """When to kill: so many seconds after the beginning, or after so many files were begun."""

    seconds: float
    writes: int = 0


@dataclass
class Attempt:
    """How far a job came: its answer if it ended, its seconds since it began, files written."""

    answer: Any = None
    is_done: bool = False
    seconds: float = 0.0
    writes: int = 0


@cache
def _context() -> ForkServerContext:
    """Processes forked from one that has imported everything, and has no threads."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", enter.__module__])
    return context


def attempted(job: Callable[..., Any], *args: Any, moment: Moment | None = None) -> Attempt:
    """Run a job; without a moment to its end. What fails by itself is an error."""
    ours, theirs = _context().Pipe()
    process = _context().Process(target=enter, args=(theirs, job, *args), daemon=True)
    process.start()
    theirs.close()
    attempt = Attempt()
    try:
        _follow(attempt, ours, moment)
    finally:
        process.kill()
        process.join()
    _hear_the_rest(attempt, ours)
    ours.close()
    return attempt


def _follow(attempt: Attempt, pipe: Pipe, moment: Moment | None) -> None:
    """Listen until it is done, or until the moment."""
    began = until = time.perf_counter() + _PATIENCE
    while not attempt.is_done and pipe.poll(max(until - time.perf_counter(), 0.0)):
        what = _hear(attempt, pipe)
        if what == "begun":
            began = time.perf_counter()
            until = began + (_PATIENCE if moment is None or moment.writes else moment.seconds)
        if moment is not None and moment.writes and attempt.writes == moment.writes:
            time.sleep(moment.seconds)
            return
        attempt.seconds = time.perf_counter() - began
    if moment is None and not attempt.is_done:
        raise RuntimeError(f"A job has said nothing for {_PATIENCE:g} s.")


def _hear(attempt: Attempt, pipe: Pipe) -> str:
    """A word of the job's."""
    what, content = pipe.recv()
    if what == "failed":
        raise RuntimeError(content)
    attempt.writes += what == "writing"
    if what == "done":
        attempt.is_done, attempt.answer = True, content
    return str(what)


def _hear_the_rest(attempt: Attempt, pipe: Pipe) -> None:
    """It may have ended just before it was killed."""
    try:
        while not attempt.is_done and pipe.poll():
            _hear(attempt, pipe)
    except (EOFError, OSError):
        return
