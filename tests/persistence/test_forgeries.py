"""Right checksums, wrong contents: refused with the one documented error, or of no consequence."""

import io
import json
import os
import warnings
import zipfile

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import hsiclearn
from hsiclearn import AlternativeHSIC, SupervisedHSIC
from hsiclearn._cli.tables import TableEncoder
from hsiclearn._persistence.archive import Arrays, write_archive
from hsiclearn.datasets import make_planted, make_two_views
from hsiclearn.exceptions import ModelFileError

X, Y, _ = make_planted("ring", 60, 3)
VIEWS, GIVEN, _ = make_two_views("blobs", 60)
TABLE = pd.DataFrame(X, columns=["a", "b", "c"]).assign(
    town=np.where(X[:, 0] > 0, "Ulm", "Köln"), age=np.where(X[:, 1] > 1, np.nan, X[:, 2])
)


def pipeline():
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    columns = make_column_transformer(
        (numbers, ["a", "b", "age"]),
        (OneHotEncoder(sparse_output=False), ["town"]),
        remainder="passthrough",
    )
    return make_pipeline(columns, SupervisedHSIC(2, bandwidth="median"), KNeighborsClassifier(3))


MODELS = {
    "supervised": (SupervisedHSIC(2).fit(X, Y), X),
    "clusters": (AlternativeHSIC(2, init="identity").fit(VIEWS, GIVEN), VIEWS),
    "pipeline": (pipeline().fit(TABLE, Y), TABLE),
    "table": (
        make_pipeline(TableEncoder(impute=True), SupervisedHSIC(1, bandwidth="median")).fit(
            TABLE, Y
        ),
        TABLE,
    ),
}


@pytest.fixture(scope="module", params=MODELS)
def case(request, tmp_path_factory):
    """A path, the documents and arrays of a model, and rows that it takes."""
    model, rows = MODELS[request.param]
    path = hsiclearn.save(model, tmp_path_factory.mktemp("forged") / "model.hsic")
    return (path, *unpacked(path), rows)


def unpacked(path):
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(members["model.json"]), {n: m for n, m in members.items() if ".npy" in n}


def forged(path, document, members):
    arrays = Arrays()
    arrays.members = dict(members)
    with open(path, "wb") as file:
        write_archive(file, {"model": document, "notes": {}}, arrays, "another hand")
    return path


def places(document):
    """Every key of every object and list, all the way down."""
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in items:
        yield document, key
        if isinstance(value, dict | list):
            yield from places(value)


