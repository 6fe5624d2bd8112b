"""Files made to do harm: refused with the one documented error, at once and in little memory."""

import io
import json
import struct
import time
import tracemalloc
import warnings
import zipfile
from copy import deepcopy
from functools import cache

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import hsiclearn
from hsiclearn import SupervisedHSIC, UnsupervisedHSIC
from hsiclearn._persistence.archive import Arrays, write_archive
from hsiclearn._persistence.together import check_together
from hsiclearn._stored import printable, read_array
from hsiclearn.datasets import make_planted, make_two_views
from hsiclearn.exceptions import ModelFileError

X, Y, _ = make_planted("ring", 40, 3)
VIEWS, _, _ = make_two_views("blobs", 40)
TOWNS = np.where(X[:, :1] > 0, "Ulm", "Köln").astype(object)


@cache
def fitted(name):
    step = SupervisedHSIC(1, bandwidth=1.0)
    if name == "clusters":
        return UnsupervisedHSIC(2, init="identity", tol=0.1).fit(VIEWS)
    if name == "neighbours":
        return make_pipeline(step, KNeighborsClassifier(3)).fit(X, Y)
    if name == "k-means":
        return make_pipeline(step, KMeans(2, n_init=1)).fit(X, Y)
    if name == "towns":
        return make_pipeline(OneHotEncoder(sparse_output=False), step).fit(TOWNS, Y)
    return step.fit(X, Y)


class Forger:
    """A model file taken apart; ``load`` puts it together, with checksums that agree, and reads."""

    def __init__(self, name, path):
        self.path = hsiclearn.save(fitted(name), path, overwrite=True)
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        self.model = json.loads(members["model.json"])
        self.arrays = {name: content for name, content in members.items() if ".npy" in name}

    def step(self, place):
        return self.model["parameters"]["steps"][place]["tuple"][1]

    def load(self):
        arrays = Arrays()
        arrays.members = self.arrays
        with open(self.path, "wb") as file:
            write_archive(file, {"model": self.model, "notes": {}}, arrays, "another hand")
        return hsiclearn.load(self.path)


@pytest.fixture
def forger(tmp_path):
    return lambda name="plain": Forger(name, tmp_path / "model.hsic")


def test_a_file_cannot_start_threads_without_number(forger):
    """OpenMP ends the process where it gets fewer threads than it was told to take."""
    forged = forger("k-means")
    forged.step(1)["fitted"]["_n_threads"] = 10**6
    with pytest.raises(ModelFileError, match="_n_threads must be 1"):
        forged.load()
    forged = forger("neighbours")
    forged.step(1)["parameters"]["n_jobs"] = 10**6
    with pytest.raises(ModelFileError, match="n_jobs must be of -1024 to 1024"):
        forged.load()
    forged.step(1)["parameters"]["n_jobs"] = -1
    assert forged.load().steps[1][1].n_jobs == -1


def test_an_encoder_writes_only_into_columns_that_are_there(forger):
    """Compiled code does not ask: with one column too few it writes over others' memory."""
    for wrong in (1, 3, 10**12):
        forged = forger("towns")
        forged.step(0)["fitted"]["_n_features_outs"] = [wrong]
        with pytest.raises(ModelFileError, match="_n_features_outs must be the numbers"):
            forged.load()


GROUPS = np.repeat(np.arange(6.0), [9, 8, 1, 1, 7, 6])[:, None]


@pytest.mark.parametrize(
    ("settings", "changes", "message"),
    [
        ({}, {"categories_": [np.arange(6.0)[::-1]]}, "in order"),
        ({}, {"categories_": [np.array([np.nan, np.nan, 0, 1, 2, 3])]}, "in order"),
        ({"drop": "first"}, {"_drop_idx_after_grouping": np.array([-3], object)}, "among 6"),
        ({"drop": "first"}, {"_drop_idx_after_grouping": np.array([6], object)}, "among 6"),
        ({"drop": "first"}, {"drop_idx_": np.array(["0"], object)}, "among 6"),
        (
            {"min_frequency": 3},
            {"_default_to_infrequent_mappings": [np.array([0, 1, 9, 9, 2, 3])]},
            "_default_to_infrequent_mappings must be places among 5",
        ),
        ({"min_frequency": 3}, {"_infrequent_indices": [np.array([2, 6])]}, "among 6"),
        ({"min_frequency": 3}, {"_default_to_infrequent_mappings": [None]}, "of all categories"),
    ],
)
def test_places_of_categories_are_places(settings, changes, message):
    encoder = OneHotEncoder(sparse_output=False, **settings).fit(GROUPS)
    check_together(encoder)
    for name, value in changes.items():
        setattr(encoder, name, value)
    with pytest.raises(ValueError, match=message):
        check_together(encoder)


