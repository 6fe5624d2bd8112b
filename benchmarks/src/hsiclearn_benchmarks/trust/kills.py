"""Processes that are killed while they work, and what the next attempt makes of what they left."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import hsiclearn

from ..parts import Goal, Part, markdown
from .given import Given
from .killer import Attempt, Moment, attempted
from .victims import PROBLEMS, fit, run_command, save_again_and_again

__all__ = ["measure_kills"]

_FITS, _SAVES, _COMMANDS = 100, 60, 24
_IN_A_WRITE = 0.004  # seconds: a file is mostly written by then
_SOON = 0.1  # seconds of saving
_LEFT = re.compile(r"\..+\.[0-9a-f]{32}\.part")


@dataclass
class Tally:
    """What became of some kills; ``problems`` are what should not have been."""

    what: str
    kills: int = 0
    in_a_write: int = 0
    checked: int = 0
    problems: list[str] = field(default_factory=list)

    def row(self) -> list[object]:
        """As a line of the table."""
        return [self.what, self.kills, self.in_a_write, self.checked, len(self.problems)]


def measure_kills(given: Given) -> Part:
    """Fits, saves and outputs, killed until there were enough."""
    began = time.perf_counter()
    rng = np.random.default_rng(given.seed)
    tallies = [*_fits(given, rng), _saves(given, rng), *_commands(given, rng)]
    head = ["what", "kills", "of these in a write", "checked", "wrong"]
    kills, wrong = sum(t.kills for t in tallies), [p for t in tallies for p in t.problems]
    checked = sum(t.checked for t in tallies)
    in_writes = sum(t.in_a_write for t in tallies)
    total = ["together", kills, in_writes, checked, len(wrong)]
    return Part(
        f"Kills: {kills} processes ended by SIGKILL, {in_writes} of them while a file was written",
        markdown(head, [*(tally.row() for tally in tallies), total]),
        [Goal("kills", kills, 100, at_most=False), Goal("wrong", len(wrong), 0)],
        notes=[
            "A fit is killed, gone on with from its checkpoint, killed again, until one attempt "
            "comes to its end. Checked is that answer, against one that nobody disturbed: the "
            "bytes of W, cost, eigenvalues, history (without seconds) and certificate.",
            "Saving and the command replace a file. Checked after every kill is that it is the old "
            "one or the new one, or that there is none where there was none, and that the next "
            "attempt writes it.",
            "Half of the kills come at random moments, half up to "
            f"{1e3 * _IN_A_WRITE:g} ms after a file was begun. A kill in a write leaves a hidden "
            "file `.NAME.32 digits.part` beside the file, and of the command a folder "
            "`hsiclearn-*` among the temporary files; nothing reads them, and they may be removed. "
            "A kill that came after the end does not count.",
            f"It took {time.perf_counter() - began:.0f} s.",
            *sorted(set(wrong)),
        ],
    )


def _fits(given: Given, rng: np.random.Generator) -> Iterator[Tally]:
    """As many kills of every problem; of few kills, only of the first problems."""
    n_kills = given.times(_FITS)
    names = list(PROBLEMS)[:n_kills]
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(names):
            enough = (n_kills - 1 - number) // len(names) + 1
            tally = Tally(f"fit: {name}")
            plain = attempted(fit, name, None)
            whole = attempted(fit, name, Path(folder) / f"{number}.npz")
            _check(tally, whole.answer == plain.answer, "the checkpoint changes the answer")
            while tally.kills < enough:
                given.tell(f"{name}, {tally.kills} of {enough}")
                path = Path(folder) / f"{number}-{tally.checked}.npz"
                _resume_until_done(tally, name, path, whole, rng)
            yield tally


def _resume_until_done(
    tally: Tally, name: str, path: Path, whole: Attempt, rng: np.random.Generator
) -> None:
    """Kill and go on, until an attempt comes to its end."""
    found = Attempt()
    while not found.is_done:
        found = _hit(tally, path, _moment(rng, whole), fit, name, path)
    tally.checked += 1
    _check(tally, found.answer == whole.answer, "another answer after a kill")


def _moment(rng: np.random.Generator, whole: Attempt) -> Moment:
    """At random within the time of a whole attempt, or in one of its writes."""
    if rng.random() < 0.5:
        return Moment(rng.uniform(0.0, _IN_A_WRITE), int(rng.integers(1, whole.writes + 1)))
    return Moment(rng.uniform(0.0, whole.seconds))


def _hit(tally: Tally, path: Path, moment: Moment, job: Callable[..., Any], *args: Any) -> Attempt:
    """Run a job that is killed at a moment, unless it has ended before."""
    try:
        attempt = attempted(job, *args, moment=moment)
    except RuntimeError as error:  # what cannot go on is a figure
        attempt = Attempt(is_done=True)
        tally.problems.append(f"{tally.what}: {str(error)[:200]}")
    left = _left_beside(path)
    tally.kills += not attempt.is_done
    tally.in_a_write += bool(left)
    for part in left:
        _check(tally, _LEFT.fullmatch(part.name) is not None, f"{part.name} is left behind")
        part.unlink()
    return attempt


def _left_beside(path: Path) -> list[Path]:
    """Hidden files of its folder, which no attempt writes to any more."""
    return [entry for entry in path.parent.iterdir() if entry.name.startswith(".")]


def _saves(given: Given, rng: np.random.Generator) -> Tally:
    """A model file that is replaced by another, or written where there is none."""
    tally, n_kills = Tally("hsiclearn.save, two models in turn"), given.times(_SAVES)
    X = np.random.default_rng(0).standard_normal((400, 30))
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        sources = [there / "first.hsic", there / "second.hsic"]
        for q, source in enumerate(sources, start=1):
            model = hsiclearn.SupervisedHSIC(q, bandwidth=4.0).fit(X, X[:, 0] > 0)
            hsiclearn.save(model, source)
        path = there / "model.hsic"
        path.write_bytes(sources[0].read_bytes())
        contents = {source.read_bytes() for source in sources}
        while tally.kills < n_kills:
            given.tell(f"saving, {tally.kills} of {n_kills}")
            overwrite = bool(rng.random() < 0.5)
            moment = _moment(rng, Attempt(seconds=_SOON, writes=5))
            _hit(tally, path, moment, save_again_and_again, sources, path, overwrite)
            is_right = path.read_bytes() in contents if path.exists() else not overwrite
            _check(tally, is_right, "a model file is neither the old one nor the new one")
            hsiclearn.save(hsiclearn.load(sources[0]), path, overwrite=True)
            _check(tally, path.read_bytes() in contents, "the next save fails")
            tally.checked += 1
    return tally


def _check(tally: Tally, is_right: bool, otherwise: str) -> None:
    if not is_right:
        tally.problems.append(f"{tally.what}: {otherwise}")


def _commands(given: Given, rng: np.random.Generator) -> Iterator[Tally]:
    """The command, which replaces what an earlier run wrote."""
    n_kills = given.times(_COMMANDS)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "rows.csv"
        X = np.random.default_rng(0).standard_normal((3000, 6))
        rows = np.column_stack([X, X[:, 0] > 0])
        np.savetxt(table, rows, "%.9g", ",", header="a,b,c,d,e,f,y", comments="")
        model, output = table.with_name("model.hsic"), table.with_name("out.csv")
        fitted = ["fit", str(table), "--target", "y", "--bandwidth", "2", "--model", str(model)]
        projected = ["transform", str(model), str(table), "--output", str(output)]
        for path, arguments in {model: fitted, output: projected}.items():
            arguments += ["--force", "--quiet"]
            yield _replaced(given, rng, path, arguments, (n_kills + 1) // 2)


def _replaced(
    given: Given, rng: np.random.Generator, path: Path, arguments: list[str], n_kills: int
) -> Tally:
    """Kills of one command; the file before is another one, and whole."""
    tally = Tally(f"hsiclearn {arguments[0]} --force")
    whole = attempted(run_command, arguments, path.parent)
    new, old = path.read_bytes(), b"an earlier file"
    while tally.kills < n_kills:
        given.tell(f"hsiclearn {arguments[0]}, {tally.kills} of {n_kills}")
        path.write_bytes(old)
        _hit(tally, path, _moment(rng, whole), run_command, arguments, path.parent)
        _check(tally, path.read_bytes() in (old, new), "a file is neither the old nor the new one")
        tally.checked += 1
    attempted(run_command, arguments, path.parent)
    _check(tally, path.read_bytes() == new, "the next run writes something else")
    return tally
