"""The properties of ``tests/properties``, tried on very many examples, and how many there were."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from ..parts import Goal, Part, markdown
from .given import Given

__all__ = ["measure_properties"]

_GOAL = 100_000
_PROJECT = Path(__file__).parents[4]
_TESTS = _PROJECT / "tests" / "properties"


def measure_properties(given: Given) -> Part:
    """One run of pytest with the profile of many examples; every example judged is counted."""
    if not _TESTS.is_dir():
        raise FileNotFoundError(
            f"The properties are tests of a clone of hsic-learn. There is no folder {_TESTS}: "
            "install the benchmarks from a clone, pip install --editable ./benchmarks."
        )
    given.tell("100,000 examples at full scale")
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder, "counts.json")
        output = _run(given, counts)
        tried = json.loads(counts.read_text()) if counts.exists() else {}
    failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
    examples = sum(int(count) for count, _ in tried.values())
    rows = [
        [_in_words(name), f"{int(count):,}", f"{1e3 * seconds / count:.1f}"]
        for name, (count, seconds) in sorted(tried.items())
    ]
    return Part(
        f"Properties: {len(tried)} properties, {examples:,} examples",
        markdown(["property", "examples", "ms each"], rows),
        [
            Goal("examples", examples, given.times(_GOAL), at_most=False),
            Goal("properties that do not hold", len(failed) if tried else None, 0),
        ],
        notes=[
            "An example is counted once it has been judged to the end. Where an answer is refused "
            "the judgement is that the error is a documented one.",
            *failed,
        ],
    )


def _run(given: Given, counts: Path) -> str:
    words = ["-m", "pytest", str(_TESTS), "-p", "no:cacheprovider", "-rf", "--tb=short"]
    words += ["--hypothesis-profile=trust", f"--hypothesis-seed={given.seed}"]
    variables = {
        "HSICLEARN_PROPERTIES_SHARE": str(given.scale),
        "HSICLEARN_PROPERTIES_COUNTS": str(counts),
    }
    done = subprocess.run(
        [sys.executable, *words],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=_PROJECT,
        env={**os.environ, **variables},
    )
    if done.returncode:
        print(done.stdout[-20_000:], file=sys.stderr)
    return done.stdout


def _in_words(name: str) -> str:
    return name.removeprefix("test_").replace("_", " ")
