"""What is seen of work under way: on a terminal, in a file, and where it fails."""

import io
import re

import pytest

from hsiclearn._cli import console as console_module
from hsiclearn._cli.console import Console, StatusLine
from hsiclearn._progress import tell


class Terminal(io.StringIO):
    """A stderr that keeps what was written; ``screen`` is what is left of it."""

    def isatty(self):
        return True

    @property
    def screen(self):
        lines = []
        for line in self.getvalue().split("\n"):
            shown = ""
            for text in line.split("\r"):
                shown = text + shown[len(text) :]
            lines.append(shown.rstrip())
        return lines


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass when told to, and no thread that would look at them by itself."""
    now = [0.0]
    monkeypatch.setattr(console_module.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(console_module, "_TICK", 1e9)
    monkeypatch.setenv("COLUMNS", "60")

    def passes(seconds, line):
        for _ in range(round(2 * seconds)):
            now[0] += 0.5
            line._show(now[0])

    return passes


def test_a_terminal_shows_the_stage_and_is_left_clean(monkeypatch, clock):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    line = StatusLine()
    with line.during("Fitting"):
        tell("choosing, on 600 rows", "bandwidth 0.8 (3 of 5), start path; lowest loss 0.4")
        clock(3, line)
        assert terminal.screen == [
            "3 s  Fitting: choosing, on 600 rows: bandwidth 0.8 (3 of 5)"[:59]
        ]
        line.say("note: one")
        tell("verifying")
        clock(1, line)
        assert terminal.screen == ["note: one", "4 s  Fitting: verifying"]
    assert terminal.screen == ["note: one", ""]


def test_a_file_gets_a_line_for_what_takes_long(monkeypatch, clock):
    file = io.StringIO()
    monkeypatch.setattr("sys.stderr", file)
    line = StatusLine()
    with line.during("Fitting"):
        tell("quick")
        clock(1.5, line)
        tell("slow", "1 of 2")
        clock(3, line)
        tell("slow", "2 of 2")
        clock(6, line)
        tell("quick")
        clock(1, line)
    assert file.getvalue().splitlines() == [
        "4 s  Fitting: slow: 1 of 2",
        "6 s  Fitting: slow: 2 of 2",
        "10 s  Fitting: slow: 2 of 2",
    ]


def test_quiet_is_silent_and_verbose_says_all(monkeypatch, clock):
    for options, expected in (
        ({"quiet": True}, []),
        ({"verbose": True}, ["slow", "    1 of 2", "    2 of 2", "done, after 0.0"]),
    ):
        file = io.StringIO()
        monkeypatch.setattr("sys.stderr", file)
        line = StatusLine(**options)
        with line.during("Fitting"):
            for detail in ("1 of 2", "2 of 2"):
                tell("slow", detail)
                clock(3, line) if not options.get("quiet") and not options.get("verbose") else None
            tell("done")
        found = [
            re.sub(r"after 0\.0.*", "after 0.0", text) for text in file.getvalue().splitlines()
        ]
        assert found == expected


def test_notes_and_warnings_are_told_as_they_arise_and_once(monkeypatch):
    import warnings

    file = io.StringIO()
    monkeypatch.setattr("sys.stderr", file)
    console = Console()
    console.note("first")
    assert file.getvalue() == "note: first\n"
    with console.python_warnings_as_lines():
        for _ in range(2):
            warnings.warn("Raise max_iter.", UserWarning, stacklevel=1)
        warnings.warn("of no concern", DeprecationWarning, stacklevel=1)
        warnings.warn("neither", type("Both", (DeprecationWarning, UserWarning), {}), stacklevel=1)
        assert file.getvalue() == "note: first\nwarning: Raise --max-iter.\n"
    assert console.warnings == ["Raise --max-iter."]


def test_every_column_of_a_test_is_told(run, flowers, monkeypatch):
    told = []
    monkeypatch.setattr("hsiclearn._cli.independence.tell", lambda *what: told.append(what[1]))
    assert run("test", "flowers.csv", "--y", "kind", "--drop", "name").exit_code == 0
    assert told == ["1 of 4, 'length'", "2 of 4, 'width'", "3 of 4, 'noise'", "4 of 4, 'colour'"]


def test_verbose_prints_the_lines_of_the_library(run, flowers):
    fit = ("fit", "flowers.csv", "--target", "kind", "--drop", "name,colour")
    result = run(*fit, "--verbose")
    assert "choosing, 2 dimensions" in result.stderr
    assert "    bandwidth " in result.stderr
    assert result.stdout == run(*fit).stdout
