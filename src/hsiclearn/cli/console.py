"""What is said on the way: on stderr, so that stdout holds the answer alone."""

from __future__ import annotations

import shutil
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

__all__ = [
    "Console",
    "counted",
    "kept_together",
    "one_line",
    "plain",
    "progress_line",
    "wrapped",
]

_WIDEST = 100
_OF_NO_WEIGHT = (
    "Glyph ",  # a name has a character that the font of the pictures lacks
    "X does not have valid feature names",  # columns were found by these names before
)
_NAMES = {"hsic_test": "hsiclearn test"}  # what the command has for a name of the library
_KEPT_BLANK = "\xa0"  # at which lines are not broken
_LINE = 78  # columns of a line that is written over


class Console:
    """Notes and warnings, each on a line of its own; ``quiet`` leaves the notes out.

    ``options`` are those of the verb, by what a warning of the library calls them. Notes and
    warnings are held back until the work is done: where it fails, the error is the only line.
    """

    def __init__(self, quiet: bool = False, options: Mapping[str, str] | None = None) -> None:
        self.quiet = quiet
        self._names = _NAMES | dict(options or {})
        self.notes: list[str] = []
        self.warnings: list[str] = []

    def note(self, text: str) -> None:
        """Say what was done that its user may want to know."""
        self.notes.append(one_line(text))

    def warn(self, text: str) -> None:
        """Say what is wrong with the answer."""
        self.warnings.append(one_line(text))

    def tell(self) -> None:
        """Print what there is to say."""
        lines = [] if self.quiet else [f"note: {text}" for text in self.notes]
        lines += [f"warning: {text}" for text in self.warnings]
        for line in lines:
            print(line, file=sys.stderr)

    @contextmanager
    def python_warnings_as_lines(self) -> Iterator[None]:
        """Warnings of the library as lines; those of other libraries about code are left out."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        told = (str(item.message) for item in caught if issubclass(item.category, UserWarning))
        for text in dict.fromkeys(told):
            if not text.startswith(_OF_NO_WEIGHT):
                self.warn(self._for_command(text))

    def _for_command(self, text: str) -> str:
        """What the library says, with the names that the command has for it."""
        for name, option in self._names.items():
            text = text.replace(name, option)
        return text

    @contextmanager
    def status(self, text: str) -> Iterator[None]:
        """A line that counts the seconds while work is done, on a terminal; it leaves nothing."""
        if self.quiet or not sys.stderr.isatty():
            yield
            return
        done = threading.Event()
        began = time.monotonic()

        def tick() -> None:
            while not done.wait(0.5):
                _write_over(f"{text} ... {time.monotonic() - began:.0f} s")

        ticking = threading.Thread(target=tick, daemon=True)
        ticking.start()
        try:
            yield
        finally:
            done.set()
            ticking.join()
            _write_over("")
            print("\r", end="", file=sys.stderr, flush=True)


@contextmanager
def progress_line() -> Iterator[Callable[[int, int, str], None]]:
    """A line on stderr that is written over and leaves nothing; a line each where it is a file."""
    began = time.monotonic()

    def progress(done: int, total: int, name: str) -> None:
        line = f"{done}/{total}  {time.monotonic() - began:.0f} s  {name}"
        if sys.stderr.isatty():
            _write_over(line)
        else:
            print(line.rstrip(), file=sys.stderr, flush=True)

    try:
        yield progress
    finally:
        if sys.stderr.isatty():
            _write_over("")
            print("\r", end="", file=sys.stderr, flush=True)


def _write_over(line: str) -> None:
    print(f"\r{line:{_LINE}.{_LINE}}", end="", file=sys.stderr, flush=True)


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
