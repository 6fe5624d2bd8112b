"""A model that went through a file is the model that went in."""

import zipfile
from copy import copy
from dataclasses import fields, is_dataclass
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

import hsiclearn
from hsiclearn import AlternativeHSIC, Levels, SemiSupervisedHSIC, SupervisedHSIC, UnsupervisedHSIC
from hsiclearn._cli.tables import TableEncoder
from hsiclearn._persistence import load_with_notes
from hsiclearn.datasets import make_planted, make_two_views
from hsiclearn.kernels import Gaussian, Linear, RelativeGaussian

X, GIVEN, _ = make_two_views("blobs", 120)
PLANTED, TARGET, _ = make_planted("ring", 120, 4)
KNOWN = np.where(np.arange(120) < 20, np.array(["left", "right"])[GIVEN], "-1")


def same(a, b):
    """Whether two objects agree to the bit, all the way down."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return (a.dtype, a.shape) == (b.dtype, b.shape) and (
            a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes()
        )
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    if isinstance(a, BaseEstimator):  # ours are dataclasses, too, with more than their fields
        return same(dict(sorted(vars(a).items())), dict(sorted(vars(b).items())))
    if is_dataclass(a):  # how long steps took is not saved
        names = [item.name for item in fields(a) if item.name != "seconds"]
        return all(same(getattr(a, name), getattr(b, name)) for name in names)
    return a == b or (a != a and b != b)


WINE = load_wine(as_frame=True)
MODELS = {  # of every class and form, with what it is fitted to
    "classes": (SupervisedHSIC(2), PLANTED, TARGET),
    "strings": (SupervisedHSIC(1), PLANTED, np.array(["in", "out"])[TARGET]),
    "real": (SupervisedHSIC(1), PLANTED, PLANTED[:, 0] ** 2),
    "sum": (SupervisedHSIC(1, kernel=Gaussian(1.0) + 2 * Linear()), PLANTED, TARGET),
    "array-start": (SupervisedHSIC(2, init=np.eye(2, 4), bandwidth=1.0), PLANTED, TARGET),
    "weights": (SupervisedHSIC(1, class_weight={0: 1.0, 1: 2.0}), PLANTED, TARGET),
    "unsupervised": (UnsupervisedHSIC(2, init="identity"), X, None),
    "sum-clusters": (
        UnsupervisedHSIC(2, kernel=RelativeGaussian(7) + Gaussian(2.0), init="identity"),
        X,
        None,
    ),
    "one-cluster": (UnsupervisedHSIC(1, init="identity"), X, None),
    "semi": (SemiSupervisedHSIC(2, 2, init="identity"), X, KNOWN),
    "semi-unguided": (SemiSupervisedHSIC(2, 2, init="identity"), X, None),
    "alternative": (AlternativeHSIC(2, init="identity"), X, GIVEN),
} | {
    type(scaler).__name__: (
        make_pipeline(scaler, SupervisedHSIC(2, bandwidth="median")),
        WINE.data,
        WINE.target,
    )
    for scaler in (StandardScaler(), MinMaxScaler(), MaxAbsScaler(), RobustScaler())
}


@cache
def fitted(name):
    model, rows, y = MODELS[name]
    return clone(model).fit(rows, y)


def rows_of(model):
    """Rows that it takes."""
    if model.n_features_in_ == 13:
        return WINE.data
    return PLANTED if isinstance(model, SupervisedHSIC) else X


@pytest.fixture(params=MODELS)
def model(request):
    return fitted(request.param)


def test_every_attribute_comes_back(model, tmp_path):
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model"))
    steps, steps_again = (getattr(m, "steps", [("", m)]) for m in (model, again))
    for (name, step), (name_again, step_again) in zip(steps, steps_again, strict=True):
        assert name == name_again
        assert same(step, step_again)


def test_it_transforms_and_predicts_alike(model, tmp_path):
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model"))
    rows = rows_of(model)
    np.testing.assert_array_equal(again.transform(rows), model.transform(rows))
    assert again.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()
    if hasattr(model, "predict"):
        np.testing.assert_array_equal(again.predict(rows), model.predict(rows))


def test_the_same_model_makes_the_same_bytes(model, tmp_path):
    first = hsiclearn.save(model, tmp_path / "first").read_bytes()
    assert hsiclearn.save(model, tmp_path / "second").read_bytes() == first
    again = hsiclearn.load(tmp_path / "first")
    assert hsiclearn.save(again, tmp_path / "third").read_bytes() == first


def test_the_same_fit_makes_the_same_bytes(tmp_path):
    first = hsiclearn.save(fitted("classes"), tmp_path / "first")
    second = hsiclearn.save(SupervisedHSIC(2).fit(PLANTED, TARGET), tmp_path / "second")
    assert first.read_bytes() == second.read_bytes()


def test_what_was_said_of_a_clustering_comes_back(tmp_path):
    model = copy(fitted("unsupervised"))
    model.levels_ = Levels((3, 1), ("year", "größe"), 5, 0.97)
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model"))
    assert again.levels_ == model.levels_
    assert again.agreement_ == model.agreement_
    assert again.agreement_.n_resamples == 4
    assert again.certificate_.verdict == model.certificate_.verdict


def test_it_can_be_fitted_again(model, tmp_path, request):
    request.getfixturevalue("without_refits")  # now that the model others share is fitted
    if hasattr(model, "steps") or not isinstance(model, SupervisedHSIC):
        rows, y = rows_of(model), load_wine().target if hasattr(model, "steps") else GIVEN
    else:
        rows, y = PLANTED, TARGET
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model"))
    first = clone(model).fit(rows, y).transform(rows)
    np.testing.assert_array_equal(again.fit(rows, y).transform(rows), first)


def test_names_of_columns_are_checked_as_before(tmp_path):
    frame = pd.DataFrame(PLANTED, columns=list("abcd"))
    model = SupervisedHSIC(1, bandwidth="median").fit(frame, TARGET)
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model"))
    with pytest.raises(ValueError, match="feature names should match"):
        again.transform(frame[list("dcba")])


@pytest.mark.parametrize("categories", ["one-hot", "ordinal"])
def test_a_table_with_text_and_gaps_is_encoded_as_before(categories, tmp_path):
    frame = pd.DataFrame(PLANTED.copy(), columns=list("abcd"))
    frame.loc[3, "a"] = np.nan
    frame["colour"] = np.where(TARGET == 1, "red", "größe <1>")
    frame.loc[5, "colour"] = None
    frame["sold"] = pd.date_range("2020-01-01", periods=len(frame)).strftime("%d.%m.%Y")
    encoder = TableEncoder(categories=categories, impute=True)
    model = make_pipeline(encoder, StandardScaler(), SupervisedHSIC(1, bandwidth="median"))
    model.fit(frame, TARGET)
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model"))
    assert same(again[0], encoder)
    np.testing.assert_array_equal(again.transform(frame), model.transform(frame))


def test_frames_come_out_where_they_did(tmp_path):
    frame = pd.DataFrame(PLANTED, columns=list("abcd"))
    model = make_pipeline(StandardScaler(), SupervisedHSIC(1, bandwidth="median"))
    model.set_output(transform="pandas").fit(frame, TARGET)
    again = hsiclearn.load(hsiclearn.save(model, tmp_path / "model"))
    pd.testing.assert_frame_equal(again.transform(frame), model.transform(frame))


def test_notes_travel_with_the_model(tmp_path):
    notes = {"target": "größe", "classes": ["a", "b"], "share": 0.5}
    path = hsiclearn.save(fitted("classes"), tmp_path / "model", notes=notes)
    assert load_with_notes(path)[1] == notes


def test_a_supervised_model_can_be_saved_without_rows(tmp_path):
    model = make_pipeline(StandardScaler(), SupervisedHSIC(4))
    model.fit(PLANTED, TARGET)
    path = hsiclearn.save(model, tmp_path / "model", rows=False)
    again = hsiclearn.load(path)
    assert same(again.transform(PLANTED), model.transform(PLANTED))
    assert again[-1].selection_ == model[-1].selection_
    assert sum(one == again[-1].selection_.chosen for one in again[-1].selection_.candidates) == 1
    for mine, theirs in zip(
        again[-1].selection_.candidates, model[-1].selection_.candidates, strict=True
    ):
        assert repr(mine) == repr(theirs)
    assert again[-1].selection_.out_of_fold is None
    with pytest.raises(ValueError, match="saved with rows=False"):
        again.score(PLANTED, TARGET)
    assert model[-1].selection_.out_of_fold.Z.shape == (120, 4)
    assert model.score(PLANTED, TARGET) > 0.5
    with zipfile.ZipFile(path) as archive:  # nothing in it has an entry for each row
        arrays = [np.load(archive.open(n)) for n in archive.namelist() if n.endswith(".npy")]
    assert max(max(array.shape, default=0) for array in arrays) < 60


def test_models_that_predict_from_rows_keep_them(tmp_path):
    neighbours = make_pipeline(SupervisedHSIC(1, bandwidth=1.0), KNeighborsClassifier())
    for model in (neighbours.fit(PLANTED, TARGET), UnsupervisedHSIC(2, init="identity").fit(X)):
        with pytest.raises(ValueError, match="predicts from them"):
            hsiclearn.save(model, tmp_path / "model", rows=False)
    assert not list(tmp_path.iterdir())