def test_labels_have_names(forger):
    """A label that is far off would ask for a column, and a kernel sum, for each below it."""
    for kept in ("labels", "cluster_of"):
        forged = forger("clusters")
        name = forged.model["fitted"]["_labelling"]["parameters"][kept]["array"]
        values = np.load(io.BytesIO(forged.arrays[name]))
        values[0] = 2**40
        forged.arrays[name] = npy(values)
        with pytest.raises(ModelFileError, match=rf"{kept} must be places among 2"):
            forged.load()


@pytest.mark.parametrize("value", [1e300, np.inf, 2.0, np.nan])
def test_centres_are_means_of_rows_of_unit_length(value, forger):
    """The square of a larger one overflows when a row asks for the nearest."""
    forged = forger("clusters")
    name = forged.model["fitted"]["_labelling"]["parameters"]["centres"]["array"]
    centres = np.load(io.BytesIO(forged.arrays[name]))
    centres[0, 0] = value
    forged.arrays[name] = npy(centres)
    with pytest.raises(ModelFileError, match="centres must be means"):
        forged.load()


def test_an_overflow_is_no_length_of_one(forger):
    """The product of W and its patterns would be NaN, which is not above any bound."""
    forged = forger()
    for name in (
        forged.model["fitted"]["components_"]["array"],
        forged.model["fitted"]["result_"]["parameters"]["W"]["array"],
    ):
        W = np.load(io.BytesIO(forged.arrays[name]))
        forged.arrays[name] = npy(np.where(np.arange(3).reshape(W.shape) == 0, 1e300, -1e300))
    with pytest.raises(ModelFileError, match="components_ must be orthonormal"):
        forged.load()


