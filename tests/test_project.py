"""The files of the project say the same: versions, hooks, and verbs of make that exist."""

import re
import tomllib
from pathlib import Path

import pytest

import hsiclearn

ROOT = Path(__file__).resolve().parents[1]
MAKEFILE = (ROOT / "Makefile").read_text()
USERS = (
    ".ci/run",
    ".pre-commit-config.yaml",
    *(f".github/workflows/{n}.yml" for n in ("tests", "publish")),
)


def test_one_version_everywhere():
    benchmarks = tomllib.loads((ROOT / "benchmarks/pyproject.toml").read_text())["project"]
    assert benchmarks["version"] == hsiclearn.__version__
    assert f"hsic-learn[cli,plot,manifold]=={hsiclearn.__version__}" in benchmarks["dependencies"]
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {hsiclearn.__version__}\n" in citation


def test_the_hooks_are_the_parts_of_make_check():
    parts = re.search(r"^check:([^#]*)", MAKEFILE, re.M)[1].split()
    hooks = re.findall(
        r"^ +entry: make (\S+)$", (ROOT / ".pre-commit-config.yaml").read_text(), re.M
    )
    assert hooks == parts


@pytest.mark.parametrize("name", USERS)
def test_every_verb_that_is_run_exists(name):
    verbs = set(re.findall(r"\bmake ([a-z][a-z-]*)$", (ROOT / name).read_text(), re.M))
    assert verbs
    assert verbs <= set(re.findall(r"^([a-z-]+):", MAKEFILE, re.M))
