"""What is said on the way: on stderr, so that stdout holds the answer alone."""

from __future__ import annotations

import shutil
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from .._advice import Advice
from .status_line import StatusLine
from .wording import in_command_words, said_by

_WIDEST = 100
_OF_NO_WEIGHT = (
    "Glyph ",  # a name has a character that the font of the pictures lacks
    "X does not have valid feature names",  # columns were found by these names before
)
_KEPT_BLANK = "\xa0"  # at which lines are not broken
_GAP = 2
_NARROWEST = 12  # columns that the first one always has


class Console:
    """Notes and warnings as they arise, each on a line of its own; ``quiet`` leaves the notes out.

    ``verb`` is the one that runs: what the library warns of is told with its options. ``verbose``
    prints every line of the progress.
    """

    def __init__(self, quiet: bool = False, verb: str = "fit", verbose: bool = False) -> None:
        self._quiet, self._verb = quiet, verb
        self._line = StatusLine(quiet, verbose)
        self.notes: list[str] = []
        self.warnings: list[str] = []

    def note(self, text: str) -> None:
        """Say what was done that its user may want to know."""
        self.notes.append(one_line(text))
        if not self._quiet:
            self._line.say(f"note: {self.notes[-1]}")

    def warn(self, text: str) -> None:
        """Say what is wrong with the answer, once."""
        text = one_line(text)
        if text not in self.warnings:
            self.warnings.append(text)
            self._line.say(f"warning: {text}")

    @contextmanager
    def python_warnings_as_lines(self, columns: Sequence[str] | None = None) -> Iterator[None]:
        """Warnings of the library as lines; those of other libraries about code are left out.

        ``columns`` are the names of those that the library knows by number.
        """

        def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
            said = said_by(message)
            is_ours = issubclass(category, UserWarning) or isinstance(said, Advice)
            if is_ours and not said.startswith(_OF_NO_WEIGHT):
                self.warn(in_command_words(said, self._verb, columns))

        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = show
            yield

    def status(self, text: str) -> AbstractContextManager[None]:
        """Tell where the work is while it is done; see :class:`StatusLine`."""
        return self._line.during(text)


def one_line(text: str) -> str:
    """A message on one line, with nothing in it that moves the cursor."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(text.split()))


def counted(count: int, what: str) -> str:
    """A number of things: ``1 row``, ``2 rows``."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def plain(name: str) -> str:
    """A name as it is if it can be told from the text around it, else in quotes."""
    is_plain = name.isprintable() and name.strip() == name and bool(name)
    return name if is_plain else repr(name)


def wrapped(label: str, text: str, indent: int) -> str:
    """A label and a text beside it, in as many lines as the terminal asks for."""
    width = max(40, min(_WIDEST, shutil.get_terminal_size().columns))
    first = f"  {label:<{indent - 2}}" if len(label) < indent - 2 else f"  {label}  "
    filled = textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return filled.replace(_KEPT_BLANK, " ")


def kept_together(text: str) -> str:
    """A text that is not broken at its blanks."""
    return text.replace(" ", _KEPT_BLANK)


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, the others to the right; the first is cut to fit."""
    widths = [max(len(row[j]) for row in (head, *rows)) for j in range(len(head))]
    others = sum(width + _GAP for width in widths[1:])
    room = shutil.get_terminal_size().columns - others - _GAP
    widths[0] = min(widths[0], max(_NARROWEST, room))
    return "\n".join(_line(row, widths) for row in (head, *rows))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first = row[0] if len(row[0]) <= widths[0] else f"{row[0][: widths[0] - 3]}..."
    cells = [f"{first:<{widths[0]}}"]
    cells += [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
    return (" " * _GAP + (" " * _GAP).join(cells)).rstrip()
