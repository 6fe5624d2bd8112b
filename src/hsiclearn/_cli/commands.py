"""How the verbs meet typer: errors are one line, arguments stand without braces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from .errors import leave_to_mend, one_line_errors
from .extensions import added_verb, added_verbs
from .tables import TableError
from .wording import in_command_words, said_by

# The error of a wrong command line, in whichever click this typer brings.
_UsageError: Any = typer.BadParameter.__mro__[1]


class Verb(TyperCommand):
    """A verb whose errors are one line, with remedies among its own options."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Arguments as DATA: some versions of typer write {DATA}."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def invoke(self, ctx: Any) -> Any:
        """Do the work."""
        offered = {option for parameter in self.params for option in parameter.opts}
        with one_line_errors(offered), _in_command_words(str(self.name)):
            return super().invoke(ctx)


@contextmanager
def _in_command_words(verb: str) -> Iterator[None]:
    """Advice of the library names options of the verb; errors of tables know them already."""
    try:
        yield
    except TableError:
        raise
    except ValueError as error:
        raise ValueError(in_command_words(said_by(error), verb)) from error


class VerbGroup(TyperGroup):
    """The command itself, with verbs of other packages; a wrong command line is one line too."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Our verbs, then those that were added."""
        ours = super().list_commands(ctx)
        return [*ours, *(name for name in added_verbs() if name not in ours)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of ours, or one that was added."""
        return super().get_command(ctx, cmd_name) or added_verb(cmd_name)

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
        leave_to_mend(f"{message}{end} See {path} --help.")
