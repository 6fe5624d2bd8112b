"""How the verbs meet typer: errors are one line, and other packages may add verbs.

An entry point of the group ``hsiclearn.commands`` names a ``typer.Typer``, which is loaded when its
verb or the help is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from ..exceptions import MissingExtraError
from .errors import CANNOT, TO_MEND, leave, one_line_errors

# The error of a wrong command line, in whichever click this typer brings.
_UsageError: Any = typer.BadParameter.__mro__[1]
_GROUP = "hsiclearn.commands"
_NO_BENCH = str(MissingExtraError("hsic-learn-benchmarks", "bench", "hsiclearn bench"))


class Verb(TyperCommand):
    """A verb whose errors are one line, with remedies among its own options."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Arguments as DATA: some versions of typer write {DATA}."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def invoke(self, ctx: Any) -> Any:
        """Do the work."""
        offered = {option for parameter in self.params for option in parameter.opts}
        with one_line_errors(str(self.name), offered):
            return super().invoke(ctx)


class VerbGroup(TyperGroup):
    """The command itself, with verbs of other packages; a wrong command line is one line too."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Our verbs, then those that were added."""
        ours = super().list_commands(ctx)
        return [*ours, *(name for name in added_verbs() if name not in ours)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of ours, or one that was added."""
        return super().get_command(ctx, cmd_name) or _added_verb(cmd_name)

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read what stands before the verb."""
        with _one_line_usage():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Read the rest and run the verb."""
        with _one_line_usage():
            return super().invoke(ctx)


@contextmanager
def _one_line_usage() -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # which prints the help
            raise
        message = error.format_message().strip()
        end = "" if message.endswith((".", "?")) else "."
        path = "hsiclearn" if error.ctx is None else error.ctx.command_path
        leave(f"{message}{end} See {path} --help.", TO_MEND)


def added_verbs() -> list[str]:
    """Names of added verbs; the benchmarks' in any case, to say how they are installed."""
    return sorted({entry.name for entry in entry_points(group=_GROUP)} | {"bench"})


def _added_verb(name: str) -> Any:
    """The verb, or None where nobody adds it; one that cannot be had is there to say so."""
    for entry in entry_points(group=_GROUP, name=name):
        return _loaded(entry)
    return _absent(name, _NO_BENCH, "Measure; not installed.") if name == "bench" else None


def _loaded(entry: EntryPoint) -> Any:
    verbs = typer.Typer(add_completion=False, rich_markup_mode=None)
    try:
        verbs.add_typer(entry.load(), name=entry.name)
        return typer.main.get_group(verbs).commands[entry.name]
    except Exception as error:
        where = entry.value if entry.dist is None else entry.dist.name
        why = f"the verb {entry.name} of {where} cannot be loaded: {error}"
        return _absent(entry.name, why, f"Of {where}; cannot be loaded.")


def _absent(name: str, why: str, what: str) -> TyperCommand:
    """A verb that takes any words, and says why it cannot do its work."""
    return TyperCommand(
        name,
        callback=lambda: leave(why, CANNOT),
        help=what,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
