"""The command and its verbs. Nothing outside of ``hsiclearn._cli`` imports typer."""

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

from . import verbs_fit, verbs_use
from .commands import Group, Verb
from .errors import EXIT_CODES

__all__ = ["app"]

_EPILOG = f"""\b
Examples:
  hsiclearn demo --output demo-output
  hsiclearn fit iris.csv --target species --report iris.html

{EXIT_CODES}"""

app = typer.Typer(
    name="hsiclearn",
    cls=Group,
    help="Linear dimension reduction that sees non-linear dependence.",
    epilog=_EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text keeps the lines of examples, and suits pipes
)
app.command(cls=Verb, epilog=verbs_fit.EXAMPLES)(verbs_fit.fit)
app.command(cls=Verb, epilog=verbs_use.TRANSFORM_EXAMPLES)(verbs_use.transform)
app.command("test", cls=Verb, epilog=verbs_use.TEST_EXAMPLES)(verbs_use.independence)
app.command(cls=Verb, epilog=verbs_use.REPORT_EXAMPLES)(verbs_use.report)


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
        Path, typer.Option("--output", metavar="DIR", help="Directory for the files.")
    ] = Path("demo-output"),
) -> None:
    """Fit two small data sets and show the answers.

    It writes a picture and a report, over those of an earlier run.
    """
    from .demo import run_demo

    try:
        run_demo(output)
    except OSError as error:
        print(f"Cannot write to {output}: {error.strerror or error}", file=sys.stderr)
        raise typer.Exit(1) from None
