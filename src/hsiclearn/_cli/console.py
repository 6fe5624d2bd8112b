"""What is said on the way: on stderr, so that stdout holds the answer alone."""

from __future__ import annotations

import shutil
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from .._advice import Advice
from .._progress import Printer, Told, heard_by
from .wording import in_command_words, one_line, said_by

_OF_NO_WEIGHT = (
    "Glyph ",  # a name has a character that the font of the pictures lacks
    "X does not have valid feature names",  # columns were found by these names before
)
_TICK = 0.5  # seconds between two looks at the clock
_LONG = 2.0  # seconds from which on a stage is worth a line in a file


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
            # As pyparsing's, which is for users and of deprecation, of what matplotlib 3.9 calls.
            is_ours &= not issubclass(category, DeprecationWarning)
            if is_ours and not said.startswith(_OF_NO_WEIGHT):
                self.warn(in_command_words(said, self._verb, columns))

        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = show
            yield

    def status(self, text: str) -> AbstractContextManager[None]:
        """Tell where the work is while it is done; see :class:`StatusLine`."""
        return self._line.during(text)


class StatusLine:
    """The last line on stderr, about work under way.

    On a terminal it says which stage it is, how far, and how many seconds have passed, and leaves
    nothing behind. In a file or a pipe a stage that takes two seconds has a line of its own, and
    another one each time its seconds have doubled. ``verbose`` writes a line for everything that is
    told; ``quiet`` is silent.
    """

    def __init__(self, quiet: bool = False, verbose: bool = False) -> None:
        self._quiet, self._verbose = quiet, verbose
        self._began = time.monotonic()
        self._lock = threading.RLock()  # two threads write
        self._work = self._stage = self._detail = ""
        self._since = self._due = 0.0  # of the stage
        self._is_shown = False

    def say(self, line: str) -> None:
        """Print a line that stays, above this one."""
        with self._lock:
            self._clear()
            print(line, file=sys.stderr, flush=True)

    @contextmanager
    def during(self, work: str) -> Iterator[None]:
        """Tell of this work while it is done."""
        if self._quiet:
            yield
            return
        if self._verbose:
            with heard_by(Printer(sys.stderr)):
                yield
            return
        done = threading.Event()
        self._work, self._stage, self._detail = work, "", ""
        self._since, self._due = time.monotonic(), _LONG
        ticking = threading.Thread(target=self._tick, args=(done,), daemon=True)
        ticking.start()
        try:
            with heard_by(self._hear):
                yield
        finally:
            done.set()
            ticking.join()
            self._clear()

    def _hear(self, told: Told) -> None:
        stage, detail = told.stage, told.detail
        if told.is_step and not told.is_made:
            return  # of a step there are words when it is made
        with self._lock:
            if stage != self._stage:
                self._since, self._due = time.monotonic(), _LONG
            self._stage, self._detail = stage, detail

    def _tick(self, done: threading.Event) -> None:
        while not done.wait(_TICK):
            with self._lock:
                self._show(time.monotonic())

    def _show(self, now: float) -> None:
        parts = [part for part in (self._work, self._stage, " ".join(self._detail.split())) if part]
        line = f"{now - self._began:.0f} s  {': '.join(parts)}"
        if sys.stderr.isatty():
            self._is_shown = True
            _write_over(line)
        elif now - self._since >= self._due:
            self._due *= 2.0
            print(line, file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._is_shown:
            self._is_shown = False
            _write_over("")
            print("\r", end="", file=sys.stderr, flush=True)


def _write_over(line: str) -> None:
    width = shutil.get_terminal_size().columns - 1  # a full line would make the terminal scroll
    print(f"\r{line:{width}.{width}}", end="", file=sys.stderr, flush=True)
