"""Ordinary pipelines of scikit-learn go through a file unchanged, to the bit."""

import json
import sys
import warnings
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

import hsiclearn
from hsiclearn import SupervisedHSIC
from hsiclearn._persistence import load_with_notes

RNG = np.random.default_rng(0)
N = 80
TABLE = pd.DataFrame(
    {
        "age": RNG.integers(20, 70, N).astype(float),
        "income": np.exp(RNG.standard_normal(N)),
        "town": RNG.choice(["Ulm", "größe", "Köln"], N),
        "grade": RNG.choice([1, 2, 3], N),
        "flag": RNG.choice([True, False], N),
        "same": 1.0,
    }
)
TABLE.loc[[3, 17], "age"] = np.nan
TABLE.loc[[5, 6], "town"] = None
NUMBERS, TEXTS = ["age", "income"], ["town"]
CLASSES = np.where(TABLE["income"] > 1.0, "high", "low")
REAL = TABLE["income"].to_numpy() ** 2
FILLED = np.nan_to_num(TABLE[["age", "income", "grade"]].to_numpy(float))


def hsic():
    return SupervisedHSIC(1, bandwidth="median")


def columns(numeric, text, **options):
    parts = [("numbers", numeric, NUMBERS), ("texts", text, TEXTS)]
    return ColumnTransformer(parts, **options)


def filled(*steps, **options):
    return make_pipeline(SimpleImputer(**options), *steps)


def pipelines():
    """Name, steps, rows and target."""
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    usual = columns(filled(StandardScaler()), one_hot)
    yield "usual", make_pipeline(usual, hsic()), TABLE, CLASSES
    yield (
        "classifier",
        make_pipeline(usual, StandardScaler(), hsic(), KNeighborsClassifier(3)),
        TABLE,
        CLASSES,
    )
    yield (
        "selectors",
        make_pipeline(
            ColumnTransformer(
                [
                    ("n", filled(), make_column_selector(dtype_include=np.number)),
                    ("t", OneHotEncoder(), make_column_selector(dtype_exclude=[np.number, bool])),
                    ("gone", "drop", ["flag"]),
                    ("idle", StandardScaler(), []),
                ],
                sparse_threshold=0.0,
            ),
            VarianceThreshold(),
            hsic(),
        ),
        TABLE,
        CLASSES,
    )
    yield (
        "index of pandas, passthrough, infrequent",
        make_pipeline(
            ColumnTransformer(
                [
                    ("n", filled(strategy="median", add_indicator=True), TABLE.columns[:2]),
                    ("t", OneHotEncoder(min_frequency=20, drop="first"), ["town", "grade"]),
                    ("same", "passthrough", slice("flag", "same")),
                ],
                sparse_threshold=0.0,
                verbose_feature_names_out=False,
            ),
            MinMaxScaler(),
            hsic(),
        ),
        TABLE,
        CLASSES,
    )
    ordinal = OrdinalEncoder(dtype=np.float32, handle_unknown="use_encoded_value", unknown_value=-1)
    yield (
        "frames out, remainder",
        make_pipeline(
            columns(
                filled(RobustScaler(), strategy="constant", fill_value=30.0),
                make_pipeline(SimpleImputer(strategy="most_frequent"), ordinal),
                remainder="passthrough",
            ),
            hsic(),
        ).set_output(transform="pandas"),
        TABLE,
        CLASSES,
    )
    yield (
        "union",
        make_pipeline(
            FeatureUnion([("pca", PCA(2)), ("raw", "passthrough"), ("unit", Normalizer())]),
            hsic(),
            Ridge(),
        ),
        FILLED,
        REAL,
    )
    whitened = make_pipeline(PCA(2, whiten=True, random_state=3), hsic())
    for name, last, y in (
        ("logistic", LogisticRegression(), CLASSES),
        ("neighbours", KNeighborsRegressor(4, weights="distance", algorithm="ball_tree"), REAL),
        ("linear", LinearRegression(), np.column_stack([REAL, -REAL])),
        ("k-means", KMeans(3, n_init=1, random_state=0), CLASSES),
    ):
        yield name, make_pipeline(StandardScaler(), *whitened, last), FILLED, y
    by_place = ColumnTransformer([("a", StandardScaler(), [0, -1]), ("b", "passthrough", [1])])
    yield "columns by place", Pipeline([("c", by_place), ("h", hsic())]), FILLED, CLASSES


