"""What is wrong with a table, in one line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from os import PathLike

__all__ = ["TableError", "listed", "shown", "unknown_column"]

_LONGEST = 60  # characters of a name or a cell that a message shows
_MOST = 8  # names or rows that a message lists
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


class TableError(ValueError):
    """A table is not what it must be.

    Parameters
    ----------
    problem : str
        The rule and what was seen.
    remedy : str, default=""
        What to do about it, for a program.
    option : str, default=""
        The same for the command line, where it has a way of its own.
    """

    def __init__(self, problem: str, remedy: str = "", option: str = "") -> None:
        super().__init__(f"{problem} {remedy}".rstrip())
        self.problem = problem
        self.remedy = remedy
        self.option = option

    @property
    def for_command(self) -> str:
        """The message with the remedy that the command line has."""
        return f"{self.problem} {self.option or self.remedy}".rstrip()

    def lacking(self, offered: Collection[str]) -> list[str]:
        """Options that the remedy names and a verb with these options does not have."""
        return [name for name in _OPTION.findall(self.option) if name not in offered]


def shown(text: object) -> str:
    """A name or a cell in quotes, on one line, printable and not too long; a path is whole."""
    whole = str(text)
    if isinstance(text, PathLike):
        return repr(whole)
    return repr(whole if len(whole) <= _LONGEST else f"{whole[: _LONGEST - 3]}...")


def listed(items: Iterable[object]) -> str:
    """The first few of many, and how many more there are."""
    texts = [str(item) for item in items]
    more = len(texts) - _MOST
    return ", ".join(texts[:_MOST]) + (f" and {more} more" if more > 0 else "")


def unknown_column(name: str, names: Sequence[str], what: str = "column") -> TableError:
    """An error that names what there is instead, the likeliest first."""
    near = get_close_matches(name, names, n=3, cutoff=0.6)
    folded = {other.casefold().strip(): other for other in names}
    if not near and (same := folded.get(name.casefold().strip())) is not None:
        near = [same]
    if near:
        remedy = f"Did you mean {' or '.join(shown(other) for other in near)}?"
    else:
        remedy = f"There are {listed(shown(other) for other in names)}."
    return TableError(f"There is no {what} {shown(name)}.", remedy)
