"""Small changes to the core, tried one at a time, and what became of them."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from scipy.stats import binomtest

from ...parts import Goal, Part, markdown
from ..given import Given
from .choice import sampled, within, witnesses
from .project import CORE, KERNELS, Nursery, Project, Reach, nursery
from .sites import Mutant

__all__ = ["Verdict", "measure_mutants", "try_all"]

_MUTANTS = 500
_SECONDS = 10.0  # of tests for a mutant
_FIRST = 8  # tests
_ASKED = 0.9
_FEW = 0.05  # of the full count: then the kernels alone


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant; ``killer`` is empty where none of the tests noticed."""

    mutant: Mutant
    killer: str
    is_reached: bool

    @property
    def word(self) -> str:
        """In a word."""
        if self.killer:
            return "killed"
        return "survived" if self.is_reached else "not reached"


def measure_mutants(given: Given) -> Part:
    """A sample of all mutants, drawn before one is looked at."""
    project = KERNELS if given.scale < _FEW else CORE
    mutants = project.mutants()
    sample = sampled(mutants, given.times(_MUTANTS), given.seed)
    given.tell("which test runs which line")
    with nursery(project) as opened:
        reach = opened.reach()
        verdicts = try_all(project, opened, reach, sample, given.tell)
    return _part(mutants, verdicts, reach)


def try_all(
    project: Project,
    opened: Nursery,
    reach: Reach,
    sample: Mapping[str, Sequence[Mutant]],
    tell: Any = lambda what: None,
) -> dict[str, list[Verdict]]:
    """What becomes of every mutant of a sample, by package."""
    total = sum(len(ones) for ones in sample.values())
    verdicts: dict[str, list[Verdict]] = {package: [] for package in sample}
    done = 0
    for package, ones in sample.items():
        for mutant in ones:
            tell(f"{done} of {total}, {package}")
            say = project.tests_that_say(mutant.names)
            asked = witnesses(mutant, reach, project.readers, say)
            tests = within(asked, reach, _SECONDS)
            killers = (opened.first_to_fail(mutant, some) for some in _rounds(tests))
            verdicts[package].append(Verdict(mutant, next(filter(None, killers), ""), bool(tests)))
            done += 1
    return verdicts


def _rounds(tests: dict[str, float]) -> Iterator[dict[str, float]]:
    """A few first: most mutants need no more, and to collect from many files takes a second."""
    names = list(tests)
    for some in filter(None, (names[:_FIRST], names[_FIRST:])):
        yield {name: tests[name] for name in some}


def _part(
    mutants: Mapping[str, Sequence[Mutant]], verdicts: Mapping[str, Sequence[Verdict]], reach: Reach
) -> Part:
    everything = [verdict for ones in verdicts.values() for verdict in ones]
    rows = [_row(package, len(mutants[package]), ones) for package, ones in verdicts.items()]
    n_all = sum(len(ones) for ones in mutants.values())
    killed, n = sum(bool(v.killer) for v in everything), len(everything)
    low, high = binomtest(killed, n).proportion_ci(method="wilson")
    reasons = _equivalent()
    same = [v for v in everything if not v.killer and _key(v.mutant) in reasons]
    head = ["package", "mutants", "tried", "killed", "survived", "not reached", "share killed"]
    return Part(
        f"Mutants: {n} of {n_all:,} small changes to the core, one at a time",
        markdown(head, [*rows, _row("together", n_all, everything)]),
        [
            Goal("mutants killed", 100.0 * killed / n, 100.0 * _ASKED, at_most=False, unit=" %"),
            Goal("mutants tried", n, _MUTANTS - 100, at_most=False),
        ],
        notes=[
            f"The share of all mutants lies between {100 * low:.1f} and {100 * high:.1f} % "
            "(Wilson, 95 %): the sample is drawn at random, from every package in proportion, "
            "before one is tried.",
            f"A mutant is shown the tests that run its line, {_SECONDS:g} s of them at most, "
            f"the fastest first, out of {len(reach.seconds):,} that pass. One that ends the "
            "process, or goes on for ten times the time of a test, is killed, too.",
            f"{len(same)} of the survivors cannot change an answer, each for a reason that is "
            "kept beside the measurement; without these the share is "
            f"{100.0 * killed / max(n - len(same), 1):.1f} %. They are counted as survivors above.",
            *_survivors(everything, reasons),
        ],
    )


def _row(package: str, n_all: int, verdicts: Sequence[Verdict]) -> list[object]:
    count = Counter(verdict.word for verdict in verdicts)
    share = f"{100.0 * count['killed'] / max(len(verdicts), 1):.1f} %"
    counts = [count[word] for word in ("killed", "survived", "not reached")]
    return [package, f"{n_all:,}", len(verdicts), *counts, share]


def _survivors(verdicts: Sequence[Verdict], reasons: Mapping[Any, str]) -> list[str]:
    """A line for each file, with what its survivors change."""
    by_file: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        if not verdict.killer:
            mutant = verdict.mutant
            note = "" if verdict.is_reached else " (not reached)"
            note = " (the same)" if _key(mutant) in reasons else note
            by_file[mutant.file].append(f"{mutant.shown}{note}")
    return [
        f"Survived in {file.removeprefix('src/hsiclearn/')}, line and change: {'; '.join(ones)}."
        for file, ones in by_file.items()
    ]


def _key(mutant: Mutant) -> tuple[str, str, str]:
    return mutant.file, mutant.text, mutant.change


def _equivalent() -> dict[tuple[str, str, str], str]:
    """Mutants that cannot change an answer, and why."""
    text = files(__package__).joinpath("equivalent.toml").read_text()
    return {
        (f"src/hsiclearn/{one['file']}", one["text"], one["change"]): one["reason"]
        for one in tomllib.loads(text).get("mutant", [])
    }
