"""The verbs of the command line and their options. The only module that imports typer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from .. import __version__
from ..exceptions import MissingExtraError

try:
    import typer
except ModuleNotFoundError as error:
    raise MissingExtraError("typer", "cli", "The command hsiclearn") from error

__all__ = ["app"]

app = typer.Typer(
    name="hsiclearn",
    help="Linear dimension reduction that sees non-linear dependence.",
    epilog="Example: hsiclearn demo --output demo-output",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"hsiclearn {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    pass


@app.command(epilog="Example: hsiclearn demo --output demo-output")
def demo(
    output: Annotated[
        Path, typer.Option("--output", metavar="DIR", help="Directory for the picture.")
    ] = Path("demo-output"),
) -> None:
    """Fit two small data sets, print what was found, write a picture."""
    from .demo import run_demo

    try:
        run_demo(output)
    except OSError as error:
        print(f"Cannot write to {output}: {error.strerror or error}", file=sys.stderr)
        raise typer.Exit(1) from None
