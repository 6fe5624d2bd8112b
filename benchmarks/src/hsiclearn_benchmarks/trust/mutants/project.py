"""What is mutated, and the tests that are asked."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import hsiclearn

from .sites import Mutant, mutants_of

__all__ = ["CORE", "KERNELS", "Nursery", "Project", "Reach"]


@dataclass(frozen=True)
class Project:
    """A working copy; ``packages`` are files to mutate by name, ``tests`` what may kill them."""

    root: Path
    packages: dict[str, tuple[str, ...]]
    tests: tuple[str, ...]

    def files(self, package: str) -> list[str]:
        """The files of a package, relative to the root."""
        found = (self.root.glob(pattern) for pattern in self.packages[package])
        return sorted(str(path.relative_to(self.root)) for paths in found for path in paths)

    def mutants(self) -> dict[str, list[Mutant]]:
        """All there are, by package."""
        return {
            package: [
                mutant
                for file in self.files(package)
                for mutant in mutants_of(file, (self.root / file).read_text())
            ]
            for package in self.packages
        }

    @cached_property
    def readers(self) -> dict[str, set[tuple[str, int]]]:
        """File and line of all reads of a name, or of an attribute of that name."""
        found: dict[str, set[tuple[str, int]]] = defaultdict(set)
        for path in self.root.glob("src/**/*.py"):
            file = str(path.relative_to(self.root))
            for node in ast.walk(ast.parse(path.read_text())):
                match node:
                    case ast.Name(id=name, ctx=ast.Load()):
                        found[name].add((file, node.lineno))
                    case ast.Attribute(attr=name, ctx=ast.Load()):
                        found[name].add((file, node.lineno))
        return found

    @cached_property
    def _words(self) -> dict[str, set[str]]:
        """Of every file of tests the words in it."""
        files = {path for test in self.tests for path in self._files_of(self.root / test)}
        return {
            str(path.relative_to(self.root)): set(re.findall(r"\w+", path.read_text()))
            for path in files
        }

    @staticmethod
    def _files_of(path: Path) -> list[Path]:
        return [path] if path.is_file() else list(path.rglob("test_*.py"))

    def tests_that_say(self, names: tuple[str, ...]) -> set[str]:
        """Files of tests in which one of the names stands."""
        return {file for file, words in self._words.items() if words & set(names)}

    @property
    def lines(self) -> dict[str, list[int] | None]:
        """Lines by which a test may see a mutant: None for all of a file that has mutants."""
        mutants = [mutant for ones in self.mutants().values() for mutant in ones]
        wanted: dict[str, set[int]] = defaultdict(set)
        for name in {name for mutant in mutants for name in mutant.names}:
            for file, line in self.readers.get(name, ()):
                wanted[file].add(line)
        whole = dict.fromkeys(mutant.file for mutant in mutants)
        return {file: sorted(lines) for file, lines in wanted.items()} | whole


_ROOT = Path(hsiclearn.__file__).resolve().parents[2]
CORE = Project(
    _ROOT,
    {
        "kernels": ("src/hsiclearn/kernels/*.py",),
        "gamma": ("src/hsiclearn/gamma/*.py",),
        "tile of pairs": ("src/hsiclearn/_engines/_tile.py",),
        "objective": ("src/hsiclearn/_objective/*.py",),
        "solvers": ("src/hsiclearn/_solvers/*.py",),
        "certificate": ("src/hsiclearn/_certificate.py", "src/hsiclearn/_result/certificate.py"),
        "linear algebra": ("src/hsiclearn/_linalg/*.py",),
    },
    (
        "tests/kernels",
        "tests/gamma",
        "tests/contracts",
        "tests/linalg",
        "tests/solvers",
        "tests/result",
        "tests/test_certificate.py",
        "tests/engines",
        "tests/alternation",
        "tests/answers",
        "tests/paradigms/test_weighted_gamma.py",
        "tests/estimators/test_objective.py",
    ),
)
KERNELS = Project(
    _ROOT,
    {"kernels": ("src/hsiclearn/kernels/*.py",)},
    (
        "tests/kernels",
        "tests/contracts/test_kernel_algebra.py",
        "tests/contracts/test_kernel_closed_forms.py",
        "tests/contracts/test_kernel_contract.py",
    ),
)


@dataclass(frozen=True)
class Reach:
    """Seconds of every test, by name, and the numbers of those that run each line of a file."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[int]]]
    failed: list[str]

    @cached_property
    def breadth(self) -> dict[str, float]:
        """Of every test its seconds times the lines it runs: the less, the more it is about one."""
        runs = Counter(k for by_line in self.lines.values() for ks in by_line.values() for k in ks)
        return {test: s * (1 + runs[k]) for k, (test, s) in enumerate(self.seconds.items())}


class Nursery:
    """The process that answers, see :mod:`.nursery`."""

    def __init__(self, project: Project) -> None:
        self._project = project
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        own = {
            "COVERAGE_CORE": "ctrace",  # others know no contexts
            "PYTHONDONTWRITEBYTECODE": "",  # a child shall not compile all anew
        }
        command = [sys.executable, "-m", f"{__package__}.nursery", str(project.root)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | one | own,
        )
        self._say(list(project.tests))
        self._hear()

    def reach(self) -> Reach:
        """Run all tests once."""
        said = self._ask(kind="reach", lines=self._project.lines, tests=self._project.tests)
        lines = {
            file: {int(line): tests for line, tests in lines.items()}
            for file, lines in said["lines"].items()
        }
        return Reach(said["seconds"], lines, said["failed"])

    def first_to_fail(self, mutant: Mutant, tests: dict[str, float]) -> str:
        """The test that a mutant fails, of these, empty for none; or how else it died."""
        said = self._ask(kind="try", file=mutant.file, number=mutant.number, tests=tests)
        if said is None:
            return "the process died"
        return "out of time" if said == "time" else str(said)

    def close(self) -> None:
        """No more questions."""
        self._process.communicate()

    def _ask(self, **question: Any) -> Any:
        self._say(question)
        return json.loads(self._hear())

    def _say(self, what: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()

    def _hear(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The process that tries mutants ended: {self._process.wait()}.")
        return line


@contextlib.contextmanager
def nursery(project: Project) -> Iterator[Nursery]:
    """A nursery that is closed in the end."""
    opened = Nursery(project)
    try:
        yield opened
    finally:
        opened.close()
