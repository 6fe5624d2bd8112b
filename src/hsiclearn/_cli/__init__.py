"""The command ``hsiclearn``. It needs typer, the extra ``cli``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any

from ..exceptions import MissingExtraError
from .loading import leaving_at_once, stop


def main() -> None:
    """Run the command; without typer, say in one line what to install and leave with code 1.

    Whatever becomes of the streams and whenever Ctrl-C is pressed, there is no traceback.
    """
    _stand_in_for_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that lacks a character is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        with leaving_at_once():
            from .app import app
        try:
            app()
        finally:
            sys.stdout.flush()  # a disk that is full is found out here, not while Python ends
    except MissingExtraError as error:
        print(error, file=sys.stderr)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        stop()
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


def _give_up_stdout() -> None:
    """Whatever is left to write goes nowhere: Python would try once more as it ends."""
    stream: Any = sys.stdout
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
