"""How far the work is: whoever works long tells, whoever started it may listen.

Work is told as a *stage* (``"choosing on 1000 rows"``) and a *detail* of it (``"3 of at most 10:
bandwidth 0.8"``), before it is done. There is one listener at a time, known by context, so that no
function has to hand it down; most of the time there is none, and telling costs next to nothing.
Nothing comes back from a listener: who listens has no part in the answer.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

Listener = Callable[[str, str], None]
"""Takes a stage and a detail of it, which may be empty."""

_LISTENER: ContextVar[Listener | None] = ContextVar("hsiclearn_listener", default=None)


def tell(stage: str, detail: str = "") -> None:
    """Say what is about to be done."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(stage, detail)


def is_heard() -> bool:
    """Whether anybody listens: ask where words are not cheap."""
    return _LISTENER.get() is not None


@contextmanager
def heard_by(listener: Listener | None) -> Iterator[None]:
    """Let somebody else listen, or with None nobody: to small work that is part of a larger one."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@contextmanager
def printed_if(verbose: bool | int) -> Iterator[None]:
    """What ``verbose=1`` does: lines on stdout, unless somebody listens already."""
    if verbose and not is_heard():
        with heard_by(Printer()):
            yield
    else:
        yield


class Printer:
    """A listener that prints: a stage as a line with the time so far, its details below it."""

    def __init__(self, file: TextIO | None = None) -> None:
        self._file, self._stage = file, ""
        self._began: float | None = None

    def __call__(self, stage: str, detail: str = "") -> None:
        """Print what is new of it."""
        file = sys.stdout if self._file is None else self._file
        if stage != self._stage:
            now = time.perf_counter()
            so_far = "" if self._began is None else f", after {duration(now - self._began)}"
            self._stage, self._began = stage, now if self._began is None else self._began
            print(f"{stage}{so_far}", file=file, flush=True)
        if detail:
            print(f"    {detail}", file=file, flush=True)


def duration(seconds: float) -> str:
    """Milliseconds where they are to be seen, minutes and hours where they count."""
    if seconds < 100:
        return f"{seconds:.3f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"
