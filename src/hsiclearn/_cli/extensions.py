"""Verbs that other packages add: entry points of the group ``hsiclearn.commands``.

Each names a ``typer.Typer``, which is loaded when its verb or the help is asked for.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer
from typer.core import TyperCommand

from ..exceptions import MissingExtraError
from .errors import leave_unable

_GROUP = "hsiclearn.commands"
_NO_BENCH = str(MissingExtraError("hsic-learn-benchmarks", "bench", "hsiclearn bench"))


def added_verbs() -> list[str]:
    """Their names; that of the benchmarks in any case, so that it is known where to find them."""
    return sorted({entry.name for entry in entry_points(group=_GROUP)} | {"bench"})


def added_verb(name: str) -> Any:
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
        callback=lambda: leave_unable(why),
        help=what,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
