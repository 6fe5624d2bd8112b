"""Options of the verbs: declared once, as records that typer reads and the verbs work with."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import Enum, StrEnum
from importlib import import_module
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

_UNTOLD = {"json", "quiet", "verbose", "force"}  # options that do not change the answer


def option(name: str, metavar: str | None, help: str, least: int | None = None) -> Any:
    """An option of a verb, for ``Annotated``; ``metavar`` stands for its value."""
    return typer.Option(name, metavar=metavar, help=help, min=least)


def verb(options: Any, run: str) -> Callable[..., None]:
    """A verb for typer: ``run`` is a ``module.function`` of the command, loaded when it is called.

    It takes the record of options, whose docstring is the help.
    """
    hints = get_type_hints(options, include_extras=True)

    def call(**given: Any) -> None:
        module, function = run.split(".")
        values = {k: v.value if isinstance(v, Enum) else v for k, v in given.items()}
        getattr(import_module(f".{module}", __package__), function)(options(**values))

    call.__doc__ = options.__doc__
    call.__annotations__ = hints
    call.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(
                f.name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=Parameter.empty if _default(f) is MISSING else _default(f),
                annotation=hints[f.name],
            )
            for f in fields(options)
        ]
    )
    return call


def command_line(name: str, options: Any) -> str:
    """A command that finds the same again, in the folder of the files: options that were given.

    Arguments come first and flags last; files to write are left out, unless they must be named.
    """
    hints = get_type_hints(type(options), include_extras=True)
    arguments, valued, flags = [], [], []
    for f in fields(options):
        (info,), value = hints[f.name].__metadata__, getattr(options, f.name)
        if isinstance(info, typer.models.ArgumentInfo):
            arguments.append(value.name)
        elif (
            f.name in _UNTOLD
            or value == _default(f)
            or (f.default is None and isinstance(value, Path))
        ):
            continue
        elif isinstance(value, bool):
            flags.append(info.default)
        else:
            for each in value if isinstance(value, list) else [value]:
                valued += [info.default, each.name if isinstance(each, Path) else str(each)]
    return shlex.join(["hsiclearn", name, *arguments, *valued, *flags])


def _default(f: Field[Any]) -> Any:
    return f.default_factory() if f.default_factory is not MISSING else f.default


class TargetOption(StrEnum):
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


class Method(StrEnum):
    """Where p-values come from."""

    gamma = "gamma"
    permutation = "permutation"


_FILES = "CSV, Excel, OpenDocument, Parquet, Feather, ..."
_Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A file of hsiclearn fit --model.")]
Data = Annotated[Path, typer.Argument(metavar="DATA", help=_FILES)]
Columns = Annotated[list[str], option("--drop", "COL", "Leave out; repeatable, or with commas.")]
Seed = Annotated[int, option("--seed", "N", "Of whatever is drawn at random.", 0)]
Json = Annotated[bool, option("--json", None, "Print every figure, as JSON.")]
Quiet = Annotated[bool, option("--quiet", None, "No notes and no progress on stderr.")]
_Force = Annotated[bool, option("--force", None, "Overwrite the file.")]


@dataclass(frozen=True)
class TransformOptions:
    """Project rows on the directions of a model.

    Columns component1, component2, ..., and the cluster if the model has clusters. Columns of the
    table are found by their names; others are ignored, the target too.
    """

    model: _Model
    data: Data
    output: Annotated[
        Path | None,
        option("--output", "FILE", ".csv, .tsv, .parquet or .npy; CSV on stdout without it."),
    ] = None
    id: Annotated[
        str | None,
        option("--id", "COL", "Names of rows, kept in the output; as in the fit by default."),
    ] = None
    quiet: Quiet = False
    force: _Force = False


@dataclass(frozen=True)
class ReportOptions:
    """Write a page about a model and a table.

    It is one file and needs no network.
    Without --target, --known and --against the labels are those the model was fitted with.
    """

    model: _Model
    data: Data
    output: Annotated[Path, option("--output", "FILE", "The page, HTML.")]
    target: Annotated[str | None, option("--target", "COL", "Colour by this target.")] = None
    known: Annotated[str | None, option("--known", "COL", "Compare with known labels.")] = None
    against: Annotated[
        list[str], option("--against", "COL", "Compare with these labels; repeatable.")
    ] = field(default_factory=list)
    quiet: Quiet = False
    force: _Force = False


@dataclass(frozen=True)
class IndependenceOptions:
    """Test columns for dependence of any kind.

    HSIC, CKA and the p-value of each column with y, sorted by p-value, with Holm's correction; or
    of all together.
    Numbers are standardised and text is labels. Rows that lack a value are left out.
    """

    data: Data
    y: Annotated[list[str], option("--y", "COL", "One side; repeatable, or with commas.")]
    x: Annotated[list[str], option("--x", "COL", "The other; all other columns by default.")] = (
        field(default_factory=list)
    )
    drop: Columns = field(default_factory=list)
    category: Annotated[
        list[str],
        option(
            "--category",
            "COL",
            "Codes, not numbers: take as labels; repeatable, or with commas.",
        ),
    ] = field(default_factory=list)
    joint: Annotated[bool, option("--joint", None, "All of --x together, in one test.")] = False
    method: Annotated[Method, option("--method", None, "Where p-values come from.")] = Method.gamma
    permutations: Annotated[int, option("--permutations", "N", "How many are drawn.", 1)] = 500
    y_kind: Annotated[TargetOption, option("--y-kind", None, "What y is.")] = TargetOption.auto
    seed: Seed = 0
    json: Json = False
    quiet: Quiet = False
