"""Fits of arrays of other libraries: those of numpy, and answers where the rows are."""

import pickle
import re
from functools import cache

import numpy as np
import pytest
import sklearn.utils._array_api
from sklearn.base import clone

from clusterings import ESTIMATORS, guide_of, two_gaps
from foreign_arrays import LIBRARIES, is_of, make
from hsiclearn import SupervisedHSIC, find_views, hsic_path, inspection, load, save
from hsiclearn._alternation import landmarks
from hsiclearn._devices import to_host
from hsiclearn._linalg import orthonormal_basis, sine_of_largest_angle

pytestmark = pytest.mark.usefixtures("tensors_stay")

N = 200
_rng = np.random.default_rng(0)
X = _rng.standard_normal((N, 5))
_sine = np.sin(2.0 * X[:, 0]) + X[:, 1]
_noise = 0.3 * _rng.standard_normal((N, 2))
TARGETS = {
    "classes": np.digitize(_sine + _noise[:, 0], [-1.0, 0.5]),
    "text": np.array(["low", "middle", "high"])[np.digitize(_sine, [-1.0, 0.5])],
    "booleans": _sine > 0.0,
    "real": _sine + _noise[:, 0],
    "several": np.column_stack([_sine, X[:, 0]]) + _noise,
    "multilabel": np.column_stack([X[:, 0] > 0.0, X[:, 1] ** 2 > 1.0]).astype(int),
}
WAYS = {
    "dependence": {"bandwidth": 1.0, "engine": "nystrom", "tol": 1e-12},
    "in single precision": {"bandwidth": 1.0, "engine": "nystrom"},
    "prediction": {"objective": "prediction"},
}
GAPS = two_gaps(300)

both_libraries = pytest.mark.parametrize("library", LIBRARIES)


@cache
def of_numpy(way, kind, dtype="float64"):
    return SupervisedHSIC(2, **WAYS[way]).fit(X.astype(dtype), TARGETS[kind])


@cache
def of_library(library, way, kind, dtype="float64"):
    y = make(library, TARGETS[kind])
    return SupervisedHSIC(2, **WAYS[way]).fit(make(library, X, dtype), y)


def angle_between(ours, theirs):
    """The sine of the largest angle between two subspaces."""
    spans = (orthonormal_basis(to_host(model.components_).T) for model in (ours, theirs))
    return sine_of_largest_angle(*spans)


def assert_arrays_are_where_the_rows_are(library, ours, theirs, atol, but=()):
    """All arrays of numbers that a fit of numpy has, of the library, with the same values."""
    for name, value in vars(theirs).items():
        if isinstance(value, np.ndarray) and value.dtype.kind in "fiub" and name not in but:
            found = getattr(ours, name)
            assert is_of(library, found), name
            assert to_host(found).dtype == value.dtype
            np.testing.assert_allclose(to_host(found), value, atol=atol, err_msg=name)


@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize("way", ["dependence", "prediction"])
@both_libraries
def test_the_fit_is_that_of_numpy(library, way, kind):
    ours, theirs = of_library(library, way, kind), of_numpy(way, kind)
    assert angle_between(ours, theirs) <= 1e-9
    assert_arrays_are_where_the_rows_are(library, ours, theirs, 1e-7)
    assert ours.target_ == theirs.target_
    assert isinstance(ours.result_.W, np.ndarray)  # records are of numpy
    assert isinstance(ours.known_rows_.y, np.ndarray)
    if ours.target_ == "classes":
        assert to_host(ours.classes_).tolist() == theirs.classes_.tolist()


@pytest.mark.parametrize("kind", ["classes", "several"])
@both_libraries
def test_single_precision(library, kind):
    ours = of_library(library, "in single precision", kind, "float32")
    assert angle_between(ours, of_numpy("in single precision", kind, "float32")) <= 1e-5
    assert to_host(ours.transform(make(library, X, "float32"))).dtype == np.float32


@both_libraries
def test_whole_numbers_are_taken_as_numbers_in_double_precision(library):
    whole = np.round(3.0 * X).astype(np.int32)
    y = TARGETS["real"]
    theirs = SupervisedHSIC(2, objective="prediction").fit(whole, y)
    ours = SupervisedHSIC(2, objective="prediction").fit(make(library, whole), make(library, y))
    assert angle_between(ours, theirs) <= 1e-9
    Z = ours.transform(make(library, whole))
    assert is_of(library, Z)
    np.testing.assert_allclose(to_host(Z), theirs.transform(whole), atol=1e-9)