def used_as_ever(model, rows):
    """Everything a user does with a model, in which a ValueError is the worst that may come."""
    step = model.steps[1][1] if hasattr(model, "steps") else model
    repr(model), step.result_._repr_html_(), step.certificate_._repr_html_()
    for name in ("transform", "predict"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                if hasattr(model, name):
                    getattr(model, name)(rows)
            except ValueError:
                pass


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


FORGERIES = int(os.environ.get("FORGERIES", "25"))
VALUES = ["", "CONVERGED", None, -1, 0, 3, 1e300, True, [], {}, [[]], {"float": "nan"}]
VALUES += [{"tuple": []}, {"slice": [0, 1, None]}, {"type": "builtins.int"}, {"dtype": "|O"}]


@pytest.mark.parametrize("seed", [0])
def test_any_value_replaced_by_any_other(case, seed):
    path, document, members, rows = case
    rng, refused = np.random.default_rng(seed), 0
    for _ in range(FORGERIES):
        copy = json.loads(json.dumps(document))
        all_places = list(places(copy))
        holder, key = all_places[rng.integers(len(all_places))]
        if rng.random() < 0.1 and isinstance(holder, dict):
            del holder[key]
        else:
            holder[key] = VALUES[rng.integers(len(VALUES))]
        try:
            model = hsiclearn.load(forged(path, copy, members))
        except ModelFileError:
            refused += 1
        else:
            used_as_ever(model, rows)
    assert refused >= 0.6 * FORGERIES


CHANGES = {
    "shorter": lambda a, rng: a[: len(a) // 2] if a.ndim else a,
    "flat": lambda a, rng: a.ravel(),
    "turned": lambda a, rng: a.T,
    "wrapped": lambda a, rng: a[None],
    "float32": lambda a, rng: a.astype(np.float32) if a.dtype.kind == "f" else a,
    "text": lambda a, rng: a.astype("U8"),
    "empty": lambda a, rng: a[:0] if a.ndim else a,
    "large": lambda a, rng: a + 10**6 if a.dtype.kind in "if" else a,
    "nan": lambda a, rng: np.full(a.shape, np.nan),
    "negative": lambda a, rng: -a - 7 if a.dtype.kind in "if" else a,
}


def test_any_array_replaced_by_any_other(case):
    path, document, members, rows = case
    rng = np.random.default_rng(0)
    names = sorted(members)
    for _ in range(FORGERIES):
        name = names[rng.integers(len(names))]
        change = CHANGES[sorted(CHANGES)[rng.integers(len(CHANGES))]]
        content = npy(change(np.load(io.BytesIO(members[name])), rng))
        try:
            model = hsiclearn.load(forged(path, document, members | {name: content}))
        except ModelFileError:
            continue
        used_as_ever(model, rows)


def changed(document, changes):
    """The document of an estimator with some attributes, under ``a/b``, set anew."""
    copy = json.loads(json.dumps(document))
    for path, value in changes.items():
        *holders, name = path.split("/")
        holder = copy
        for part in holders:
            holder = holder[part]
        holder[name] = value
    return copy


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fitted/converged_": False}, "converged_ must be True, as result_ says"),
        ({"fitted/cost_": -1e9}, "cost_ must be .* as result_ says"),
        ({"fitted/n_iter_": 1000}, "n_iter_ must be"),
        ({"fitted/bandwidth_": 3.0}, "bandwidth_ must be"),
        ({"fitted/certificate_/parameters/stationarity": 0.0}, "certificate_ must be"),
        ({"parameters/tol": -1.0}, "InvalidParameterError.*'tol'"),
        ({"parameters/engine": {"type": "builtins.int"}}, "engine may not be <class 'int'>"),
        ({"fitted/mean_": [0.0, 0.0, 0.0]}, r"mean_ must be finite floats of shape \(d\) \(d = 3"),
        ({"fitted/kernel_": "gaussian"}, "kernel_ must be of class AbstractKernel"),
    ],
)
def test_contradictions_are_named(changes, message, tmp_path):
    path = hsiclearn.save(MODELS["supervised"][0], tmp_path / "model")
    document, members = unpacked(path)
    with pytest.raises(ModelFileError, match=message):
        hsiclearn.load(forged(path, changed(document, changes), members))


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ({"stationarity": 1e-3}, "status CONVERGED contradicts stationarity 1.0e-03 > 1e-06"),
        ({"stationarity": {"float": "nan"}}, "status CONVERGED contradicts"),
        ({"curvature": -0.5}, "second_order=True contradicts the curvature"),
        ({"second_order": False}, "second_order=False contradicts the curvature"),
        ({"tol": "1"}, r"Certificate\.tol must be of type <class 'float'>"),
        ({"is_lowest": 1}, r"Certificate\.is_lowest must be of type <class 'bool'>"),
    ],
    ids=str,
)
def test_a_certificate_and_a_status_that_disagree_are_refused(claims, message, tmp_path):
    """Forged in both places, the estimator and its result, so that nothing but sense is hurt."""
    path = hsiclearn.save(MODELS["supervised"][0], tmp_path / "model")
    document, members = unpacked(path)
    assert document["fitted"]["result_"]["parameters"]["status"] == {"status": "CONVERGED"}
    for proof in (
        document["fitted"]["certificate_"]["parameters"],
        document["fitted"]["result_"]["parameters"]["certificate"]["parameters"],
    ):
        proof.update(claims)
    with pytest.raises(ModelFileError, match=message):
        hsiclearn.load(forged(path, document, members))


@pytest.mark.parametrize("factor", [1.0 + 1e-7, 0.0, np.nan, np.inf])
def test_directions_must_be_orthonormal(factor, tmp_path):
    path = hsiclearn.save(MODELS["supervised"][0], tmp_path / "model")
    document, members = unpacked(path)
    for name in (
        document["fitted"]["components_"]["array"],
        document["fitted"]["result_"]["parameters"]["W"]["array"],
    ):
        with np.errstate(invalid="ignore"):
            members[name] = npy(factor * np.load(io.BytesIO(members[name])))
    with pytest.raises(ModelFileError, match="components_ must be"):
        hsiclearn.load(forged(path, document, members))


def test_a_step_that_was_never_fitted_is_refused(tmp_path):
    path = hsiclearn.save(MODELS["pipeline"][0], tmp_path / "model")
    document, members = unpacked(path)
    document["parameters"]["steps"][0]["tuple"][1]["fitted"] = {}
    with pytest.raises(ModelFileError, match="not fitted yet"):
        hsiclearn.load(forged(path, document, members))


def test_a_function_cannot_be_smuggled_in(tmp_path):
    """Of types there are some in a file, and types can be called."""
    path = hsiclearn.save(MODELS["pipeline"][0], tmp_path / "model")
    document, members = unpacked(path)
    last = document["parameters"]["steps"][2]["tuple"][1]
    last["parameters"]["metric"] = {"type": "builtins.object"}
    with pytest.raises(ModelFileError, match="metric may not be <class 'object'>"):
        hsiclearn.load(forged(path, document, members))
