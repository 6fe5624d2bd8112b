"""The paper's four tables, against files of the same tables that were prepared by other code."""

import gzip
import io
import tarfile

import numpy as np
import pandas as pd
import pytest

from data_folder import data_file
from hsiclearn.datasets import cancer, car, load_cancer, load_car, load_face, load_wine

LOADERS = {"wine": load_wine, "cancer": load_cancer, "car": load_car, "face": load_face}


@pytest.fixture
def frame(monkeypatch):
    """Read a file with pandas, and point the loaders at its folder."""

    def read(name):
        path = data_file(name)
        monkeypatch.setenv("HSICLEARN_DATA", str(path.parent))
        return pd.read_csv(path)

    return read


@pytest.mark.parametrize(
    ("name", "shape", "counts"),
    [
        ("wine", (178, 13), {0: 59, 1: 71, 2: 48}),
        ("cancer", (683, 9), {2: 444, 4: 239}),
        ("car", (1728, 6), {0: 1210, 1: 384, 2: 69, 3: 65}),
    ],
)
def test_whole_tables(name, shape, counts, frame):
    expected = frame(name)
    table = LOADERS[name]()
    assert table.X.shape == shape
    assert dict(zip(*np.unique(table.y, return_counts=True), strict=True)) == counts
    np.testing.assert_array_equal(table.X, expected.drop(columns="label"))
    np.testing.assert_array_equal(table.y, expected["label"])


@pytest.mark.parametrize(
    ("name", "file", "counts"),
    [
        ("cancer", "cancer_paper137", {2: 90, 4: 47}),
        ("car", "car_paper346", {0: 121, 1: 114, 2: 111}),
    ],
)
def test_rows_of_the_paper(name, file, counts, frame):
    expected = frame(file)
    table = LOADERS[name](paper=True)
    assert dict(zip(*np.unique(table.y, return_counts=True), strict=True)) == counts
    np.testing.assert_array_equal(table.X, expected.drop(columns="label"))
    np.testing.assert_array_equal(table.y, expected["label"])


@pytest.mark.parametrize(
    ("rows", "size", "n"), [(cancer.PAPER_ROWS, 137, 683), (car.PAPER_ROWS, 346, 1728)]
)
def test_rows_of_the_paper_are_distinct(rows, size, n):
    assert rows.size == np.unique(rows).size == size
    assert rows.min() >= 0
    assert rows.max() < n


def test_faces(frame):
    names = ["identity_name", "pose_name", "expression", "eyes"]
    expected = frame("face").sort_values(names)
    for target in ("identity", "pose"):
        table = load_face(target=target)
        np.testing.assert_array_equal(table.X, expected.filter(regex=r"^p\d"))
        assert [table.target_names[code] for code in table.y] == list(expected[f"{target}_name"])
    assert table.X.shape == (624, 960)
    assert (table.X.min(), table.X.max()) == (0, 153)
    assert np.bincount(table.y).tolist() == [157, 155, 156, 156]
    with pytest.raises(ValueError, match=r"`target` must be one of .*Got 'eyes'"):
        load_face(target="eyes")


@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.parametrize("paper", [False, True])
def test_what_all_tables_have(name, paper, frame):
    frame(name)
    table = LOADERS[name](paper=paper)
    assert table.X.dtype == np.float64
    assert table.y.dtype == np.int64
    assert len(table.X) == len(table.y)
    assert len(table.feature_names) == table.X.shape[1]
    assert len(table.target_names) == np.unique(table.y).size
    assert all(type(word) is str for word in (*table.feature_names, *table.target_names))
    assert "UCI" in table.description
    X, y = LOADERS[name](paper=paper, return_X_y=True)
    np.testing.assert_array_equal(X, table.X)
    np.testing.assert_array_equal(y, table.y)


def test_the_label_of_the_papers_cars_is_their_safety(frame):
    frame("car")
    table = load_car(paper=True)
    np.testing.assert_array_equal(table.y, table.X[:, table.feature_names.index("safety")])
    assert table.target_names == ("low", "med", "high")


def cancer_as_published(frame):
    lines = [f"{1000025 + i},{','.join(map(str, row))}" for i, row in enumerate(frame.to_numpy())]
    lines.insert(23, "1057013,8,4,5,1,2,?,7,3,1,4")
    return "\n".join(lines).encode() + b"\n"


def car_as_published(frame):
    words = [[car.VALUES[name][code] for code in frame[name]] for name in frame.columns]
    return "\n".join(map(",".join, zip(*words, strict=True))).encode() + b"\n\n"


def face_as_published(frame):
    pixels = frame.filter(regex=r"^p\d").to_numpy().astype(np.uint8)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz", compresslevel=1) as archive:
        for i, row in frame.iterrows():
            person = row["identity_name"]
            name = f"{person}_{row['pose_name']}_{row['expression']}_{row['eyes']}_4.pgm"
            content = b"P5\n32 30\n255\n" + pixels[i].tobytes()
            member = tarfile.TarInfo(f"faces_4/{person}/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return raw.getvalue()


PUBLISHED = {"cancer": cancer_as_published, "car": car_as_published, "face": face_as_published}


@pytest.mark.parametrize("name", PUBLISHED)
def test_fetched_once_then_from_the_cache(name, frame, tmp_path, monkeypatch):
    raw = PUBLISHED[name](frame(name))
    expected = LOADERS[name]()
    asked = []

    def urlopen(url, timeout):
        asked.append(url)
        return io.BytesIO(raw)

    monkeypatch.delenv("HSICLEARN_DATA")
    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    cache = tmp_path / "new" / "folder"
    for _ in range(2):
        table = LOADERS[name](data_home=cache)
        np.testing.assert_array_equal(table.X, expected.X)
        np.testing.assert_array_equal(table.y, expected.y)
    assert len(asked) == 1
    assert asked[0].startswith("https://archive.ics.uci.edu/")
    assert [path.name for path in cache.iterdir()] == [f"{name}.csv.gz"]

    monkeypatch.setenv("HSICLEARN_DATA", str(cache))
    np.testing.assert_array_equal(LOADERS[name]().X, expected.X)


def test_another_table_in_the_folder(frame, tmp_path, monkeypatch):
    table = frame("car")
    table.loc[5, "doors"] = 3
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path))
    with gzip.open(tmp_path / "car.csv.gz", "wt") as file:
        table.to_csv(file, index=False)
    with pytest.raises(ValueError, match=r"must have the SHA-256 checksum 32c1.*Got .*\(1728, 6\)"):
        load_car()
