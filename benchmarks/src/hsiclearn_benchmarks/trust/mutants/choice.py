"""Which mutants are tried, and which tests each is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from random import Random

from .project import Reach
from .sites import Mutant

__all__ = ["sampled", "within", "witnesses"]

_OVERHEAD = 0.01  # seconds of pytest, for each test


def sampled(mutants: Mapping[str, Sequence[Mutant]], n: int, seed: int) -> dict[str, list[Mutant]]:
    """So many at random, of every package in proportion to its mutants, one at least."""
    random = Random(seed)
    total = sum(len(ones) for ones in mutants.values())
    sample = {}
    for package, ones in mutants.items():
        share = max(round(n * len(ones) / total), 1)
        chosen = random.sample(range(len(ones)), min(share, len(ones)))
        sample[package] = [ones[k] for k in sorted(chosen)]
    return sample


def witnesses(
    mutant: Mutant,
    reach: Reach,
    names: Mapping[str, set[tuple[str, int]]],
    say_names: Set[str] = frozenset(),
) -> list[str]:
    """The tests that run what is mutated, in the order in which they are asked.

    Of a constant or an attribute first those of files that ``say_names``: they may read it.
    The fastest and narrowest first, and not many of one function in a row; at last those
    that share a file with one of them, since what a fixture ran is known of its first user alone.
    All tests, where none is seen to run it: it may have run while they were collected.
    """
    places = {(mutant.file, line) for line in mutant.lines}
    for name in mutant.names:
        places |= names.get(name, set())
    reached: set[int] = set()
    for file, line in places:
        reached.update(reach.lines.get(file, {}).get(line, ()))
    tests = list(reach.seconds)
    say = {test for test in tests if test.partition("::")[0] in say_names}
    direct = _in_turns(say, reach.breadth)
    direct += _in_turns({tests[k] for k in reached} - say, reach.breadth)
    if not direct:
        return _in_turns(tests, reach.breadth) if _ran_before(places, reach) else []
    files = {test.partition("::")[0] for test in direct}
    chosen = set(direct)
    others = [test for test in tests if test.partition("::")[0] in files and test not in chosen]
    return direct + _in_turns(others, reach.breadth)


def _ran_before(places: set[tuple[str, int]], reach: Reach) -> bool:
    """Whether one of the places ran, if before any test."""
    return any(line in reach.lines.get(file, {}) for file, line in places)


def within(tests: Sequence[str], reach: Reach, seconds: float) -> dict[str, float]:
    """As many of the tests as take so long together, each with its own seconds.

    One that would take more than is left is passed over; the fastest is always among them.
    """
    chosen: dict[str, float] = {}
    left = seconds
    for test in tests:
        if reach.seconds[test] <= left or not chosen:
            chosen[test] = reach.seconds[test]
            left -= max(reach.seconds[test], _OVERHEAD)
        if left <= 0.0:
            break
    return chosen


def _in_turns(tests: Collection[str], breadth: Mapping[str, float]) -> list[str]:
    """Narrowest first; the second of a function as if it were twice as broad, and so on."""
    turns: Counter[str] = Counter()
    turn = {}
    for test in sorted(tests, key=lambda test: (breadth[test], test)):
        function = test.partition("[")[0]
        turn[test] = turns[function]
        turns[function] += 1
    return sorted(turn, key=lambda test: (breadth[test] * (1 + turn[test]), test))
