"""The steps of a descent, as they are told, and as a callback of a user's sees them."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import Any

from .._arrays import FloatArray
from .._progress import (
    aside,
    ask_to_stop,
    duration,
    is_heard,
    seen_at,
    stop_is_asked,
    tell,
)
from .._result import Record

Callback = Callable[[Record], Any]
"""Takes a record; what is true of what it returns asks the fit to stop."""


class Steps:
    """Tells the steps of the descents of a stage, each of so many moves; no name tells nothing.

    To evaluate the start is a step too, and so is to find that there is no move to make.
    """

    def __init__(
        self,
        stage: str = "",
        max_iter: int = 0,
        callback: Callback | None = None,
        n_starts: int = 1,
    ) -> None:
        self._stage, self._max_iter, self._callback = stage, max_iter, callback
        self._at_most = n_starts * (max_iter + 2)

    def announce(self) -> None:
        """Say that the stage begins."""
        if self._stage:
            tell(self._stage, at_most=self._at_most)

    def begin(self) -> None:
        """Say that a step begins."""
        if self._stage:
            tell(self._stage, at_most=self._at_most, is_step=True)

    def made(self, record: Record, W: FloatArray, number: int) -> None:
        """Say that a step was made, to W, after so many moves; and ask the callback."""
        if self._stage and is_heard():
            words = f"{number:>5} of {self._max_iter}  {in_words(record)}"
            more = {"at_most": self._at_most, "is_step": True, "is_made": True}
            tell(self._stage, words, seen=seen_at(W), **more)
        if self._callback is not None and _answer(self._callback, record):
            ask_to_stop()

    @property
    def are_stopped(self) -> bool:
        """Whether somebody has asked for no more of them."""
        return bool(self._stage) and stop_is_asked()


def in_words(record: Record) -> str:
    """A line for a record; a descent that measures neither angles nor time tells none."""
    words = f"{record.step:>8}  cost {record.cost:.8g}  gradient {record.gradient:.1e}"
    if isnan(record.seconds):
        return words
    return f"{words}  angle {record.angle:.1e}  {duration(record.seconds)}"


def _answer(callback: Callback, record: Record) -> bool:
    """What the callback says, in a context of its own."""
    try:
        return bool(aside(callback, record))
    except StopIteration as error:  # it would end a loop somewhere, without a word
        raise RuntimeError(
            "`callback` asks a fit to stop by returning True. Got a StopIteration that it raised."
        ) from error