CASES = {name: case for name, *case in pipelines()}


@cache
def fitted(name):
    """A model and the rows it was fitted on."""
    model, X, y = CASES[name]
    return model.fit(X, y), X


def answers(model, X):
    """Everything a model can be asked."""
    for name in ("transform", "predict", "predict_proba"):
        if hasattr(model, name):
            answer = getattr(model, name)(X)
            yield np.asarray(answer)
            yield list(getattr(answer, "columns", []))
    before = model[:-1] if hasattr(model, "predict") else model
    yield np.asarray(before.transform(X))
    if not isinstance(model[0], FeatureUnion):  # "passthrough" of an array has no names
        yield before.get_feature_names_out().tolist()


@pytest.mark.parametrize("name", CASES)
def test_answers_are_the_same_to_the_bit(name, tmp_path):
    model, X = fitted(name)
    path = hsiclearn.save(model, tmp_path / "model")
    again = hsiclearn.load(path)
    for mine, theirs in zip(answers(model, X), answers(again, X), strict=True):
        np.testing.assert_array_equal(mine, theirs)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype
    assert hsiclearn.save(again, tmp_path / "twice").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", ["usual", "classifier", "columns by place"])
def test_it_can_be_fitted_again(name, tmp_path):
    model, X = fitted(name)
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model")).fit(X, CLASSES)
    for mine, theirs in zip(answers(model, X), answers(again, X), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_what_was_never_seen_is_treated_alike(tmp_path):
    model, X = fitted("usual")
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model"))
    new = X.head(4).assign(town=["Bonn", None, "Ulm", np.nan], age=np.nan)
    np.testing.assert_array_equal(again.transform(new), model.transform(new))
    with pytest.raises(ValueError, match="columns are missing"):
        again.transform(new.drop(columns="age"))


def as_written_by(path, version):
    """The file as another version of scikit-learn would have signed it."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members["manifest.json"])
    manifest["written_by"] = f"hsiclearn 0.1.0 with scikit-learn {version}"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (members | {"manifest.json": json.dumps(manifest)}).items():
            archive.writestr(name, content)
    return path


def test_another_version_of_scikit_learn_is_warned_of(tmp_path):
    path = as_written_by(hsiclearn.save(fitted("logistic")[0], tmp_path / "model"), "1.2.3")
    with pytest.warns(InconsistentVersionWarning) as caught:
        hsiclearn.load(path)
    (warning,) = caught
    assert "saved with scikit-learn 1.2.3 and is loaded with" in str(warning.message)
    assert "LogisticRegression, PCA, StandardScaler" in str(warning.message)
    assert warning.filename == __file__


def test_a_model_without_steps_of_scikit_learn_is_of_any_version(tmp_path):
    model = hsic().fit(FILLED, CLASSES)
    hsiclearn.load(as_written_by(hsiclearn.save(model, tmp_path / "model"), "1.2.3"))


def test_pandas_is_not_needed_to_load(tmp_path, monkeypatch):
    path = hsiclearn.save(fitted("usual")[0], tmp_path / "model")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert hsiclearn.load(path)[-1].n_components_ == 1


@pytest.mark.parametrize("name", ["supervised", "alternative"])
def test_files_of_the_first_version_are_read(name):
    """Written before there was more than scalers; the answers of then are in the notes."""
    path = Path(__file__).parent / "files" / f"{name}.hsic"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InconsistentVersionWarning)
        model, notes = load_with_notes(path)
    rows = np.array(notes["rows"])
    np.testing.assert_allclose(model.transform(rows), notes["transform"], rtol=1e-12)
    if "predict" in notes:
        assert model.predict(rows).tolist() == notes["predict"]


def test_the_version_is_written(tmp_path):
    path = hsiclearn.save(fitted("logistic")[0], tmp_path / "model")
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert manifest["written_by"].endswith(f"with scikit-learn {sklearn.__version__}")