@both_libraries
def test_rows_are_projected_where_they_are_and_back(library):
    ours, theirs = of_library(library, "prediction", "real"), of_numpy("prediction", "real")
    Z = ours.transform(make(library, X))
    again = ours.inverse_transform(Z)
    assert is_of(library, Z)
    assert is_of(library, again)
    np.testing.assert_allclose(to_host(Z), theirs.transform(X), atol=1e-9)
    expected = theirs.inverse_transform(theirs.transform(X))
    np.testing.assert_allclose(to_host(again), expected, atol=1e-8)


@pytest.mark.parametrize("kind", ["classes", "text", "several"])
@both_libraries
def test_score(library, kind):
    y = TARGETS[kind]
    ours = of_library(library, "prediction", kind).score(make(library, X), make(library, y))
    theirs = of_numpy("prediction", kind).score(X, y)
    assert ours == pytest.approx(theirs, abs=1e-9)


@both_libraries
def test_what_is_known_of_the_rows_may_be_on_the_host(library):
    y = TARGETS["classes"].tolist()
    ours = SupervisedHSIC(2, objective="prediction").fit(make(library, X), y)
    assert isinstance(ours.classes_, np.ndarray)
    assert angle_between(ours, of_numpy("prediction", "classes")) <= 1e-9


@both_libraries
def test_groups_are_held_out_together(library):
    settings = {"objective": "prediction"}
    groups = np.arange(N) // 3
    theirs = SupervisedHSIC(2, **settings).fit(X, TARGETS["real"], groups=groups)
    known = {"y": make(library, TARGETS["real"]), "groups": make(library, groups)}
    ours = SupervisedHSIC(2, **settings).fit(make(library, X), **known)
    assert angle_between(ours, theirs) <= 1e-9
    np.testing.assert_array_equal(ours.known_rows_.groups, theirs.known_rows_.groups)


@both_libraries
def test_columns_that_are_selected(library):
    y = TARGETS["real"]
    settings = {"objective": "prediction", "n_features_to_select": 2}
    model = SupervisedHSIC(2, **settings).fit(make(library, X), make(library, y))
    assert is_of(library, model.get_support())
    assert to_host(model.get_support()).tolist() == [True, True, False, False, False]
    assert to_host(model.get_support(indices=True)).tolist() == [0, 1]


def clustered(name, library=None, n_known=12, dtype="float64", **settings):
    rows, given, _, _ = GAPS
    y = guide_of(name, given, n_known)
    model = ESTIMATORS[name](init="identity", **settings)
    if library is None:
        return model.fit(rows.astype(dtype), y)
    return model.fit(make(library, rows, dtype), None if y is None else make(library, y))


@pytest.mark.parametrize("name", ESTIMATORS)
@both_libraries
def test_clusters_are_those_of_numpy(library, name, without_refits):
    ours, theirs = clustered(name, library), clustered(name)
    assert_arrays_are_where_the_rows_are(library, ours, theirs, 1e-9)
    assert "to the host" in ours.result_.engine_reason
    rows = make(library, GAPS[0])
    labels = ours.predict(rows)
    assert is_of(library, labels)
    np.testing.assert_array_equal(to_host(labels), theirs.predict(GAPS[0]))
    assert is_of(library, ours.transform(rows))


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@both_libraries
def test_many_rows_are_labelled_from_landmarks(library, dtype, name, without_refits, monkeypatch):
    monkeypatch.setattr(landmarks, "_LANDMARKS", 100)
    settings = {"engine": "landmarks", "dtype": dtype}
    ours, theirs = clustered(name, library, **settings), clustered(name, **settings)
    atol = 1e-9 if dtype == "float64" else 1e-5
    assert_arrays_are_where_the_rows_are(library, ours, theirs, atol)
    assert "the landmarks came to the host" in ours.result_.engine_reason


def test_of_many_rows_to_be_clustered_landmarks_are_on_the_host(
    crossed, without_refits, monkeypatch
):
    monkeypatch.setattr(landmarks, "_LANDMARKS", 20)
    rows = np.tile(GAPS[0], (1, 3)) + 0.1 * np.random.default_rng(0).standard_normal((300, 12))
    model = ESTIMATORS["unsupervised"](engine="landmarks", init="identity")
    model.fit(make("strict", rows)).predict(make("strict", rows))
    assert max(crossed) == 300 * 2  # projected


@pytest.mark.parametrize("bandwidth", [1.0, "auto"])
def test_of_many_rows_samples_are_on_the_host(crossed, bandwidth):
    rows = np.random.default_rng(0).standard_normal((6000, 5))
    y = (rows[:, 0] + rows[:, 1] > 0.0).astype(int)
    model = SupervisedHSIC(1, engine="nystrom", bandwidth=bandwidth)
    model.fit(make("strict", rows), make("strict", y))
    assert 6000 in crossed  # the codes
    assert max(crossed) <= 2000 * 5  # those that fits are compared on