def test_an_array_cannot_be_asked_for_without_end(forger):
    """A small file of a thousand search trees over one array would take gigabytes."""
    forged = forger("neighbours")
    forged.arrays["arrays/rows.npy"] = npy(np.zeros(2**17))
    forged.step(1)["fitted"]["more_"] = [{"array": "arrays/rows.npy"}] * 1000
    with pytest.raises(ModelFileError, match="arrays are named more than 50 times each"):
        forged.load()


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def with_header(text, version=(1, 0)):
    length = struct.pack("<H" if version == (1, 0) else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + length + text.encode() + bytes(8)


PLAIN = "{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}\n"


@pytest.mark.parametrize(
    "content",
    [
        *(with_header(PLAIN.format("<f8", shape)) for shape in ("(1or 2,)", "(0x1,)", "(True,)")),
        *(
            with_header(PLAIN.format("<f8", f"({n})"))
            for n in ("-" * 5000 + "1,", "9" * 5000 + ",")
        ),
        *(
            with_header(PLAIN.format(dtype, "(1,)"))
            for dtype in ("|O", "a8", "\\d", "f8,f8", "|V8")
        ),
        with_header("[" * 3000 + "]" * 3000 + "\n"),
        with_header(PLAIN.format("<f8", "(0, 1000000000000)"))[:-8],
        with_header(PLAIN.format("<U1000000000", "(0,)"))[:-8],
        with_header(PLAIN.format("<U0", "(0,)"))[:-8],
        with_header(PLAIN.format("<f8", "(1,)"), (3, 0)),
        with_header(PLAIN.format("|b1", "(8,)"))[:-8] + b"\0\1\2\1\0\0\0\0",
        with_header(PLAIN.format("<U2", "(1,)"))[:-8] + b"\xff" * 8,
        with_header(PLAIN.format(">U1", "(2,)"))[:-8] + b"\0\x11\0\0" * 2,
    ],
)
def test_an_array_is_as_numpy_writes_it(content):
    began = time.perf_counter()
    with pytest.raises(ValueError, match=r"an array|a truth|text has letters"):
        read_array(content)
    assert time.perf_counter() - began < 0.1


@pytest.mark.parametrize("dtype", ["<f8", ">f4", "|b1", "<U3", ">U2", "|S4", "<M8[s]", "<m8[ns]"])
def test_what_numpy_writes_is_read(dtype):
    for shape in ((), (0,), (3,), (2, 3), (0, 4)):
        for order in "CF":
            array = np.zeros(shape, dtype, order=order)
            again = read_array(npy(array))
            assert again.dtype == array.dtype
            np.testing.assert_array_equal(again, array)


@pytest.mark.parametrize(
    "name",
    ["../model.json", "/model.json", "C:\\a.json", "arrays/../a.npy", "Model.json", "", "a" * 200],
)
def test_names_that_lead_elsewhere_are_refused(name, forger):
    path = forger().path
    with zipfile.ZipFile(path, "a") as archive:
        info = zipfile.ZipInfo("x")
        info.filename = name
        archive.writestr(info, b"{}")
    with pytest.raises(ModelFileError, match=r"is no name of a member|two members have one name"):
        hsiclearn.load(path)


DEEP = "[" * 100_000
JSON = {
    "deep": DEEP,
    "deep enough for the parser": "[" * 900 + "]" * 900,
    "digits": "9" * 10**6,
    "two entries": '{"a": 1, "a": 2}',
    "surrogates": '"\\ud800"',
    "not finite": '{"float": "nan"}',
    "a long name": '{"class": "' + "x" * 10**6 + '", "parameters": {}, "fitted": {}}',
    "many": "[" + "[]," * 30_000 + "[]]",
    "a type": '{"dtype": "<U999999999"}',
    "an empty array": '{"objects": {"shape": [0, 1000000000000], "items": []}}',
    "an escape": '{"class": "\\u001b[2J\\n", "parameters": {}, "fitted": {}}',
}


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_hostile_json_is_refused_at_once_in_little_memory(text, tmp_path):
    members = {"model.json": text.encode(), "notes.json": b"{}"}
    path = tmp_path / "model.hsic"
    Sealed(members).write(path)
    tracemalloc.start()
    began = time.perf_counter()
    with pytest.raises(ModelFileError) as error:
        hsiclearn.load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.perf_counter() - began < 1.0
    assert peak < 60 * path.stat().st_size + 2**20
    assert len(str(error.value)) < 1000
    assert str(error.value).isprintable()


class Sealed:
    """Members of any content, in an archive whose checksums agree."""

    def __init__(self, members):
        self.members = members

    def write(self, path, **manifest):
        import hashlib

        sums = {name: hashlib.sha256(content).hexdigest() for name, content in self.members.items()}
        manifest = {
            "format": "hsiclearn model",
            "version": 1,
            "written_by": "me",
            "sha256": sums,
        } | manifest
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in {"manifest.json": json.dumps(manifest), **self.members}.items():
                archive.writestr(name, content)


@pytest.mark.parametrize("version", [float("nan"), float("inf"), "1", True, 0, -1, None, 10**400])
def test_a_version_is_a_whole_number(version, tmp_path):
    Sealed({"model.json": b"{}", "notes.json": b"{}"}).write(tmp_path / "model", version=version)
    with pytest.raises(ModelFileError):
        hsiclearn.load(tmp_path / "model")


def test_the_author_of_a_file_has_no_power_over_a_terminal(tmp_path):
    sealed = Sealed({"model.json": b"{}", "notes.json": b"{}"})
    sealed.write(tmp_path / "model", written_by="\x1b]0;gone\x07\ud800" + "x" * 10**5)
    with pytest.raises(ModelFileError, match=r"was written by \\x1b\]0;gone") as error:
        hsiclearn.load(tmp_path / "model")
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 1000
    assert printable("Köln\n\x1b") == "Köln \\x1b"


def test_a_model_that_answers_with_no_number_is_refused(forger):
    for name, value in (("mean_", np.nan), ("mean_", np.inf), ("mean_", 1.7e308)):
        forged = forger()
        member = forged.model["fitted"][name]["array"]
        forged.arrays[member] = npy(np.full(3, value) * np.sign(fitted("plain").components_[0]))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(ModelFileError, match=r"finite|must give numbers|infinity"):
                forged.load()


@pytest.mark.parametrize(
    ("part", "value"), [("distance", 1e-320), ("distance", 1e120), ("rows", 1e200)]
)
def test_numbers_whose_squares_are_none(part, value):
    """A scale that is subnormal divides to infinity; so do rows that no fit can have."""
    extension = deepcopy(fitted("clusters")._labelling.extension)
    [scales] = extension.scales
    changed = extension if part == "rows" else scales
    check_together(changed)
    object.__setattr__(changed, part, np.full_like(getattr(changed, part), value))
    with pytest.raises(ValueError, match=r"1e-100 to 1e\+100|1e\+100 at most"):
        check_together(changed)
