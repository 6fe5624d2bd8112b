"""Options of the verbs: declared once, as records that typer reads and the verbs work with."""

# ruff: noqa: RUF009  (the functions that are called make fields)

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from importlib import import_module
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import typer

from .loading import leaving_at_once

_UNTOLD = {
    "json",
    "quiet",
    "verbose",
    "force",
    "scheduler",
}  # options that do not change the answer
DATA = "CSV, Excel, OpenDocument, Parquet, Feather, ..."
DROP = "Leave out; repeatable, or with commas."
SEED = "Of whatever is drawn at random."
JSON = "Print every figure, as JSON."
QUIET = "No notes and no progress on stderr."
TargetKind = Literal["auto", "classes", "real"]


def argument(metavar: str, help: str) -> Any:
    """A field of a record that is an argument of the verb."""
    return field(metadata={"is_argument": True, "metavar": metavar, "help": help})


def option(metavar: str | None, help: str, default: Any = None, least: int | None = None) -> Any:
    """A field that is an option of its name; ``metavar`` stands for its value."""
    metadata = {"is_argument": False, "metavar": metavar, "help": help, "min": least}
    if isinstance(default, list):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


def flag(help: str) -> Any:
    """A field that is an option without a value."""
    return option(None, help, False)


def verb(options: Any, run: str) -> Callable[..., None]:
    """A verb for typer: ``run`` is a ``module.function`` of the command, loaded when it is called.

    It takes the record of options, whose docstring is the help.
    """
    hints = get_type_hints(options)
    parameters = [_parameter(f, hints[f.name]) for f in fields(options)]

    def call(**given: Any) -> None:
        module, function = run.split(".")
        with leaving_at_once():
            loaded = import_module(f".{module}", __package__)
        getattr(loaded, function)(options(**given))

    call.__doc__ = options.__doc__
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return call


def _parameter(f: Field[Any], hint: Any) -> Parameter:
    """A field as typer takes it."""
    told = dict(f.metadata)
    is_argument = told.pop("is_argument")
    info = typer.Argument(**told) if is_argument else typer.Option(_name(f), **told)
    default = Parameter.empty if _default(f) is MISSING else _default(f)
    kind = Parameter.POSITIONAL_OR_KEYWORD
    return Parameter(f.name, kind, default=default, annotation=Annotated[hint, info])


def command_line(name: str, options: Any) -> str:
    """A command that finds the same again, in the folder of the files: options that were given.

    Arguments come first and flags last; files to write are left out, unless they must be named.
    """
    arguments, valued, flags = [], [], []
    for f in fields(options):
        value = getattr(options, f.name)
        is_file = f.default is None and isinstance(value, Path)
        if f.metadata["is_argument"]:
            arguments.append(value.name or str(value))
        elif f.name in _UNTOLD or is_file or value == _default(f):
            continue
        elif isinstance(value, bool):
            flags.append(_name(f))
        else:
            for each in value if isinstance(value, list) else [value]:
                valued += [_name(f), each.name if isinstance(each, Path) else str(each)]
    return shlex.join(["hsiclearn", name, *arguments, *valued, *flags])


def _name(f: Field[Any]) -> str:
    return f"--{f.name.replace('_', '-')}"


def _default(f: Field[Any]) -> Any:
    return f.default_factory() if f.default_factory is not MISSING else f.default


@dataclass(frozen=True)
class TransformOptions:
    """Project rows on the directions of a model.

    Columns component1, component2, ..., and the cluster if the model has clusters. Columns of the
    table are found by their names; others are ignored, the target too.
    """

    model: Path = argument("MODEL", "A file of hsiclearn fit --model.")
    data: Path = argument("DATA", f"{DATA}; or a folder of Parquet.")
    output: Path | None = option(
        "FILE",
        ".csv, .tsv, .parquet or .npy; CSV on stdout without it. Of a folder: "
        "a new folder, or text.",
    )
    id: str | None = option("COL", "Names of rows, kept in the output; as in the fit by default.")
    quiet: bool = flag(QUIET)
    force: bool = flag("Overwrite the file.")


@dataclass(frozen=True)
class ReportOptions:
    """Write a page about a model and a table.

    It is one file and needs no network.
    Without --target, --known and --against the labels are those the model was fitted with.
    """

    model: Path = argument("MODEL", "A file of hsiclearn fit --model.")
    data: Path = argument("DATA", DATA)
    output: Path = option("FILE", "The page, HTML.", MISSING)
    target: str | None = option("COL", "Colour by this target.")
    known: str | None = option("COL", "Compare with known labels.")
    against: list[str] = option("COL", "Compare with these labels; repeatable.", [])
    quiet: bool = flag(QUIET)
    force: bool = flag("Overwrite the file.")


@dataclass(frozen=True)
class IndependenceOptions:
    """Test columns for dependence of any kind.

    HSIC, CKA and the p-value of each column with y, sorted by p-value, with Holm's correction; or
    of all together.
    Numbers are standardised and text is labels. Rows that lack a value are left out.
    """

    data: Path = argument("DATA", DATA)
    y: list[str] = option("COL", "One side; repeatable, or with commas.", MISSING)
    x: list[str] = option("COL", "The other; all other columns by default.", [])
    drop: list[str] = option("COL", DROP, [])
    category: list[str] = option(
        "COL", "Codes, not numbers: take as labels; repeatable, or with commas.", []
    )
    weights: str | None = option("COL", "How often each row counts; no column to test.")
    joint: bool = flag("All of --x together, in one test.")
    method: Literal["gamma", "permutation"] = option(None, "Where p-values come from.", "gamma")
    permutations: int = option("N", "How many are drawn.", 500, least=1)
    y_kind: TargetKind = option(None, "What y is.", "auto")
    seed: int = option("N", SEED, 0, least=0)
    json: bool = flag(JSON)
    quiet: bool = flag(QUIET)
