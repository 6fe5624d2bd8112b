"""How far the work is: whoever works long tells, whoever started it may listen.

Work is told as a *stage* (``"choosing on 1000 rows"``) and a *detail* of it (``"3 of at most 10:
bandwidth 0.8"``), before it is done; steps of a descent are told when they begin and when they were
made. There is one listener at a time, known by context, so that no function has to hand it down;
most of the time there is none, and telling costs next to nothing. A listener has no part in the
answer. The one thing it may do is to ask that the work ends early, with what there is by then.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from typing import Any, TextIO, TypeVar

R = TypeVar("R")
Seen = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Told:
    """What a listener hears.

    A ``stage`` alone begins, with so many parts ``at_most``, where that is known; so does a
    ``detail`` of it, which may be empty, until the next is told. A step is told when it begins
    (``is_step``), and again when it is made (``is_made``): then ``seen`` returns what there is by
    now, as whoever :func:`shown_by` put it, or is None where nobody did. A remark
    (``is_remark``) is no work, but what came of some.
    """

    stage: str
    detail: str = ""
    at_most: int | None = None
    is_step: bool = False
    is_made: bool = False
    is_remark: bool = False
    seen: Seen | None = None


Listener = Callable[[Told], None]

_LISTENER: ContextVar[Listener | None] = ContextVar("hsiclearn_listener", default=None)
_ASKED: ContextVar[list[bool] | None] = ContextVar("hsiclearn_asked", default=None)
_SHOWN: ContextVar[Callable[[Any], Any] | None] = ContextVar("hsiclearn_shown", default=None)


def tell(stage: str, detail: str = "", **more: Any) -> None:
    """Say what is about to be done; ``more`` are fields of :class:`Told`."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(Told(stage, detail, **more))


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
def also_heard_by(listener: Listener | None) -> Iterator[None]:
    """Let one more listen, after whoever does; None changes nothing."""
    before = _LISTENER.get()
    if listener is None:
        yield
        return

    def both(told: Told) -> None:
        if before is not None:
            before(told)
        listener(told)

    with heard_by(both):
        yield


@contextmanager
def stoppable() -> Iterator[None]:
    """Work that can be asked to end early; within such work, a part of it."""
    if _ASKED.get() is not None:
        yield
        return
    token = _ASKED.set([])
    try:
        yield
    finally:
        _ASKED.reset(token)


def ask_to_stop() -> None:
    """Ask that the work under way ends early: what is left of it is then as short as can be."""
    asked = _ASKED.get()
    if asked is not None:
        asked.append(True)


def stop_is_asked() -> bool:
    """Whether it was asked for, in this piece of work."""
    return bool(_ASKED.get())


@contextmanager
def shown_by(show: Callable[[Any], Any], *, first: bool = False) -> Iterator[None]:
    """Show directions told inside as whoever listens can use them: lifted to more columns, say.

    ``show`` takes what those further in make of them. Without somebody who is ``first`` nothing is
    shown.
    """
    outer = _SHOWN.get()
    if outer is None and not first:
        yield
        return
    token = _SHOWN.set(show if outer is None or first else lambda W: outer(show(W)))
    try:
        yield
    finally:
        _SHOWN.reset(token)


def seen_at(W: Any) -> Seen | None:
    """What to tell as seen of these directions."""
    show = _SHOWN.get()
    return None if show is None else lambda: show(W)


def aside(function: Callable[..., R], *arguments: Any) -> R:
    """Call a function of a user's, which may do such work of its own: nobody hears that here."""

    def alone() -> R:
        for variable in (_LISTENER, _ASKED, _SHOWN):
            variable.set(None)
        return function(*arguments)

    return copy_context().run(alone)


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

    def __call__(self, told: Told) -> None:
        """Print what is new of it."""
        stage, detail = told.stage, told.detail
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
