"""What is wrong with a table: a line for each problem, and what to do about all of them."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from os import PathLike

_LONGEST = 60  # characters of a name or a cell that a message shows
_MOST = 8  # names or rows that a message lists
_MOST_PROBLEMS = 20  # lines of a message about many columns
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


class TableError(ValueError):
    """A table is not what it must be.

    ``problem`` is the rule and what was seen, ``remedy`` what a program does about it, ``option``
    the same for the command line, where it has a way of its own. ``cure`` is an option that lets
    the rest of the table be used, and its value if it takes one: ``("--drop", "day")``.
    """

    def __init__(
        self, problem: str, remedy: str = "", option: str = "", cure: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"{problem} {remedy}".rstrip())
        self.problem = problem
        self.remedy = remedy
        self.option = option
        self.cure = cure
        self.parts: tuple[TableError, ...] = ()

    @property
    def for_command(self) -> str:
        """The message with the remedy that the command line has."""
        return f"{self.problem} {self.option or self.remedy}".rstrip()

    def lacking(self, offered: Collection[str]) -> list[str]:
        """Options that the remedy names and a verb with these options does not have."""
        return [name for name in _OPTION.findall(self.option) if name not in offered]


class Problems:
    """Errors about a table, told together: who mends one learns of the others at once."""

    def __init__(self) -> None:
        self.found: list[TableError] = []

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Keep an error of the block instead of raising it."""
        try:
            yield
        except TableError as error:
            self.found += error.parts or (error,)

    def tell(self) -> None:
        """Raise what was found: an error as it is, several as one with a line for each."""
        if len(self.found) == 1:
            raise self.found[0]
        if self.found:
            raise _together(self.found)


def _together(found: Sequence[TableError]) -> TableError:
    """One error with ``parts``; its cure is that of all that have one."""
    head = f"The table has {len(found)} problems:"
    lines = [str(error) for error in found[:_MOST_PROBLEMS]]
    if len(found) > _MOST_PROBLEMS:
        lines.append(f"and {len(found) - _MOST_PROBLEMS} more.")
    error = TableError("\n".join([head, *(f"  {line}" for line in lines)]))
    error.parts = tuple(found)
    error.cure = _cures([part for part in found if part.cure])
    return error


def _cures(found: Sequence[TableError]) -> tuple[str, ...]:
    """The words of a command line: ``--drop a,b --impute``."""
    values: dict[str, list[str]] = {}
    for option, *value in dict.fromkeys(error.cure for error in found):
        values.setdefault(option, []).extend(value)
    words: list[str] = []
    for option, names in values.items():
        plain = [name for name in names if "," not in name]
        if plain or not names:
            words += [option, *([",".join(plain)] if plain else [])]
        for name in names:  # a comma in a name would be taken for one between two
            words += [option, name] if "," in name else []
    return tuple(words)


def column_error(
    name: str, problem: str, remedy: str, option: str, cure: str = "--drop"
) -> TableError:
    """An error about a column, which ``cure`` settles.

    ``{drop}``, ``{category}`` and ``{id}`` in ``option`` become these options with its name.
    """
    named = {key: option_for(f"--{key}", name) for key in ("drop", "category", "id")}
    problem = f"Column {shown(name)} {problem}"
    return TableError(problem, remedy, option.format(**named), (cure, name))


def option_for(option: str, name: str) -> str:
    """An option with the name of a column, as it may be typed."""
    return f"{option} {shlex.quote(name) if name.isprintable() else shown(name)}"


def repeated(names: Sequence[str]) -> list[str]:
    """Those that are there more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def check_names_differ(names: Sequence[str], where: str = "") -> None:
    """Every column of a table must have a name of its own."""
    if twice := repeated(names):
        raise TableError(
            f"Every column{where} must have a name of its own.",
            f"More than one is called {listed(map(shown, twice))}: rename them.",
        )


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


def unknown_column(name: str, names: Sequence[str]) -> TableError:
    """An error that names what there is instead, the likeliest first."""
    near = get_close_matches(name, names, n=3, cutoff=0.6)
    folded = {other.casefold().strip(): other for other in names}
    if not near and (same := folded.get(name.casefold().strip())) is not None:
        near = [same]
    if near:
        remedy = f"Did you mean {' or '.join(shown(other) for other in near)}?"
    else:
        remedy = f"There are {listed(shown(other) for other in names)}."
    return TableError(f"There is no column {shown(name)}.", remedy)
