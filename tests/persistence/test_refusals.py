"""What is not written, and what is not read."""

import json
import os
import pickle
import re
import tracemalloc
import zipfile
from functools import cache

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import KFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

import hsiclearn
from hsiclearn import SupervisedHSIC
from hsiclearn._persistence.archive import Arrays, write_archive
from hsiclearn.datasets import make_planted
from hsiclearn.exceptions import ModelFileError
from hsiclearn.kernels import Custom

X, Y, _ = make_planted("ring", 100, 4)


@cache
def fitted():
    return SupervisedHSIC(2, bandwidth="median").fit(X, Y)


def custom_kernel():
    return Custom(lambda b: -b, lambda b: -np.ones_like(b), np.zeros_like, pair="difference")


@pytest.fixture
def path(tmp_path):
    return hsiclearn.save(fitted(), tmp_path / "model.hsic")


def rebuilt(path, **changes):
    """The file with some members replaced, and checksums that agree."""
    with zipfile.ZipFile(path) as archive:
        documents = {name: json.loads(archive.read(f"{name}.json")) for name in ("model", "notes")}
        arrays = Arrays()
        arrays.members = {n: archive.read(n) for n in archive.namelist() if n.endswith(".npy")}
    with open(path, "wb") as file:
        write_archive(file, documents | changes, arrays, "another hand")
    return path


@pytest.mark.parametrize(
    "settings",
    [
        {"kernel": custom_kernel()},
        {"random_state": np.random.RandomState(0)},
        {"cv": KFold(3), "bandwidth": "auto"},
    ],
    ids=["kernel", "random_state", "cv"],
)
def test_what_is_code_is_not_saved_and_its_place_is_named(settings, tmp_path):
    model = SupervisedHSIC(1, **({"bandwidth": "median"} | settings)).fit(X, Y)
    with pytest.raises(TypeError, match=rf"Got model\.{next(iter(settings))} = .*cannot be saved"):
        hsiclearn.save(model, tmp_path / "model")
    assert os.listdir(tmp_path) == []


def test_other_models_are_not_saved(tmp_path):
    for model in (PCA(), make_pipeline(StandardScaler(), PCA())):
        with pytest.raises(TypeError, match="Need an estimator of hsiclearn"):
            hsiclearn.save(model, tmp_path / "model")
    with pytest.raises(NotFittedError):
        hsiclearn.save(SupervisedHSIC(), tmp_path / "model")
    with pytest.raises(NotFittedError):
        hsiclearn.save(
            Pipeline([("scale", StandardScaler()), ("hsic", fitted())]), tmp_path / "model"
        )
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("step", [SVC(), FunctionTransformer(np.abs)], ids=["SVC", "function"])
def test_a_step_without_a_place_is_named_with_a_remedy(step, tmp_path):
    steps = [("map", clone(fitted())), ("own step", step)]
    model = Pipeline(steps if isinstance(step, SVC) else steps[::-1]).fit(X, Y)
    with pytest.raises(TypeError, match=r"model\.steps\[[01]\]\['own step'\].*") as error:
        hsiclearn.save(model, tmp_path / "model")
    remedy = "joblib or skops" if isinstance(step, SVC) else "Functions.* cannot be saved"
    assert re.search(remedy, str(error.value))
    assert os.listdir(tmp_path) == []


def test_a_file_is_overwritten_only_on_request(path):
    before = path.read_bytes()
    other = SupervisedHSIC(1, bandwidth="median").fit(X, Y)
    with pytest.raises(FileExistsError, match="is not overwritten"):
        hsiclearn.save(other, path)
    assert path.read_bytes() == before
    hsiclearn.save(other, path, overwrite=True)
    assert hsiclearn.load(path).n_components_ == 1


def test_every_byte_counts(path):
    """Flip one byte at a time, all over the file: an error or, in zip's own padding, the same."""
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for place in rng.choice(len(whole), 300, replace=False):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        try:
            again = hsiclearn.load(path)
        except ModelFileError:
            continue
        np.testing.assert_array_equal(again.components_, fitted().components_)
        assert again.cost_ == fitted().cost_


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_truncated_file_is_refused(path, share):
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ModelFileError, match="damaged or something else"):
        hsiclearn.load(path)


def test_a_pickle_is_not_opened(tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "sprung"),)

    path = tmp_path / "model"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ModelFileError):
        hsiclearn.load(path)
    trap = np.empty(1, dtype=object)
    trap[0] = Trap()
    np.save(tmp_path / "trap.npy", trap, allow_pickle=True)
    arrays = Arrays()
    arrays.members["arrays/trap.npy"] = (tmp_path / "trap.npy").read_bytes()
    with open(path, "wb") as file:
        write_archive(file, {"model": {"array": "arrays/trap.npy"}, "notes": {}}, arrays, "foe")
    with pytest.raises(ModelFileError):
        hsiclearn.load(path)
    assert not (tmp_path / "sprung").exists()


