"""Ctrl-C while modules are loaded, which takes a second or two before the work begins."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

_STOPPED = b"hsiclearn: stopped\n"


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """While modules are loaded, Ctrl-C ends the process: there is nothing to clean up yet.

    As an exception it could come up in a module that swallows it. Where Ctrl-C is ignored, as
    under nohup, it stays so.
    """
    is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_ours or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def stop(signum: int = 0, frame: FrameType | None = None) -> NoReturn:
    """End the process with a line, and without whatever Python does at its end."""
    with suppress(OSError):
        os.write(2, _STOPPED)
    os._exit(130)
