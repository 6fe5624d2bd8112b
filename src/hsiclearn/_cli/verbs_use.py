"""``hsiclearn transform``, ``report`` and ``test``, and their options."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .verbs_fit import TargetKind

__all__ = [
    "REPORT_EXAMPLES",
    "TEST_EXAMPLES",
    "TRANSFORM_EXAMPLES",
    "independence",
    "report",
    "transform",
]

TRANSFORM_EXAMPLES = """\b
Examples:
  hsiclearn transform iris.hsic new.csv
  hsiclearn transform iris.hsic new.csv --output plane.parquet
"""
REPORT_EXAMPLES = """\b
Examples:
  hsiclearn report iris.hsic iris.csv --output iris.html
  hsiclearn report cells.hsic cells.csv --against donor --output cells.html --force
"""
TEST_EXAMPLES = """\b
Examples:
  hsiclearn test houses.csv --y price
  hsiclearn test houses.csv --y price,rent --x rooms,garden --joint
  hsiclearn test iris.csv --y species --method permutation --json
"""

_Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A file of hsiclearn fit --model.")]
_Data = Annotated[
    Path,
    typer.Argument(metavar="DATA", help="CSV, Excel, OpenDocument, Parquet, Feather, ..."),
]
_Quiet = Annotated[bool, typer.Option("--quiet", help="No notes and no progress on stderr.")]
_Force = Annotated[bool, typer.Option("--force", help="Overwrite the file.")]


class Method(StrEnum):
    """Where p-values come from."""

    gamma = "gamma"
    permutation = "permutation"


def transform(
    model: _Model,
    data: _Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help=".csv, .tsv, .parquet or .npy; CSV on stdout without it.",
        ),
    ] = None,
    id_column: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="COL",
            help="Names of rows, kept in the output; as in the fit by default.",
        ),
    ] = None,
    quiet: _Quiet = False,
    force: _Force = False,
) -> None:
    """Project rows on the directions of a model.

    Columns component1, component2, ..., and the cluster if the model has clusters. Columns of the
    table are found by their names; others are ignored, the target too.
    """
    from .transform import TransformOptions, run_transform

    run_transform(TransformOptions(model, data, output, id_column, quiet, force))


def report(
    model: _Model,
    data: _Data,
    output: Annotated[Path, typer.Option("--output", metavar="FILE", help="The page, HTML.")],
    target: Annotated[
        str | None, typer.Option("--target", metavar="COL", help="Colour by this target.")
    ] = None,
    known: Annotated[
        str | None, typer.Option("--known", metavar="COL", help="Compare with known labels.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="COL", help="Compare with these labels; repeatable."),
    ] = None,
    quiet: _Quiet = False,
    force: _Force = False,
) -> None:
    """Write a page about a model and a table.

    It is one file and needs no network.
    Without --target, --known and --against the labels are those the model was fitted with.
    """
    from .report import ReportOptions, run_report

    options = ReportOptions(model, data, output, target, known, against or [], quiet, force)
    run_report(options)


def independence(
    data: _Data,
    y: Annotated[
        list[str],
        typer.Option("--y", metavar="COL", help="One side; repeatable, or with commas."),
    ],
    x: Annotated[
        list[str] | None,
        typer.Option("--x", metavar="COL", help="The other; all other columns by default."),
    ] = None,
    drop: Annotated[
        list[str] | None,
        typer.Option("--drop", metavar="COL", help="Leave out; repeatable, or with commas."),
    ] = None,
    category: Annotated[
        list[str] | None,
        typer.Option(
            "--category",
            metavar="COL",
            help="Codes, not numbers: take as labels; repeatable, or with commas.",
        ),
    ] = None,
    joint: Annotated[
        bool, typer.Option("--joint", help="All of --x together, in one test.")
    ] = False,
    method: Annotated[
        Method, typer.Option("--method", help="Where p-values come from.")
    ] = Method.gamma,
    permutations: Annotated[
        int, typer.Option("--permutations", metavar="N", min=1, help="How many are drawn.")
    ] = 500,
    y_kind: Annotated[TargetKind, typer.Option("--y-kind", help="What y is.")] = TargetKind.auto,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Of whatever is drawn at random.")
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print every figure, as JSON.")] = False,
    quiet: _Quiet = False,
) -> None:
    """Test columns for dependence of any kind.

    HSIC, CKA and the p-value of each column with y, sorted by p-value, with Holm's correction; or
    of all together.
    Numbers are standardised and text is labels. Rows that lack a value are left out.
    """
    from .independence import IndependenceOptions, run_independence

    run_independence(
        IndependenceOptions(
            data=data,
            y=y,
            x=x or [],
            drop=drop or [],
            category=category or [],
            joint=joint,
            method=method.value,
            permutations=permutations,
            y_kind=y_kind.value,
            seed=seed,
            json=json,
            quiet=quiet,
        )
    )