def test_a_class_that_is_not_ours_is_not_built(path):
    for name in ("Popen", "os.system", "DecisionTreeClassifier", "Dense"):
        forged = {"class": name, "parameters": {}, "fitted": {}}
        with pytest.raises(ModelFileError, match="must hold an estimator of hsiclearn"):
            hsiclearn.load(rebuilt(path, model=forged))


def test_methods_are_not_replaced(path):
    with zipfile.ZipFile(path) as archive:
        model = json.loads(archive.read("model.json"))
    model["fitted"]["transform"] = "something else"
    with pytest.raises(ModelFileError, match="transform is no attribute of a fitted"):
        hsiclearn.load(rebuilt(path, model=model))


@pytest.mark.parametrize(
    ("name", "value"), [("components_", "abc"), ("n_features_in_", 5), ("n_components_", 1)]
)
def test_directions_must_be_some(path, name, value):
    with zipfile.ZipFile(path) as archive:
        model = json.loads(archive.read("model.json"))
    model["fitted"][name] = value
    with pytest.raises(ModelFileError, match=r"(components|mean)_ must be .* of shape"):
        hsiclearn.load(rebuilt(path, model=model))


def test_a_scaler_alone_is_no_model(path):
    mean = {"objects": {"shape": [1], "items": [0.0]}}
    scaler = {"class": "StandardScaler", "parameters": {}, "fitted": {"mean_": mean}}
    with pytest.raises(ModelFileError, match="must hold an estimator of hsiclearn"):
        hsiclearn.load(rebuilt(path, model=scaler))


def test_a_file_cannot_name_places_on_the_disk(path, tmp_path):
    with zipfile.ZipFile(path) as archive:
        model = json.loads(archive.read("model.json"))
    model["parameters"]["checkpoint"] = "somewhere/fit.npz"
    with pytest.raises(ModelFileError, match="may not be set by a file"):
        hsiclearn.load(rebuilt(path, model=model))
    resumed = SupervisedHSIC(1, bandwidth="median", checkpoint=tmp_path / "fit.npz").fit(X, Y)
    assert hsiclearn.load(hsiclearn.save(resumed, tmp_path / "other")).checkpoint is None


def test_notes_must_be_json(tmp_path):
    for notes in ({"share": float("nan")}, {"array": np.zeros(2)}):
        with pytest.raises(TypeError, match="`notes` must be of what JSON can hold"):
            hsiclearn.save(fitted(), tmp_path / "model", notes=notes)
    assert os.listdir(tmp_path) == []


def test_who_wrote_it_is_named_where_a_parameter_is_unknown(path):
    with zipfile.ZipFile(path) as archive:
        model = json.loads(archive.read("model.json"))
    model["parameters"]["of_a_later_version"] = 1
    with pytest.raises(ModelFileError, match=r"was written by another hand.*of_a_later_version"):
        hsiclearn.load(rebuilt(path, model=model))


def test_parameters_are_checked_as_ever(path):
    with zipfile.ZipFile(path) as archive:
        model = json.loads(archive.read("model.json"))
    model["fitted"]["kernel_"]["parameters"]["bandwidth"] = -1.0
    with pytest.raises(ModelFileError, match="InvalidKernelError"):
        hsiclearn.load(rebuilt(path, model=model))


def test_a_later_format_is_told_from_damage(path, monkeypatch):
    monkeypatch.setattr("hsiclearn._persistence.archive.VERSION", 2)
    rebuilt(path)
    monkeypatch.undo()
    with pytest.raises(ModelFileError, match=r"version 1 of.*is of version 2\. Upgrade"):
        hsiclearn.load(path)


def test_a_compressed_member_is_refused(path):
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(ModelFileError, match="is compressed"):
        hsiclearn.load(path)


def test_a_file_that_is_not_there_or_a_directory(tmp_path):
    with pytest.raises(FileNotFoundError):
        hsiclearn.load(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        hsiclearn.load(tmp_path)


def test_a_pipe_and_a_device_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    for name in ("pipe", "zeros"):
        with pytest.raises(ModelFileError, match="it is a device or a pipe"):
            hsiclearn.load(tmp_path / name)


def test_a_small_file_takes_little_memory(path):
    """2 MB that a thousand entries share would be 2 GB."""
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("arrays/0.npy", bytes(2**21))
        last = archive.filelist[-1]
        for k in range(1, 1000):
            twin = zipfile.ZipInfo(f"arrays/{k}.npy")
            twin.header_offset, twin.CRC = last.header_offset, last.CRC
            twin.file_size = twin.compress_size = last.file_size
            archive.filelist.append(twin)
    tracemalloc.start()
    with pytest.raises(ModelFileError, match=r"arrays/0\.npy overlaps what comes after it"):
        hsiclearn.load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**22
