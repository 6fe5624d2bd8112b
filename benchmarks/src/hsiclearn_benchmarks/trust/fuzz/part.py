"""The count: how many inputs each reader was given, and what was found."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from ...parts import Goal, Part, markdown
from ..given import Given
from .targets import TARGETS

__all__ = ["measure_fuzz"]

_GOAL = 1_000_000
_RESTARTS = 20  # after a process that died, with the inputs that were left
_EXECUTED = re.compile(r"stat::number_of_executed_units: (\d+)")
_PEAK = re.compile(r"stat::peak_rss_mb: +(\d+)")
_DIED = re.compile(r"ERROR: libFuzzer: ([^\n(]+)")


@dataclass
class _Found:
    """Of one reader."""

    inputs: int = 0
    megabytes: int = 0
    seconds: float = 0.0
    findings: tuple[str, ...] = ()


def measure_fuzz(given: Given) -> Part:
    """Every reader in processes of its own; counts are those that the fuzzer itself prints."""
    if find_spec("atheris") is None:
        return _without_a_fuzzer(given)
    found: dict[str, _Found] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, target in TARGETS.items():
            given.tell(name)
            found[name] = _fuzzed(name, given.times(target.runs), given.seed, Path(folder, name))
    inputs = sum(one.inputs for one in found.values())
    findings = [f"{name}: {text}" for name, one in found.items() for text in one.findings]
    head = ["reader", "inputs", "findings", "seconds", "most memory, MB"]
    rows = [
        [name, f"{one.inputs:,}", len(one.findings), f"{one.seconds:.0f}", one.megabytes]
        for name, one in found.items()
    ]
    return Part(
        f"Fuzz: {inputs:,} inputs to {len(found)} readers of files",
        markdown(head, rows),
        [
            Goal("inputs", inputs, given.times(_GOAL), at_most=False),
            Goal("findings", len(findings), 0),
        ],
        notes=[
            "Inputs are made by libFuzzer, by way of atheris, from a few small files, led by what "
            "they reach in the code of the package; libraries behind it are not instrumented. "
            "Counts are libFuzzer's own.",
            "A finding is an exception that is not the documented one, a process that dies or "
            "takes 2 GB, or five seconds without an answer.",
            "`document` and `header` are the JSON of a model and of a checkpoint, in archives "
            "whose checksums are right.",
            *findings,
        ],
    )


def _without_a_fuzzer(given: Given) -> Part:
    return Part(
        "Fuzz: not measured, for there is no atheris",
        markdown(["reader", "inputs"], [[name, 0] for name in TARGETS]),
        [Goal("inputs", None, given.times(_GOAL), at_most=False)],
        notes=[
            "atheris is not installed. It has wheels for Linux and Python 3.11 to 3.13: there "
            f"`pip install ./benchmarks[trust]` brings it. This is Python "
            f"{sys.version.split()[0]} on {sys.platform}."
        ],
    )


def _fuzzed(name: str, runs: int, seed: int, folder: Path) -> _Found:
    """All inputs of a reader; where a process dies another one takes those that are left."""
    found, died = _Found(), list[str]()
    began = time.perf_counter()
    for attempt in range(_RESTARTS):
        text = _run(name, runs - found.inputs, seed + 1000 * attempt + 1, folder)
        executed = _EXECUTED.search(text)
        found.inputs += int(executed[1]) if executed else 0
        peak = _PEAK.search(text)
        found.megabytes = max(found.megabytes, int(peak[1]) if peak else 0)
        if executed is None:
            died.append(f"the fuzzer did not start: {text.strip()[-300:]}")
            break
        if (reason := _DIED.search(text)) is not None:
            died.append(reason[1].strip())
        if found.inputs >= runs:
            break
    told = [json.loads(path.read_text()) for path in sorted(folder.glob("finding-*.json"))]
    found.findings = (*died, *(f"{one['place']}: {one['message'][:200]}" for one in told))
    found.seconds = time.perf_counter() - began
    return found


def _run(name: str, runs: int, seed: int, folder: Path) -> str:
    words = ["-m", "hsiclearn_benchmarks.trust.fuzz", name]
    words += ["--runs", str(runs), "--seed", str(seed), "--findings", str(folder)]
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, *words],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **one_thread, "POLARS_MAX_THREADS": "1"},
    )
    return done.stdout.decode("utf-8", "replace")
