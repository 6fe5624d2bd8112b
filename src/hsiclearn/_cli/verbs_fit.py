"""``hsiclearn fit`` and its options."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["EXAMPLES", "fit"]

EXAMPLES = """\b
Examples:
  hsiclearn fit iris.csv --target species
  hsiclearn fit houses.csv --target price --drop id,agent --impute --report houses.html
  hsiclearn fit cells.parquet --clusters 3 --model cells.hsic
  hsiclearn fit faces.csv --against person --clusters 4
"""


class TargetKind(StrEnum):
    """What a target may be."""

    auto = "auto"
    classes = "classes"
    real = "real"


class Categories(StrEnum):
    """How text becomes numbers."""

    one_hot = "one-hot"
    ordinal = "ordinal"


class Engine(StrEnum):
    """Who computes the sums over pairs of rows."""

    auto = "auto"
    dense = "dense"
    tiled = "tiled"
    nystrom = "nystrom"
    landmarks = "landmarks"


def fit(
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="CSV, Excel, OpenDocument, Parquet, Feather, ..."),
    ],
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="COL", help="Find directions that depend on this."),
    ] = None,
    clusters: Annotated[
        str | None,
        typer.Option("--clusters", metavar="K", help="Find so many clusters, or auto."),
    ] = None,
    known: Annotated[
        str | None,
        typer.Option(
            "--known",
            metavar="COL",
            help="Clusters that follow these labels; empty cells are unknown.",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", metavar="COL", help="Clusters other than these labels; repeatable."
        ),
    ] = None,
    components: Annotated[
        str | None,
        typer.Option(
            "--components", metavar="N", help="Directions, or auto with --target. [default: 2]"
        ),
    ] = None,
    target_kind: Annotated[
        TargetKind, typer.Option("--target-kind", help="What the target is.")
    ] = TargetKind.auto,
    drop: Annotated[
        list[str] | None,
        typer.Option("--drop", metavar="COL", help="Leave out; repeatable, or with commas."),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="COL", help="A feature although it numbers the rows."),
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", metavar="COL", help="Names of rows, not a feature.")
    ] = None,
    groups: Annotated[
        str | None,
        typer.Option(
            "--groups", metavar="COL", help="Rows of a group are held out together; no feature."
        ),
    ] = None,
    categories: Annotated[
        Categories, typer.Option("--categories", help="What becomes of columns of text.")
    ] = Categories.one_hot,
    category: Annotated[
        list[str] | None,
        typer.Option(
            "--category",
            metavar="COL",
            help="Codes, not numbers: take as text; repeatable, or with commas.",
        ),
    ] = None,
    impute: Annotated[
        bool, typer.Option("--impute", help="Fill missing numbers with the median.")
    ] = False,
    drop_missing_target: Annotated[
        bool, typer.Option("--drop-missing-target", help="Leave out rows without a label.")
    ] = False,
    no_scale: Annotated[
        bool, typer.Option("--no-scale", help="Do not standardise: columns share a unit.")
    ] = False,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Of whatever is drawn at random.")
    ] = 0,
    bandwidth: Annotated[
        str | None,
        typer.Option(
            "--bandwidth",
            metavar="S",
            help="How near is near: a number, auto or median. With clusters a number is one "
            "scale for all rows. [default: auto]",
        ),
    ] = None,
    starts: Annotated[
        int | None,
        typer.Option("--starts", metavar="N", min=1, help="From how many to start. [default: 1]"),
    ] = None,
    tol: Annotated[
        float | None,
        typer.Option("--tol", metavar="T", help="How small the gradient is to be. [default: 1e-6]"),
    ] = None,
    max_iter: Annotated[
        int | None,
        typer.Option(
            "--max-iter", metavar="N", min=1, help="Steps at most. [default: 100; clusters: 300]"
        ),
    ] = None,
    engine: Annotated[
        Engine | None,
        typer.Option(
            "--engine",
            help="Sums over all pairs of rows (dense, tiled), or in linear time (nystrom; of "
            "clusters: landmarks, a sample of rows). [default: auto]",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            metavar="FILE",
            help="Write the model there. It holds rows of the fit, projected, and their labels: "
            "with --target some 1000 at most, with --clusters all.",
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a page (HTML) there.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print every figure, as JSON.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="No notes and no progress on stderr.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Every step on stderr, a line each.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files.")] = False,
) -> None:
    """Find directions that depend on a column, or clusters.

    The answer goes to stdout, notes and warnings to stderr. Numbers are standardised, dates become
    numbers, and text becomes columns of 0 and 1, one less than it has categories. A column that
    numbers the rows is left out. In messages rows are counted from 1, without the header.
    """
    from .choices import FitOptions
    from .fit import run_fit
    from .solver_options import SolverOptions

    engine_name = None if engine is None else engine.value
    run_fit(
        FitOptions(
            data=data,
            target=target,
            clusters=clusters,
            known=known,
            against=against or [],
            components=components,
            target_kind=target_kind.value,
            drop=drop or [],
            keep=keep or [],
            id=id_column,
            groups=groups,
            categories=categories.value,
            category=category or [],
            impute=impute,
            drop_missing_target=drop_missing_target,
            scale=not no_scale,
            seed=seed,
            solver=SolverOptions(bandwidth, tol, max_iter, starts, engine_name),
            model=model,
            report=report,
            json=json,
            quiet=quiet,
            verbose=verbose,
            force=force,
        )
    )
