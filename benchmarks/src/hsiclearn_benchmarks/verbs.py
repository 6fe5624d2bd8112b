"""The verbs of ``hsiclearn bench`` and their options."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from hsiclearn.exceptions import DataCorruptError, MissingExtraError

__all__ = ["bench"]

bench = typer.Typer(
    help="Measure: the paper's tables and claims, many rows, and quality.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
_Markdown = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Write the tables there, too.")
]
_Folder = Annotated[
    Path | None, typer.Option("--markdown", metavar="DIR", help="Write PART.md files there.")
]
_Repeats = Annotated[
    int, typer.Option("--repeats", metavar="N", min=1, help="The median of so many runs.")
]


@bench.command(epilog="Example: hsiclearn bench paper --quick --data wine")
def paper(
    data: Annotated[
        list[str] | None,
        typer.Option("--data", metavar="NAME", help="wine, cancer, car or face; all by default."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Without the slow rivals.")] = False,
    heldout: Annotated[
        bool, typer.Option("--heldout", help="Cross-validated errors besides.")
    ] = False,
    budget: Annotated[
        float, typer.Option("--budget", metavar="SECONDS", min=0.1, help="Per cell.")
    ] = 15.0,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write every figure there.")
    ] = None,
    markdown: _Markdown = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw cost against time there.")
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Leave with 1 unless the printed costs are reproduced."),
    ] = False,
) -> None:
    """Both tables of the paper, every rival included, beside the printed figures."""
    from .commands import bench_paper
    from .paper.data import DATA

    names = data or []
    if unknown := set(names) - set(DATA):
        raise typer.BadParameter(f"must be of {', '.join(DATA)}. Got {', '.join(sorted(unknown))}.")
    with _one_line_errors():
        code = bench_paper(
            data=names,
            quick=quick,
            heldout=heldout,
            budget=budget,
            json=json,
            markdown=markdown,
            plot=plot,
            check=check,
        )
    raise typer.Exit(code)


@bench.command(epilog="Example: hsiclearn bench complexity")
def complexity(markdown: _Markdown = None) -> None:
    """How time grows with n, d and q, and how many iterations there are."""
    from .commands import bench_complexity

    with _one_line_errors():
        bench_complexity(markdown)


@bench.command(epilog="Example: hsiclearn bench starts --random 12")
def starts(
    markdown: _Markdown = None,
    n_random: Annotated[
        int, typer.Option("--random", metavar="N", min=1, help="Number of random starts.")
    ] = 12,
) -> None:
    """Whether Phi_0 replaces random starts, as the paper claims."""
    from .commands import bench_starts

    with _one_line_errors():
        bench_starts(markdown, n_random)


@bench.command(epilog="Example: hsiclearn bench scale rows rivals --quick")
def scale(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PART", help="rows, angles, memory, wide, clusters, rivals; or all."
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A twentieth of the rows, fewer cases.")
    ] = False,
    limit: Annotated[
        float, typer.Option("--limit", metavar="SECONDS", min=1.0, help="Of a rival's fit.")
    ] = 120.0,
    repeats: _Repeats = 3,
    markdown: _Folder = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw time against rows there.")
    ] = None,
) -> None:
    """Many rows: time, memory, accuracy and rivals, every fit in a process of its own."""
    from .commands import bench_scale
    from .scale import PARTS

    names = _known(parts, PARTS)
    with _one_line_errors():
        bench_scale(
            parts=names, quick=quick, limit=limit, repeats=repeats, markdown=markdown, plot=plot
        )


@bench.command(epilog="Example: hsiclearn bench quality sets --only wine --json wine.json")
def quality(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PART",
            help="sets, further, design, fresh, angles, dimension, sparse, cost; or all.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="NAME", help="A data set of sets, further or fresh; repeatable."
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", min=1, help="Processes; one per core by default."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="One seed, small sets, nothing judged.")
    ] = False,
    markdown: _Folder = None,
    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write every figure there, as it comes."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Do only what the file of --json lacks.")
    ] = False,
) -> None:
    """Answers at defaults: errors beside rivals', true subspaces, and what the defaults cost."""
    from .commands import bench_quality
    from .quality import check_choice

    try:
        check_choice(parts or [], only or [], quick=quick)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if resume and json is None:
        raise typer.BadParameter("--resume needs --json FILE, the file of an earlier run.")
    with _one_line_errors():
        bench_quality(
            parts=parts or [],
            only=only or [],
            jobs=jobs,
            quick=quick,
            markdown=markdown,
            json=json,
            resume=resume,
        )


@bench.command(epilog="Example: hsiclearn bench dependence speed")
def dependence(
    parts: Annotated[
        list[str] | None,
        typer.Argument(metavar="PART", help="speed, rows, accuracy, calibration, power; or all."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A twentieth of the rows and draws, nothing judged.")
    ] = False,
    repeats: _Repeats = 3,
    markdown: _Folder = None,
) -> None:
    """The test of independence: speed, error, level and power, beside hyppo."""
    from .commands import bench_dependence
    from .dependence import DEPENDENCE_PARTS

    names = _known(parts, DEPENDENCE_PARTS)
    with _one_line_errors():
        bench_dependence(parts=names, quick=quick, repeats=repeats, markdown=markdown)


def _known(chosen: list[str] | None, parts: Collection[str]) -> list[str]:
    """The parts asked for, if there are such."""
    names = chosen or []
    if unknown := set(names) - set(parts):
        raise typer.BadParameter(
            f"must be of {', '.join(parts)}. Got {', '.join(sorted(unknown))}."
        )
    return names


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """What a user can mend is one line on stderr, not a traceback."""
    try:
        yield
    except BrokenPipeError:  # whoever read the output has had enough
        raise
    except (OSError, DataCorruptError, MissingExtraError) as error:
        print(error, file=sys.stderr)
        raise typer.Exit(1) from None
