"""``SupervisedHSIC``: any table, target and setting; an honest fit or a documented error."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from hsiclearn import SupervisedHSIC
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import AbstractKernel
from properties.honest import (
    RefusedError,
    check_certificate,
    check_directions,
    check_monotone,
    honest,
)
from properties.strategies import KERNELS, SEEDS, TARGETS, tables, target_of, typical_length
from properties.trials import examples

NAMES = ("gaussian", "cauchy", "linear", "polynomial", "relative_gaussian")
KINDS = st.sampled_from(tuple(TARGETS))
CLASSES = ("two classes", "classes", "many classes", "texts", "booleans", "objects", "unsigned")


def fitted(table, kind, seed, **settings):
    """A model, judged, its y, or None where the fit was refused; X and y are left as they were."""
    y, target = target_of(kind, table.n, seed)
    y.setflags(write=False)
    model = SupervisedHSIC(**{"target": target, "random_state": seed, **settings})
    before = clone(model).get_params()
    try:
        with honest():
            model.fit(table.X, y)
    except RefusedError:
        assert not hasattr(model, "components_")
        return None
    assert repr(model.get_params()) == repr(before)
    check_fit(model, table)
    return model


def check_fit(model, table):
    """Orthonormal in its metric, monotone, and usable on the rows it was fitted on."""
    W = model.components_
    assert W.shape == (model.n_components_, len(table.columns))
    assert np.isfinite(W).all()
    if model.metric_ == "identity":
        check_directions(W.T)
    else:
        assert np.linalg.norm(W @ model.patterns_.T - np.eye(W.shape[0])) <= 1e-8
    if model.objective_ == "dependence" and model.solver == "spectral":
        check_monotone(model.result_.history)
    with honest():
        Z = model.transform(table.X)
        assert np.isfinite(Z).all()
        assert np.isfinite(model.inverse_transform(Z)).all()
    assert Z.shape == (table.n, model.n_components_)


@examples(20, 9000)
@given(
    tables(),
    KINDS,
    SEEDS,
    st.integers(1, 3),
    st.sampled_from(("median", "median-projected", 1.0)),
    st.sampled_from(NAMES),
)
def test_a_fit_is_honest(table, kind, seed, q, bandwidth, kernel):
    q = min(q, len(table.columns))
    fitted(table, kind, seed, n_components=q, bandwidth=bandwidth, kernel=kernel)


@examples(10, 3000)
@given(tables(), st.sampled_from(CLASSES), SEEDS, st.sampled_from(tuple(KERNELS)))
def test_the_certificate_of_classes_holds(table, kind, seed, name):
    """Gamma is made here of the labels: ``H Y Y' H``, Y one-hot."""
    kernel: AbstractKernel = KERNELS[name](typical_length(table.X))
    settings = {"bandwidth": "median", "kernel": kernel, "target": "classes"}
    model = fitted(table, kind, seed, n_components=1, **settings)
    if model is None:
        return
    codes = np.unique(target_of(kind, table.n, seed)[0], return_inverse=True)[1]
    gamma = ClassTable.centered(codes)
    X, W = table.floats, model.components_.T
    varying = X.min(axis=0) < X.max(axis=0)  # constants have no part, nor in what is proven
    X, W = X[:, varying], W[varying]
    check_certificate(model.certificate_, X, gamma, model.kernel_, W)


@examples(3, 300)
@given(tables(), KINDS, SEEDS)
def test_a_fit_at_defaults_is_honest(table, kind, seed):
    fitted(table, kind, seed, n_components=1)


@examples(5, 1500)
@given(
    tables(most_columns=4),
    KINDS,
    SEEDS,
    st.sampled_from(("covariance", "relevance", "identity")),
    st.sampled_from(("dependence", "dependence", "prediction")),
)
def test_a_fit_in_another_metric_is_honest(table, kind, seed, metric, objective):
    settings = {"metric": metric, "objective": objective, "bandwidth": "median"}
    fitted(table, kind, seed, n_components=1, **settings)


@examples(5, 1000)
@given(tables(), KINDS, SEEDS, st.integers(1, 5))
def test_a_fit_on_few_columns_is_honest(table, kind, seed, count):
    count = min(count, len(table.columns))
    settings = {"n_features_to_select": count, "bandwidth": "median"}
    model = fitted(table, kind, seed, n_components=1, **settings)
    if model is not None:
        assert 1 <= np.count_nonzero(model.support_) <= count  # constants are not selected
        assert not np.any(model.components_[:, ~model.support_])


@examples(5, 1500)
@given(
    tables(),
    KINDS,
    SEEDS,
    st.sampled_from(("ism+", "dg", "stiefel", "grassmann")),
    st.sampled_from(("dense", "tiled", "nystrom")),
)
def test_a_fit_by_a_rival_is_honest(table, kind, seed, solver, engine):
    settings = {"solver": solver, "engine": engine, "bandwidth": "median", "max_iter": 20}
    fitted(table, kind, seed, n_components=1, **settings)
