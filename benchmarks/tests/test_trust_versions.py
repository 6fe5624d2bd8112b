"""Counts of tests that other environments have run."""

import subprocess
import sys

import pytest

from hsiclearn_benchmarks.trust import versions
from hsiclearn_benchmarks.trust.given import Given

VERSION = "{}.{}".format(*sys.version_info)
JUNIT = (
    '<testsuites><testsuite tests="9" failures="1" errors="2" skipped="3"/>'
    '<testsuite tests="1" failures="0" errors="0" skipped="0"/></testsuites>'
)


def test_the_verb_is_run_and_its_tests_are_counted(monkeypatch, tmp_path):
    calls, real = [], subprocess.run

    def run(command, **settings):
        if command[0] != "make":
            return real(command, **settings)
        calls.append(command[1])
        folder = tmp_path / ".venv" / f"{command[1].removeprefix('test-')}-{VERSION}"
        folder.mkdir(parents=True)
        (folder / "tests.xml").write_text(JUNIT)
        (folder / "versions.txt").write_text("numpy==2.1.0\nscikit-learn==1.6.0\n")
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(versions, "_ROOT", tmp_path)
    monkeypatch.setattr(versions.subprocess, "run", run)
    monkeypatch.setenv("HSICLEARN_VERSIONS", f"lowest:{sys.executable},newest:no-such-python")
    part = versions.measure_versions(Given())
    assert calls == ["test-lowest"]
    row = [cell.strip() for cell in part.table.splitlines()[2].split("|")[1:-1]]
    assert row[0] == "lowest"
    assert row[2:5] == ["4", "3", "3"]
    assert row[6:9] == ["2.1.0", "", "1.6.0"]
    assert [goal.value for goal in part.goals] == [3, 1]


def test_a_choice_that_is_none_is_an_error(monkeypatch):
    monkeypatch.setenv("HSICLEARN_VERSIONS", "oldest:python3.11")
    with pytest.raises(ValueError, match="must be pairs such as"):
        versions.measure_versions(Given())
