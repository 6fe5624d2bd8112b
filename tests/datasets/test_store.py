"""Folder, cache and network, with a table of two rows."""

import gzip
import http.client
import io
import urllib.error

import numpy as np
import pytest

from hsiclearn.datasets import load_cancer, load_car, load_face
from hsiclearn.datasets._store import Source, checksum, numbers, read_source
from hsiclearn.exceptions import DataCorruptError, DataNotFoundError

ADDRESS = "https://example.org/small.data"
RAW = b"1.5 2 0\n3 4 1\n"
X, LABELS = np.array([[1.5, 2], [3, 4]]), np.array([[0], [1]])
SMALL = Source(
    "small",
    ADDRESS,
    ("a", "b", "label"),
    lambda raw: [line.split() for line in raw.decode("ascii").splitlines()],
    numbers,
    checksum(X, LABELS),
)


@pytest.fixture(autouse=True)
def network(monkeypatch):
    """A network that answers with what was put into it, and counts the questions."""

    class Network:
        answer = urllib.error.URLError("no route to host")
        asked = 0

        def urlopen(self, url, timeout):
            self.asked += 1
            assert timeout > 0
            if isinstance(self.answer, Exception):
                raise self.answer
            return io.BytesIO(self.answer) if isinstance(self.answer, bytes) else self.answer

    network = Network()
    monkeypatch.delenv("HSICLEARN_DATA", raising=False)
    monkeypatch.setattr("urllib.request.urlopen", network.urlopen)
    return network


def write(folder, text, name="small.csv.gz"):
    with gzip.open(folder / name, "wt") as file:
        file.write(text)


def test_the_checksum_does_not_depend_on_the_layout():
    expected = checksum(X, LABELS)
    assert checksum(np.asfortranarray(X).astype(">f8"), LABELS.astype(np.int8)) == expected
    assert checksum(X + 1e-15, LABELS) != expected
    assert checksum(X, 1 - LABELS) != expected


def test_fetch_then_cache(network, tmp_path):
    network.answer = RAW
    for _ in range(2):
        found, labels = read_source(SMALL, tmp_path)
        np.testing.assert_array_equal(found, X)
        np.testing.assert_array_equal(labels, LABELS)
    assert network.asked == 1


def test_the_default_cache_is_in_the_home_folder(network, tmp_path, monkeypatch):
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path)
    network.answer = RAW
    read_source(SMALL, None)
    assert (tmp_path / ".cache" / "hsic-learn" / "small.csv.gz").is_file()


def test_the_folder_comes_first_and_its_columns_in_any_order(network, tmp_path, monkeypatch):
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path))
    write(tmp_path, "label,more,b,a\n0,x,2,1.5\n1,y,4,3\n")
    np.testing.assert_array_equal(read_source(SMALL, None)[0], X)
    assert network.asked == 0


def test_a_cache_that_is_named_comes_before_the_folder(network, tmp_path, monkeypatch):
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path / "absent"))
    network.answer = RAW
    np.testing.assert_array_equal(read_source(SMALL, tmp_path / "cache")[0], X)
    assert network.asked == 1


def test_an_empty_variable_counts_as_unset(network, tmp_path, monkeypatch):
    monkeypatch.setenv("HSICLEARN_DATA", "")
    network.answer = RAW
    np.testing.assert_array_equal(read_source(SMALL, tmp_path)[0], X)


@pytest.mark.parametrize("folder", ["", "absent"])
def test_no_fall_through_from_a_folder_without_the_file(folder, network, tmp_path, monkeypatch):
    monkeypatch.setenv("HSICLEARN_DATA", str(tmp_path / folder))
    network.answer = RAW
    with pytest.raises(DataNotFoundError, match=r"that folder alone\. Got .* Put small\.csv\.gz"):
        read_source(SMALL, None)
    assert network.asked == 0


@pytest.mark.parametrize("load", [load_cancer, load_car, load_face])
def test_offline(load, network, tmp_path):
    message = r"not part of the package.*URLError: .*no route to host.*set HSICLEARN_DATA"
    with pytest.raises(DataNotFoundError, match=message):
        load(data_home=tmp_path)
    assert network.asked == 1
    assert list(tmp_path.iterdir()) == []


class Broken(io.BytesIO):
    def read(self, *size):
        raise http.client.IncompleteRead(b"1.5 2 0\n", 6)


@pytest.mark.parametrize("answer", [Broken(), TimeoutError("timed out")])
def test_a_broken_download_leaves_nothing(answer, network, tmp_path):
    network.answer = answer
    with pytest.raises(DataNotFoundError, match=r"IncompleteRead|timed out"):
        read_source(SMALL, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"1.5 2 0\n3 5 1\n", r"SHA-256 checksum [0-9a-f]{64}\. Got [0-9a-f]{64} for the \(2, 2\)"),
        (b"<html>\nnot found\n", r"in its published format.*ValueError"),
        (b"", r"in its published format.*IndexError"),
    ],
)
def test_another_table_from_the_network_is_not_kept(answer, message, network, tmp_path):
    network.answer = answer
    with pytest.raises(DataCorruptError, match=message) as caught:
        read_source(SMALL, tmp_path)
    assert ADDRESS in str(caught.value)
    assert "set HSICLEARN_DATA" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_faces_from_something_that_is_no_archive(network, tmp_path):
    network.answer = b"<html>moved</html>"
    with pytest.raises(DataCorruptError, match=r"published format.*ReadError"):
        load_face(data_home=tmp_path)


def test_a_full_disk_leaves_nothing_but_the_table_is_returned(network, tmp_path, monkeypatch):
    def replace(part, path):
        raise OSError("no space left")

    network.answer = RAW
    monkeypatch.setattr("os.replace", replace)
    with pytest.warns(RuntimeWarning, match="no space left"):
        found = read_source(SMALL, tmp_path)[0]
    np.testing.assert_array_equal(found, X)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["a,b\n1.5,2\n", "a,b,label\n1.5,2\n", "a,b,label\n1,2,0\n", ""])
def test_a_damaged_cache(text, network, tmp_path):
    write(tmp_path, text)
    with pytest.raises(DataCorruptError, match="Delete the file to have it fetched again"):
        read_source(SMALL, tmp_path)
    assert network.asked == 0


def test_a_cache_cut_short(network, tmp_path):
    network.answer = RAW
    read_source(SMALL, tmp_path)
    path = tmp_path / "small.csv.gz"
    for content in (path.read_bytes()[:-9], b"plain text"):
        path.write_bytes(content)
        with pytest.raises(DataCorruptError, match="Delete the file"):
            read_source(SMALL, tmp_path)
