"""The command and its verbs. Nothing outside of ``hsiclearn._cli`` imports typer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from .._version import __version__
from ..exceptions import MissingExtraError

try:
    import typer
except ModuleNotFoundError as error:
    raise MissingExtraError("typer", "cli", "The command hsiclearn") from error

from .commands import Verb, VerbGroup
from .errors import EXIT_CODES
from .fit_options import FitOptions
from .loading import leaving_at_once
from .options import IndependenceOptions, ReportOptions, TransformOptions, verb

_EPILOG = f"""\b
Examples:
  hsiclearn demo --output demo-output
  hsiclearn fit iris.csv --target species --report iris.html

{EXIT_CODES}"""

_VERBS = {
    "fit": (
        FitOptions,
        "fit.run_fit",
        """\
  hsiclearn fit iris.csv --target species
  hsiclearn fit houses.csv --target price --drop id,agent --impute --report houses.html
  hsiclearn fit cells.parquet --clusters 3 --model cells.hsic
  hsiclearn fit faces.csv --against person --clusters 4
  hsiclearn fit rows/ --target price --verbose
""",
    ),
    "transform": (
        TransformOptions,
        "transform.run_transform",
        """\
  hsiclearn transform iris.hsic new.csv
  hsiclearn transform iris.hsic new.csv --output plane.parquet
""",
    ),
    "test": (
        IndependenceOptions,
        "independence.run_independence",
        """\
  hsiclearn test houses.csv --y price
  hsiclearn test houses.csv --y price,rent --x rooms,garden --joint
  hsiclearn test iris.csv --y species --method permutation --json
""",
    ),
    "report": (
        ReportOptions,
        "report.run_report",
        """\
  hsiclearn report iris.hsic iris.csv --output iris.html
  hsiclearn report cells.hsic cells.csv --against donor --output cells.html --force
""",
    ),
}  # the options of each, what it runs, and examples

app = typer.Typer(
    name="hsiclearn",
    cls=VerbGroup,
    help="Linear dimension reduction that sees non-linear dependence.",
    epilog=_EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text keeps the lines of examples, and suits pipes
)
for _name, (_record, _run, _examples) in _VERBS.items():
    app.command(_name, cls=Verb, epilog=f"\b\nExamples:\n{_examples}")(verb(_record, _run))


def _print_version(context: typer.Context, asked: bool) -> None:
    """Before there is a verb, and after ``--verbose`` is read."""
    verbose = context.params.get("verbose", False)
    if not asked:
        if verbose:
            raise typer.BadParameter("--verbose is for --version here, else it follows the verb")
        return
    if verbose:
        with leaving_at_once():
            from .versions import versions
        print(versions())
    else:
        print(f"hsiclearn {__version__}")
    raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            help="Print the version and exit; with --verbose all that a bug report needs.",
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", is_eager=True, hidden=True)  # read before --version
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
    with leaving_at_once():
        from .demo import run_demo
    try:
        run_demo(output)
    except OSError as error:
        print(f"Cannot write to {output}: {error.strerror or error}", file=sys.stderr)
        raise typer.Exit(1) from None
