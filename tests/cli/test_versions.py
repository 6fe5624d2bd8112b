"""What ``--version`` prints, plain and for a bug report."""

import sys
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import pytest

import hsiclearn
from hsiclearn._cli import versions
from hsiclearn._cli.versions import _packages


def test_the_plain_line_needs_nothing_else(run):
    assert run("--version").stdout == f"hsiclearn {hsiclearn.__version__}\n"


@pytest.mark.parametrize(
    "words", [("--version", "--verbose"), ("-v", "--version"), ("--version", "-v")]
)
def test_a_bug_report_has_versions_and_the_machine(run, words):
    lines = run(*words).stdout.splitlines()
    assert lines[0] == f"hsiclearn {hsiclearn.__version__}"
    assert lines[1].startswith(f"python {sys.version.split()[0]}")
    assert f"numpy {np.__version__}" in lines
    assert f"typer {version('typer')} (extra cli)" in lines
    assert any(line.startswith("blas ") and ", threads " in line for line in lines)
    assert any(line.startswith("cores ") for line in lines)
    assert not any("pytest" in line for line in lines)


def test_without_a_version_asked_for_it_belongs_after_the_verb(run):
    result = run("-v", "fit", "t.csv")
    assert result.exit_code == 2
    assert "--verbose is for --version here" in result.stderr


def test_what_is_missing_or_broken_is_said(monkeypatch):
    def lacks(name):
        raise PackageNotFoundError(name)

    def broken(name):
        raise ImportError("libopenblas.so.0: no such file")

    monkeypatch.setattr(versions, "version", lacks)
    monkeypatch.setattr(versions, "import_module", broken)
    said = versions.versions()
    assert "typer is not installed (extra cli)" in said
    assert "ImportError: libopenblas.so.0: no such file" in said
    monkeypatch.setattr(versions, "requires", lacks)
    assert ("numpy", "") in _packages()
