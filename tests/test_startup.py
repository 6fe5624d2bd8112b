"""What is loaded, and when: names on request, and help before numpy and scikit-learn."""

import json
import subprocess
import sys

import pytest

import hsiclearn
from hsiclearn import _public

SLOW = {"numpy", "scipy", "sklearn", "pandas", "polars", "matplotlib", "dask", "distributed"}
LOADED = "import sys, json; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
COMMAND = """
import sys
from hsiclearn._cli import main
sys.argv = ["hsiclearn", *{words}]
try:
    main()
except SystemExit as end:
    assert end.code == 0
"""


def loaded_by(code):
    """Names of the modules that a process has loaded in the end, and what it has printed."""
    command = (sys.executable, "-c", f"{code}\n{LOADED}")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr)), done.stdout


def test_the_package_loads_nothing_but_itself():
    modules, _ = loaded_by("import hsiclearn; dir(hsiclearn)")
    assert not modules & SLOW
    assert {name for name in modules if name.startswith("hsiclearn.")} == {"hsiclearn._version"}


@pytest.mark.parametrize("part", ["kernels", "gamma", "exceptions"])
def test_a_part_without_estimators_loads_no_scikit_learn(part):
    modules, _ = loaded_by(f"import hsiclearn; hsiclearn.{part}")
    assert f"hsiclearn.{part}" in modules
    assert "sklearn" not in modules


def test_an_estimator_loads_no_more_than_a_fit_of_it_needs():
    modules, _ = loaded_by("from hsiclearn import SupervisedHSIC")
    for name in ("datasets", "inspection", "plotting", "_cli", "_measure", "_persistence"):
        assert f"hsiclearn.{name}" not in modules
    for name in ("cluster", "datasets", "linear_model", "metrics", "model_selection", "neighbors"):
        assert f"sklearn.{name}" not in modules


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--version"], f"hsiclearn {hsiclearn.__version__}\n"),
        (["--help"], "Linear dimension reduction that sees non-linear dependence."),
        (["fit", "--help"], "Find directions that depend on a column, or clusters."),
        (["test", "--help"], "Test columns for dependence of any kind."),
    ],
    ids=["version", "help", "fit", "test"],
)
def test_help_and_version_wait_for_nothing(words, said):
    modules, stdout = loaded_by(COMMAND.format(words=words))
    assert said in stdout
    assert not modules & SLOW


def test_type_checkers_and_programs_see_the_same_names():
    assert hsiclearn.__all__ == sorted(_public.__all__)
    for name in hsiclearn.__all__:
        assert getattr(hsiclearn, name) is getattr(_public, name)


@pytest.mark.long
def test_every_part_can_be_the_first_to_be_loaded():
    names = [*hsiclearn._PARTS, *(first for first, *_ in hsiclearn._NAMES.values())]
    code = (
        "import sys\n"
        f"for name in {names}:\n"
        "    exec(f'from hsiclearn import {name}')\n"
        "    for module in [each for each in sys.modules if each.startswith('hsiclearn')]:\n"
        "        del sys.modules[module]\n"
    )
    loaded_by(code)


def test_all_names_come_with_a_star():
    code = "from hsiclearn import *; print(*sorted(globals()))"
    assert set(hsiclearn.__all__) <= set(loaded_by(code)[1].split())