@both_libraries
def test_one_cluster(library, without_refits):
    rows = make(library, GAPS[0])
    model = ESTIMATORS["unsupervised"](1, init="identity").fit(rows)
    assert to_host(model.predict(rows)).tolist() == [0] * 300


@both_libraries
def test_clusters_named_by_text_are_of_numpy(library, without_refits):
    rows, given, _, _ = GAPS
    y = np.where(np.arange(300) < 12, np.array(["a", "b"])[given], "-1")
    model = ESTIMATORS["semi-supervised"](init="identity").fit(make(library, rows), y)
    assert set(model.labels_) == set(model.predict(make(library, rows))) == {"a", "b"}
    assert is_of(library, model.embedding_)


@both_libraries
def test_views(library, without_refits):
    rows, given, _, _ = GAPS
    _, second = find_views(make(library, rows), init="identity")
    assert is_of(library, second.labels_)
    theirs = find_views(rows, init="identity")[1]
    np.testing.assert_array_equal(to_host(second.labels_), theirs.labels_)
    ours = find_views(make(library, rows), 1, given=make(library, given), init="identity")[0]
    alone = find_views(rows, 1, given=given, init="identity")[0]
    np.testing.assert_array_equal(to_host(ours.labels_), alone.labels_)


# Models, and what works in numpy.


@both_libraries
def test_saved_models_are_of_numpy(library, tmp_path, without_refits):
    models = [of_library(library, "prediction", "classes"), clustered("semi-supervised", library)]
    for k, (model, rows) in enumerate(zip(models, (X, GAPS[0]), strict=True)):
        again = load(save(model, tmp_path / f"{k}.hsic"))
        np.testing.assert_array_equal(again.components_, to_host(model.components_))
        Z = to_host(model.transform(make(library, rows)))
        np.testing.assert_allclose(again.transform(rows), Z, atol=1e-12)


@both_libraries
def test_pickled_models_stay_where_they_are(library):
    model = of_library(library, "prediction", "classes")
    again = pickle.loads(pickle.dumps(model))
    assert is_of(library, again.components_)
    assert is_of(library, again.transform(make(library, X)))


@pytest.mark.skipif(
    not hasattr(sklearn.utils._array_api, "move_estimator_to"),
    reason="this scikit-learn moves no estimators",
)
@both_libraries
def test_models_move_as_scikit_learn_moves_them(library):
    model = of_library(library, "prediction", "classes")
    moved = sklearn.utils._array_api.move_estimator_to(model, np, "cpu")
    assert isinstance(moved.transform(X), np.ndarray)
    assert moved.score(X, TARGETS["classes"]) == pytest.approx(
        model.score(make(library, X), TARGETS["classes"]), abs=1e-9
    )
    assert is_of(library, model.components_)


@both_libraries
def test_inspection(library):
    ours, theirs = of_library(library, "prediction", "real"), of_numpy("prediction", "real")
    rows, y = make(library, X), make(library, TARGETS["real"])
    np.testing.assert_allclose(
        inspection.feature_importances(ours, rows),
        inspection.feature_importances(theirs, X),
        atol=1e-9,
    )
    described = inspection.describe_components(ours, rows, y)
    expected = inspection.describe_components(theirs, X, TARGETS["real"])
    np.testing.assert_allclose(described.cka, expected.cka, atol=1e-9)
    assert inspection.badge(ours) == inspection.badge(theirs)


def test_parameters_survive():
    start = make("strict", np.eye(2, 5))
    model = SupervisedHSIC(2, init=start)
    assert is_of("strict", clone(model).init)
    assert clone(model).set_params(init="auto").init == "auto"


# Errors.


def strict(values, dtype=None):
    return make("strict", values, dtype)


def elsewhere(values):
    """An array on another device than the others are on."""
    import array_api_strict

    return array_api_strict.asarray(values, device=array_api_strict.Device("device2"))


def with_entry(value):
    bad = X.copy()
    bad[3, 1] = value
    return bad


y = TARGETS["classes"]
CASES = {
    "one dimension": (strict(X[:, 0]), y, "Expected 2D array, got 1D array instead"),
    "one row": (strict(X[:1]), y[:1], "1 sample(s) (shape=(1, 5)) while a minimum of 2"),
    "no columns": (strict(X[:, :0]), y, "0 feature(s) (shape=(200, 0)) while a minimum of 1"),
    "complex": (strict(X + 1j), y, "Got complex128: pass its real and imaginary parts"),
    "NaN": (strict(with_entry(np.nan)), y, "X must be finite. 1 columns hold NaN"),
    "infinity": (strict(with_entry(-np.inf)), y, "X must be finite. 1 columns hold NaN"),
    "short y": (strict(X), y[:-1], "inconsistent numbers of samples: [200, 199]"),
    "y elsewhere": (
        strict(X),
        elsewhere(y),
        "X and `y` are on different devices: X is of array_api_strict on "
        "array_api_strict.Device('device1'), y of array_api_strict on "
        "array_api_strict.Device('device2'). Pass y where X is, or on the host.",
    ),
    "y on a device, X of numpy": (X, strict(y), "X is of numpy, y of array_api_strict on"),
}


