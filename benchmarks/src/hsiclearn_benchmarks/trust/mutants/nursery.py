"""A process that has everything loaded but the package, and forks a child for every question.

    python -m hsiclearn_benchmarks.trust.mutants.nursery ROOT

It reads a question a line from stdin and writes an answer a line to stdout, both JSON: which tests
reach which line, or what tests say of a mutant. A child imports the package anew, one file of it
mutated, so that constants, defaults and decorators are as if the file had been edited.
"""

from __future__ import annotations

import ast
import gc
import importlib.abc
import importlib.util
import json
import os
import select
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from .sites import mutated

__all__ = ["main"]

_OPTIONS = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
_PATIENCE = 5.0, 10.0  # seconds of processor time for a test, and times what it took
_LONGEST = 150.0  # seconds for a child that waits
_TO_BEGIN = 20.0  # seconds of processor time, to import and to collect


def main() -> None:
    """Load, then answer until there are no more questions."""
    root = Path(sys.argv[1]).resolve()
    os.chdir(root)
    answers = os.fdopen(os.dup(1), "w")
    _mute()
    tests = json.loads(sys.stdin.readline())
    pytest.main([*_OPTIONS, "--collect-only", *tests])  # for what it imports
    gc.freeze()  # else every child would walk over all this, and copy it
    answers.write("ready\n")
    answers.flush()
    for line in sys.stdin:
        question = json.loads(line)
        work = _reach if question["kind"] == "reach" else _try
        answers.write(json.dumps(_in_a_child(lambda: work(root, question))) + "\n")  # noqa: B023
        answers.flush()


def _mute() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _in_a_child(work: Callable[[], Any]) -> Any:
    """What work returns; None where the child died, ``"time"`` where it took too long."""
    here, there = os.pipe()
    if (pid := os.fork()) == 0:
        os.setsid()
        os.close(here)
        with os.fdopen(there, "w") as pipe:
            json.dump(work(), pipe)
        os._exit(0)
    os.close(there)
    with os.fdopen(here) as pipe:
        is_done = select.select([pipe], [], [], _LONGEST * 10)[0]
        text = pipe.read() if is_done else ""
    if not is_done:
        os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    if ended_by in {signal.SIGPROF, signal.SIGALRM} or not is_done:
        return "time"
    return json.loads(text) if text else None


def _forget() -> None:
    """Unload the package, the tests and what they share."""
    for name, module in list(sys.modules.items()):
        if _is_ours(module):
            del sys.modules[name]
    importlib.invalidate_caches()


def _is_ours(module: Any) -> bool:
    """Whether a module lies in the working copy; measurements do, too, and stay."""
    ours = [str(Path.cwd() / name) for name in ("src", "tests", "conftest.py")]
    return (getattr(module, "__file__", None) or "").startswith(tuple(ours))


def _reach(root: Path, question: dict[str, Any]) -> Any:
    """Seconds of every test that passes, and which of them run each line that is asked about."""
    import coverage

    _forget()
    files = {str(root / file): file for file in question["lines"]}
    measured = coverage.Coverage(data_file=None, include=list(files), config_file=False)
    watch = _Watch(measured)
    measured.start()
    pytest.main([*_OPTIONS, *question["tests"]], plugins=[watch])
    measured.stop()
    data = measured.get_data()
    places = {test: number for number, test in enumerate(watch.seconds)}
    lines = {}
    for path, file in files.items():
        reached, wanted = data.contexts_by_lineno(path), question["lines"][file]
        lines[file] = {
            line: sorted(places[test] for test in tests if test in places)
            for line, tests in reached.items()
            if wanted is None or line in wanted
        }
    return {"seconds": watch.seconds, "lines": lines, "failed": watch.failed}


class _Watch:
    """Names the test that runs to a coverage measurement, and notes how long it takes."""

    def __init__(self, measured: Any) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self._measured, self._file = measured, ""

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        # Else only the first of those that share a fit would be seen to run it.
        file = nodeid.partition("::")[0]
        _clear_caches("hsiclearn" if file == self._file else "")
        self._file = file
        self._measured.switch_context(nodeid)
        self.seconds[nodeid] = 0.0

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.nodeid in self.seconds:
            self.seconds[report.nodeid] += report.duration
            if report.outcome != "passed":
                del self.seconds[report.nodeid]
                if report.failed:
                    self.failed.append(report.nodeid)


def _clear_caches(package: str) -> None:
    """Of functions in modules whose names begin like this."""
    for name, module in list(sys.modules.items()):
        if name.startswith(package) and _is_ours(module):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _try(root: Path, question: dict[str, Any]) -> Any:
    """Which test fails with one file as given, by its syntax tree; None of them: ``""``."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, _TO_BEGIN)
    signal.setitimer(signal.ITIMER_REAL, _LONGEST)
    _forget()
    file = root / question["file"]
    sys.meta_path.insert(0, _Mutating(file, mutated(file.read_text(), question["number"])))
    watch = _Judge(question["tests"])
    # By file: a mutant may change the name of a test, and an unknown one would end all of them.
    files = dict.fromkeys(test.partition("::")[0] for test in question["tests"])
    pytest.main([*_OPTIONS, "-x", *files], plugins=[watch])
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return watch.failed


class _Judge:
    """Gives every test its time, and keeps the name of the first that fails."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.failed = ""
        self._seconds = seconds

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Only the tests asked for, in the order asked for."""
        known = {item.nodeid: item for item in items}
        items[:] = [known[test] for test in self._seconds if test in known]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        least, times = _PATIENCE
        signal.setitimer(signal.ITIMER_PROF, least + times * self._seconds.get(nodeid, 0.0))

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed = self.failed or f"collection of {report.nodeid}"


class _Mutating(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Loads one file from a syntax tree instead."""

    def __init__(self, file: Path, tree: ast.Module) -> None:
        self._file, self._tree = str(file), tree

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> Any:
        """Found where the file is where the module is looked for."""
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        if found is None or found.origin != self._file:
            return None
        inside = found.submodule_search_locations
        return importlib.util.spec_from_file_location(
            fullname, self._file, loader=self, submodule_search_locations=inside
        )

    def get_code(self, fullname: str) -> Any:
        """Compiled from the tree."""
        return compile(self._tree, self._file, "exec", dont_inherit=True)

    def get_source(self, fullname: str) -> str:
        """As it is in the file."""
        return Path(self._file).read_text()


if __name__ == "__main__":
    main()
