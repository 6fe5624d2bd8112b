"""Arrays of other libraries in scikit-learn's tools, and its own checks of them."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from clusterings import ESTIMATORS
from foreign_arrays import LIBRARIES, is_of, make
from hsiclearn import SupervisedHSIC
from hsiclearn._devices import to_host

pytestmark = pytest.mark.usefixtures("tensors_stay")


def is_runnable(check):
    """Whether it is of arrays, and of libraries and devices that a machine without a GPU has."""
    names = " ".join(map(str, check.keywords.values()))
    return "array_api" in check.func.__name__ and not any(
        word in names for word in ("cupy", "dpnp", "cuda", "mps", "xpu", "jax", "ndonnx")
    )


MODELS = [
    SupervisedHSIC(objective="prediction"),
    SupervisedHSIC(1, bandwidth=4.0, engine="nystrom"),
    *(cls(init="identity", kernel="gaussian") for cls in ESTIMATORS.values()),
]
CHECKS = [
    pytest.param(estimator, check, id=f"{i}-{check.func.__name__}-{list(check.keywords.values())}")
    for i, model in enumerate(MODELS)
    for estimator, check in estimator_checks_generator(model)
    if is_runnable(check)
]

both_libraries = pytest.mark.parametrize("library", LIBRARIES)


@pytest.fixture(autouse=True)
def dispatch_is_possible(monkeypatch):
    """What scikit-learn asks for; scipy sees nothing but arrays of numpy here."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
@pytest.mark.filterwarnings("default")
def test_scikit_learn_check(estimator, check, without_refits):
    values = {} if "same_namespace" in check.func.__name__ else {"check_values": True}
    check(estimator, **values)


def problem():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 4)) * [1.0, 10.0, 0.1, 1.0]
    return X, (X[:, 0] > 0.0) + 2 * (X[:, 3] > 0.0)


@pytest.mark.filterwarnings("ignore:invalid value")  # 0 / 0 in StandardScaler
@both_libraries
def test_a_pipeline(library):
    X, y = problem()
    pipeline = make_pipeline(StandardScaler(), SupervisedHSIC(1, objective="prediction"))
    theirs = clone(pipeline).fit(X, y)
    rows, known = make(library, X), make(library, y)
    with config_context(array_api_dispatch=True):
        ours = pipeline.fit(rows, known)
        Z, score = ours.transform(rows), ours.score(rows, known)
    assert is_of(library, Z)
    np.testing.assert_allclose(to_host(Z), theirs.transform(X), atol=1e-9)
    assert score == pytest.approx(theirs.score(X, y), abs=1e-9)


@pytest.mark.parametrize("dispatch", [False, True])
def test_a_grid_search(dispatch):
    X, y = problem()
    grid = {"n_components": [1, 2]}
    search = GridSearchCV(SupervisedHSIC(objective="prediction"), grid, cv=2)
    theirs = clone(search).fit(X, y)
    with config_context(array_api_dispatch=dispatch):
        ours = search.fit(make("torch", X), make("torch", y))
    scores = (one.cv_results_["mean_test_score"] for one in (ours, theirs))
    np.testing.assert_allclose(*scores, atol=1e-9)
    assert is_of("torch", ours.best_estimator_.components_)


def test_cross_validation_of_clusters(without_refits):
    X, _ = problem()
    model = ESTIMATORS["unsupervised"](init="identity", kernel="gaussian")

    def score(fitted, rows, y=None):
        return float(is_of("torch", fitted.predict(rows)))

    assert cross_val_score(model, make("torch", X), cv=2, scoring=score).tolist() == [1.0, 1.0]