@pytest.mark.parametrize("name", ["supervised", "semi-supervised"])
@pytest.mark.parametrize("case", CASES)
def test_errors_and_untouched_estimators(case, name):
    rows, known, message = CASES[case]
    if case == "short y" and name != "supervised":
        message = "Partial labels must have one entry per row of X"
    estimator = {"supervised": SupervisedHSIC, **ESTIMATORS}[name]()
    before = dict(vars(estimator))
    with pytest.raises(ValueError, match=re.escape(message)):
        estimator.fit(rows, known)
    assert vars(estimator) == before


def test_groups_and_a_start_elsewhere():
    with pytest.raises(ValueError, match="X and `groups` are on different devices"):
        SupervisedHSIC().fit(strict(X), y, groups=elsewhere(y))
    with pytest.raises(ValueError, match="X and `init` are on different devices"):
        SupervisedHSIC(init=elsewhere(np.eye(2, 5))).fit(strict(X), y)


def test_tensors_that_are_refused():
    torch = pytest.importorskip("torch", reason="torch is an optional extra")
    tensor = make("torch", X)
    for dtype in (torch.float16, torch.bfloat16):
        with pytest.raises(ValueError, match=f"Got {str(dtype)[6:]}: pass X in float32"):
            SupervisedHSIC().fit(tensor.to(dtype), y)
    with pytest.raises(ValueError, match=r"Pass X\.detach\(\)"):
        SupervisedHSIC().fit(tensor.clone().requires_grad_(), y)
    with pytest.raises(ValueError, match=r"Pass y\.detach\(\)"):
        SupervisedHSIC().fit(tensor, tensor[:, 0].clone().requires_grad_())
    with pytest.raises(ValueError, match=r"layout torch\.sparse_coo: pass X\.to_dense"):
        SupervisedHSIC().fit(tensor.to_sparse(), y)
    with pytest.raises(ValueError, match="Got bfloat16: pass float32"):
        SupervisedHSIC().fit(tensor, tensor[:, 0].to(torch.bfloat16))


def test_tensors_of_the_host_go_with_numpy():
    targets = make("torch", y)
    model = SupervisedHSIC(2, objective="prediction").fit(X, targets)
    assert isinstance(model.components_, np.ndarray)
    assert angle_between(model, of_numpy("prediction", "classes")) <= 1e-12


@pytest.mark.parametrize("method", ["transform", "inverse_transform", "predict"])
def test_other_libraries_than_that_of_the_fit(method, without_refits):
    ours, theirs = clustered("unsupervised", "strict"), clustered("unsupervised")
    rows = GAPS[0][:, :2] if method == "inverse_transform" else GAPS[0]
    name = re.escape(f"UnsupervisedHSIC.{method}() must use the same namespace")
    with pytest.raises(ValueError, match=f"{name}.*fitted on array_api_strict .* X is of numpy"):
        getattr(ours, method)(rows)
    with pytest.raises(ValueError, match=f"{name}.*fitted on numpy, X is of array_api_strict"):
        getattr(theirs, method)(strict(rows))
    with pytest.raises(ValueError, match="a list, which goes with numpy"):
        getattr(ours, method)(rows.tolist())
    with pytest.raises(ValueError, match="device2"):
        getattr(ours, method)(elsewhere(rows))


def test_rows_that_cannot_be_projected():
    model = of_library("strict", "prediction", "real")
    with pytest.raises(ValueError, match="X has 3 features, but SupervisedHSIC is expecting 5"):
        model.transform(strict(X[:, :3]))
    with pytest.raises(ValueError, match="X must be finite"):
        model.transform(strict(with_entry(np.nan)))
    with pytest.raises(ValueError, match="Expected 2D array"):
        model.transform(strict(X[0]))
    with pytest.raises(ValueError, match="n_components=2 columns"):
        model.inverse_transform(strict(X))


@both_libraries
def test_a_path_of_bandwidths(library):
    """It looks at samples, which are the same rows by number."""
    settings = {"n_components": (1,), "scales": (1.0,), "cv": 2}
    ours = hsic_path(make(library, X), make(library, TARGETS["real"]), **settings)
    theirs = hsic_path(X, TARGETS["real"], **settings)
    np.testing.assert_allclose(ours.held_out, theirs.held_out, atol=1e-9)
    with pytest.raises(ValueError, match="minimum of 10 is required"):
        hsic_path(make(library, X[:5]), TARGETS["real"][:5])
