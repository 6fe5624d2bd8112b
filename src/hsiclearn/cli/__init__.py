"""The command ``hsiclearn``. It needs typer, the extra ``cli``."""

from __future__ import annotations

import sys

from ..exceptions import MissingExtraError

__all__ = ["main"]


def main() -> None:
    """Run the command; without typer, say in one line what to install and leave with code 1."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that lacks a character is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        from .app import app
    except MissingExtraError as error:
        print(error, file=sys.stderr)
        raise SystemExit(1) from None
    app()
