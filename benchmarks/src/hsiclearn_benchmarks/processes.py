"""Processes to measure in, gone when whoever started them is; and the clock of a measurement."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, TypeAlias

from hsiclearn import Record

__all__ = ["Pipe", "Watch", "leave_with_parent", "start_process"]

Pipe: TypeAlias = "Connection[Any, Any]"


def start_process(serve: Callable[..., None], *args: Any) -> tuple[SpawnProcess, Pipe]:
    """Run ``serve(pipe, *args)`` in a process of its own; it, and our end of the pipe."""
    # Started anew rather than forked: threads of the parent's BLAS do not survive a fork.
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    process = context.Process(target=_enter, args=(theirs, serve, *args), daemon=True)
    process.start()
    theirs.close()
    try:
        pipe.recv()  # ready
    except EOFError:
        raise RuntimeError(
            "The measuring process could not start. A script that calls this must do so under "
            "`if __name__ == '__main__':`, because the process imports the script."
        ) from None
    return process, pipe


def _enter(pipe: Pipe, serve: Callable[..., None], *args: Any) -> None:
    warnings.simplefilter("ignore")
    threading.Thread(target=leave_with_parent, daemon=True).start()
    pipe.send(("ready", None))
    serve(pipe, *args)


def leave_with_parent() -> None:
    """A parent that was killed cannot end its child, which may be in the middle of a long step."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Watch:
    """Counts the seconds between ``start`` and ``stop``, and passes on what happens.

    ``tell`` hears ``("began", None)``, ``("step", (seconds, cost))`` and ``("ended", seconds)``.
    """

    def __init__(self, tell: Callable[[str, object], None] = lambda kind, value: None) -> None:
        self._tell = tell
        self._began = 0.0

    def start(self) -> None:
        """The method begins."""
        self._tell("began", None)
        self._began = time.perf_counter()

    def report(self, record: Record) -> None:
        """The method made a step."""
        self._tell("step", (time.perf_counter() - self._began, record.cost))

    def stop(self) -> float:
        """The method is done; its seconds."""
        seconds = time.perf_counter() - self._began
        self._tell("ended", seconds)
        return seconds
