"""The command ``hsiclearn``. It needs typer, the extra ``cli``."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from ..exceptions import MissingExtraError

_STOPPED = b"hsiclearn: stopped\n"


def main() -> None:
    """Run the command; without typer, say in one line what to install and leave with code 1.

    Whatever becomes of the streams and whenever Ctrl-C is pressed, there is no traceback.
    """
    _stand_in_for_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that lacks a character is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        with _leaving_at_once():
            from .app import app
        try:
            app()
        finally:
            sys.stdout.flush()  # a disk that is full is found out here, not while Python ends
    except MissingExtraError as error:
        print(error, file=sys.stderr)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        _stop()
    except OSError as error:
        _give_up_stdout()
        if not isinstance(error, BrokenPipeError):
            print(f"hsiclearn: cannot write the answer: {error.strerror}", file=sys.stderr)
        raise SystemExit(1) from None


def _stand_in_for_closed_streams() -> None:
    """Take ``>&-`` for ``> /dev/null``: the next file to be opened must not become stdout."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  (until the end)


@contextmanager
def _leaving_at_once() -> Iterator[None]:
    """While modules are loaded, Ctrl-C ends the process: there is nothing to clean up yet.

    As an exception it could come up in a module that swallows it. Where Ctrl-C is ignored, as
    under nohup, it stays so.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _stop(signum: int = 0, frame: FrameType | None = None) -> NoReturn:
    with suppress(OSError):
        os.write(2, _STOPPED)
    os._exit(130)


def _give_up_stdout() -> None:
    """Whatever is left to write goes nowhere: Python would try once more as it ends."""
    stream: Any = sys.stdout
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
