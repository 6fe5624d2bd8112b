"""The tests against the lowest and the newest versions of what the library stands on.

Which, and of which Python, is chosen by the variable ``HSICLEARN_VERSIONS``, as in
``lowest:python3.11,newest:python3.13``: the verb of the Makefile, and the interpreter.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path

from ..parts import Goal, Part, markdown
from .given import Given

__all__ = ["measure_versions"]

_ROOT = Path(__file__).parents[4]
_VARIABLE = "HSICLEARN_VERSIONS"
_NEWEST = tuple(f"python3.{minor}" for minor in range(11, 16))
_SHOWN = ("numpy", "scipy", "scikit-learn", "threadpoolctl", "polars", "pandas")
_FEW = "tests/test_public.py"  # of a share of the counts: that the verbs work


@dataclass(frozen=True)
class _Run:
    """What became of one verb on one Python."""

    which: str
    python: str
    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    packages: dict[str, str] = field(default_factory=dict)
    problem: str = ""

    def row(self) -> list[str]:
        counts = [str(self.counts.get(kind, "")) for kind in ("passed", "failed", "skipped")]
        packages = [self.packages.get(name, "") for name in _SHOWN]
        return [self.which, self.python, *counts, f"{self.seconds / 60:.1f}", *packages]


def measure_versions(given: Given) -> Part:
    """Each verb on each Python that there is."""
    asked = _asked()
    runs = []
    for i, (which, python) in enumerate(asked):
        given.tell(f"{i + 1} of {len(asked)}: {which}, {python}")
        runs.append(_run(which, python, is_whole=given.scale >= 1.0))
    head = ["versions", "Python", "passed", "failed", "skipped", "minutes", *_SHOWN]
    failed = sum(run.counts.get("failed", 0) for run in runs)
    missing = [run for run in runs if run.problem]
    return Part(
        f"Versions: {len(runs)} environments",
        markdown(head, [run.row() for run in runs]),
        [
            Goal("tests failed", failed, 0),
            Goal("environments that could not be tested", len(missing), 0),
        ],
        notes=[
            "`make test-lowest` and `make test-newest`, resolved by uv: the lowest version of each "
            "direct dependency that `pyproject.toml` allows, and the newest of all there are, "
            "pre-releases too. Warnings are errors in both, those of deprecation among them.",
            "Not among them are torch and GPUs, whose tests are skipped here.",
            *(f"{run.which}, {run.python}: {run.problem}" for run in missing),
        ],
    )


def _asked() -> list[tuple[str, str]]:
    """Pairs of a verb and an interpreter."""
    if told := os.environ.get(_VARIABLE):
        pairs = [tuple(pair.split(":", 1)) for pair in told.split(",")]
        if any(len(pair) != 2 or pair[0] not in ("lowest", "newest") for pair in pairs):
            raise ValueError(
                f"{_VARIABLE} must be pairs such as lowest:python3.11,newest:python3.13. "
                f"Got {told!r}."
            )
        return [(which, python) for which, python in pairs]
    there = [name for name in _NEWEST if shutil.which(name)]
    return [("lowest", name) for name in there[:1]] + [("newest", name) for name in there]


def _run(which: str, python: str, *, is_whole: bool) -> _Run:
    """Make the environment, run the tests, and count."""
    if shutil.which(python) is None:
        return _Run(which, python, problem="there is no such interpreter")
    found = subprocess.run(
        [python, "-c", "import sys; print(*sys.version_info[:3], sep='.')"],
        capture_output=True,
        text=True,
        check=True,
    )
    exact = found.stdout.strip()
    folder = _ROOT / ".venv" / f"{which}-{'.'.join(exact.split('.')[:2])}"
    junit = folder / "tests.xml"
    options = f"--junitxml={junit}" + ("" if is_whole else f" {_FEW}")
    before = time.perf_counter()
    done = subprocess.run(
        ["make", f"test-{which}", f"PYTHON={python}", f"ARGS={options}"],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - before
    if not junit.exists():
        last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        return _Run(which, exact, seconds=seconds, problem=last[:200])
    packages = _packages(folder / "versions.txt")
    return _Run(which, exact, _counts(junit), seconds, packages)


def _counts(junit: Path) -> dict[str, int]:
    """Of a file that pytest has written."""
    suites = ET.parse(junit).getroot().iter("testsuite")
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for suite in suites:
        totals = {name: n + int(suite.get(name, 0)) for name, n in totals.items()}
    failed = totals["failures"] + totals["errors"]
    passed = totals["tests"] - failed - totals["skipped"]
    return {"passed": passed, "failed": failed, "skipped": totals["skipped"]}


def _packages(frozen: Path) -> dict[str, str]:
    lines = frozen.read_text().splitlines() if frozen.exists() else []
    found = (re.match(r"([\w.-]+)==(\S+)", line) for line in lines)
    return {match[1]: match[2] for match in found if match}
