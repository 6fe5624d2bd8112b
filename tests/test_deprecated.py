"""Names that moved: the old ones warn, and are what the new ones are."""

import subprocess
import sys

import pytest

import hsiclearn.plotting
import hsiclearn.tables
from hsiclearn._cli import tables


@pytest.mark.parametrize("name", tables.__all__)
def test_tables_warn_and_work(name):
    with pytest.warns(FutureWarning, match=f"hsiclearn.tables.{name} belongs to the command"):
        assert getattr(hsiclearn.tables, name) is getattr(tables, name)


def test_tables_have_no_other_names():
    assert set(hsiclearn.tables.__all__) == set(tables.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hsiclearn.tables.nothing  # noqa: B018


@pytest.mark.parametrize("name", ["save_curves", "save_scaling"])
def test_pictures_of_the_benchmarks_say_where_they_are(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "hsiclearn_benchmarks", None)  # as if it were not installed
    with pytest.raises(ImportError, match=rf"plotting\.{name} needs .* pip install \./benchmarks"):
        getattr(hsiclearn.plotting, name)
    assert name not in hsiclearn.plotting.__all__


def test_plotting_has_no_other_names():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hsiclearn.plotting.nothing  # noqa: B018


def test_tables_are_found_without_an_import_of_their_own():
    code = "import hsiclearn; hsiclearn.tables.TableEncoder"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "FutureWarning" in done.stderr
