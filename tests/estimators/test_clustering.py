"""What the three clustering estimators have in common, as their users meet it."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.metrics import normalized_mutual_info_score as nmi
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from clusterings import ESTIMATORS, N_TRAIN, fit, guide_of, two_views
from hsiclearn import UnsupervisedHSIC
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn.datasets import make_two_views
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.kernels import RelativeGaussian

X, GIVEN, OTHER = two_views()
TRAIN, TEST = X[:N_TRAIN], X[N_TRAIN:]

pytestmark = pytest.mark.usefixtures("without_refits")
fitted = cache(fit)  # not those that others share: these are without refits


@pytest.fixture(params=ESTIMATORS)
def name(request):
    return request.param


@pytest.fixture(params=["degree", "none"])
def normalize(request):
    return request.param


def blobs(k, n=90, d=3, gap=8.0, seed=0):
    """k clusters far apart, one clustering only."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % k
    X = rng.standard_normal((n, d))
    angle = 2 * np.pi * codes / k
    X[:, :2] += gap * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return X, codes


def test_shapes(name, normalize):
    model = fitted(name, normalize=normalize)
    assert model.labels_.shape == (N_TRAIN,)
    assert set(model.labels_) == {0, 1}
    assert model.embedding_.shape == (N_TRAIN, 2)
    assert model.components_.shape == (2, 4)
    assert model.graph_eigenvalues_.shape == (3,)
    assert np.all(np.diff(model.graph_eigenvalues_) <= 0.0)
    assert model.n_clusters_ == model.n_components_ == 2
    assert model.n_features_in_ == 4
    assert model.assortativity_.shape == ((0,) if name == "unsupervised" else (1,))
    assert model.converged_
    assert model.n_iter_ == len(model.result_.history) - 1
    assert model.cost_ == model.result_.history[-1].cost
    assert model.certificate_.second_order is None


def test_components_are_orthonormal_with_fixed_signs(name, normalize):
    W = fitted(name, normalize=normalize).components_.T
    assert np.linalg.norm(W.T @ W - np.eye(2)) <= 1e-12
    assert np.all(W[np.abs(W).argmax(axis=0), np.arange(2)] > 0)


def test_transform_is_the_projection(name):
    model = fitted(name)
    Z = model.transform(TEST)
    np.testing.assert_allclose(Z, TEST @ model.components_.T, rtol=1e-12)
    back = model.inverse_transform(Z)
    np.testing.assert_allclose(model.transform(back), Z, atol=1e-10)
    assert list(model.get_feature_names_out()) == [type(model).__name__.lower() + c for c in "01"]


def test_fit_transform_and_fit_predict_take_y(name):
    model, y = fitted(name), guide_of(name, GIVEN[:N_TRAIN])
    fresh = clone(model)
    np.testing.assert_allclose(fresh.fit_transform(TRAIN, y), model.transform(TRAIN), atol=1e-12)
    np.testing.assert_array_equal(clone(model).fit_predict(TRAIN, y), model.labels_)


def test_training_rows_are_predicted_as_they_were_labelled(name, normalize):
    model = fitted(name, normalize=normalize)
    assert np.mean(model.predict(TRAIN) == model.labels_) >= 0.99


def test_held_out_rows_are_predicted_as_well_as_training_rows(name):
    """From the plane that carries the view; which plane that is, a search has to find."""
    X, given, other = make_two_views("blobs", 700, rotated=False)
    is_other = name == "alternative"
    plane, truth = (np.eye(4)[2:], other) if is_other else (np.eye(4)[:2], given)
    model = ESTIMATORS[name](init=plane).fit(X[:200], guide_of(name, given[:200]))
    train = nmi(truth[:200], model.labels_)
    assert train >= 0.9
    assert abs(nmi(truth[200:], model.predict(X[200:])) - train) <= 0.05


def test_prediction_does_not_depend_on_the_other_rows(name):
    model = fitted(name)
    one_by_one = np.concatenate([model.predict(row[None]) for row in TEST[:10]])
    np.testing.assert_array_equal(one_by_one, model.predict(TEST)[:10])


def test_the_origin_does_not_count(name):
    """Kernels of differences: rows moved far away are clustered and predicted alike."""
    model, y = fitted(name), guide_of(name, GIVEN[:N_TRAIN])
    moved = clone(model).fit(TRAIN + 64.0, y)
    np.testing.assert_array_equal(moved.labels_, model.labels_)
    np.testing.assert_array_equal(moved.predict(TEST + 64.0), model.predict(TEST))


def searched(name, *, guided=True, again=0):
    """A search on 40 rows; on all it takes seconds."""
    return _searched(name, guided and name != "unsupervised", again)


@cache
def _searched(name, guided, again):
    return ESTIMATORS[name]().fit(X[:40], guide_of(name, GIVEN[:40]) if guided else None)


def test_same_input_same_bytes(name):
    pairs = [(fitted(name), fit(name)), (searched(name), searched(name, again=1))]
    for one, two in pairs:
        for attribute in ("components_", "labels_", "embedding_"):
            first, second = getattr(one, attribute), getattr(two, attribute)
            assert first.tobytes() == second.tobytes(), attribute


def test_a_pickle_predicts_the_same(name):
    model = fitted(name)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(TEST), model.predict(TEST))
    np.testing.assert_array_equal(again.transform(TEST), model.transform(TEST))


def test_clone_and_parameters(name):
    model = ESTIMATORS[name](3, 1, kernel="cauchy", bandwidth=2.0, tol=1e-4)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert copy.set_params(n_clusters=4).n_clusters == 4
    assert not hasattr(clone(fitted(name)), "labels_")


@pytest.mark.parametrize("other", ["semi-supervised", "alternative"])
@pytest.mark.parametrize("init", ["identity", "search"])
def test_without_y_all_are_the_unsupervised_fit(other, init):
    fitted_by = searched if init == "search" else fitted
    plain, same = fitted_by("unsupervised", guided=False), fitted_by(other, guided=False)
    assert same.components_.tobytes() == plain.components_.tobytes()
    np.testing.assert_array_equal(same.labels_, plain.labels_)


def test_one_cluster(name):
    model = fitted(name, n_clusters=1)
    assert not model.labels_.any()
    assert not model.predict(TEST).any()
    assert model.embedding_.shape == (N_TRAIN, 1)


def test_as_many_components_as_columns(name):
    model = fitted(name, n_components=4)
    assert model.components_.shape == (4, 4)
    assert model.n_iter_ == 0
    if name == "semi-supervised":  # known rows keep their labels, and these do not fit all columns
        return
    assert np.mean(model.predict(TRAIN) == model.labels_) >= 0.99


def test_the_number_of_clusters_is_found(name):
    rows, codes = blobs(3)
    y = np.arange(len(codes)) % 2 if name == "alternative" else guide_of(name, codes)
    model = ESTIMATORS[name]("auto", init="identity").fit(rows, y)
    assert model.n_clusters_ == 3
    assert nmi(codes, model.labels_) == pytest.approx(1.0)
    assert model.embedding_.shape == (90, 3)


def test_a_constant_column_has_no_weight(name):
    y = guide_of(name, GIVEN[:N_TRAIN])
    wide = np.insert(TRAIN, 2, 7.0, axis=1)
    model = ESTIMATORS[name](init="identity").fit(wide, y)
    assert not model.components_[:, 2].any()
    np.testing.assert_array_equal(model.labels_, fitted(name).labels_)
    np.testing.assert_array_equal(model.predict(wide), fitted(name).predict(TRAIN))


@pytest.mark.parametrize(
    "init", ["identity", "search", np.eye(2, 60)], ids=["W=I", "search", "array"]
)
@pytest.mark.filterwarnings("ignore:The iteration budget ran out")
@pytest.mark.filterwarnings("ignore::hsiclearn.exceptions.SpreadWarning")
def test_more_columns_than_rows(name, init):
    rows, codes = blobs(2, n=40, d=60)
    y = np.arange(40) // 2 % 2 if name == "alternative" else guide_of(name, codes)
    model = ESTIMATORS[name](init=init).fit(rows, y)
    assert model.components_.shape == (2, 60)
    assert np.linalg.norm(model.components_ @ model.components_.T - np.eye(2)) <= 1e-10
    if name != "semi-supervised":  # there known rows keep their labels, whatever is predicted
        assert np.mean(model.predict(rows) == model.labels_) >= 0.99


def test_an_array_to_start_from(name):
    """A fit that starts where another ended stays there; any basis of it will do."""
    # Partial labels are completed anew from every start: another objective each time.
    settings = {"guided": name != "semi-supervised", "kernel": RelativeGaussian()}
    end = fitted(name, **settings)
    turned = np.array([[1.0, 2.0], [0.5, -1.0]]) @ end.components_
    model = fit(name, init=turned, **settings)
    assert model.result_.start == "array"
    assert model.cost_ <= end.cost_ + 1e-9
    assert sine_of_largest_angle(model.components_.T, end.components_.T) <= 0.05


def test_what_a_search_has_tried(name):
    guided = name != "semi-supervised"
    model = searched(name, guided=guided)
    assert len(model.starts_) > 10
    assert model.result_.start in {tried.start for tried in model.starts_}
    assert {"peel", "principal", "random"} <= {tried.start for tried in model.starts_}
    assert fitted(name, guided=guided).starts_ == ()


@pytest.mark.parametrize("kernel", ["gaussian", "cauchy", "relative_gaussian"])
def test_the_engine_does_not_matter(name, kernel):
    dense, tiled = (fitted(name, kernel=kernel, engine=engine) for engine in ("dense", "tiled"))
    assert (dense.engine_, tiled.engine_) == ("dense", "tiled")
    assert tiled.cost_ == pytest.approx(dense.cost_, rel=1e-6)
    np.testing.assert_array_equal(tiled.labels_, dense.labels_)


def test_tables_with_names_and_pipelines(name):
    y = guide_of(name, GIVEN[:N_TRAIN])
    frame = pd.DataFrame(TRAIN, columns=list("abcd"))
    model = ESTIMATORS[name](init="identity").fit(frame, y)
    assert list(model.feature_names_in_) == list("abcd")
    np.testing.assert_array_equal(model.labels_, fitted(name).labels_)
    pipe = make_pipeline(StandardScaler(), ESTIMATORS[name](init="identity", kernel="gaussian"))
    pipe.fit(TRAIN, y)
    assert pipe.predict(TEST).shape == (len(TEST),)


def test_verbose_prints_a_line_per_step(name, capsys):
    """A second descent with finer scales may follow the first."""
    model = fit(name, verbose=1)
    lines = capsys.readouterr().out.splitlines()
    assert sum("gradient" in line for line in lines) >= model.n_iter_ + 1
    assert any(line.startswith("settling on ") for line in lines)


def test_linear_kernel_without_degrees_is_pca():
    model = UnsupervisedHSIC(2, 2, kernel="linear", normalize="none", init="identity").fit(TRAIN)
    pca = PCA(2).fit(TRAIN)
    assert sine_of_largest_angle(pca.components_.T, model.components_.T) <= 1e-5
    assert model.cost_ == pytest.approx(-N_TRAIN * pca.explained_variance_.sum() * 119 / 120)


def test_equal_rows_are_in_one_cluster(name):
    """Three places and as many clusters, or more: no place is divided."""
    places = np.array([[0.0, 0.0, 0.0], [5.0, 0.0, 1.0], [0.0, 5.0, 2.0]])
    rows, codes = np.repeat(places, 12, axis=0), np.repeat(np.arange(3), 12)
    y = guide_of(name, np.arange(36) % 2 if name == "alternative" else codes, 36)
    for k in (3, 4):
        model = ESTIMATORS[name](k, 2, kernel="gaussian", bandwidth=2.0, init="identity")
        if k == 3:
            model.fit(rows, y)
        else:
            with pytest.warns(DependenceWarning, match="Only 3 of 4 clusters have rows"):
                model.fit(rows, y)
        assert nmi(codes, model.labels_) == pytest.approx(1.0)
        np.testing.assert_array_equal(model.predict(places), model.labels_[::12])


def test_few_duplicates_do_no_harm(name):
    """Equal rows are together, but for rows whose label is known and kept."""
    rows = np.concatenate([TRAIN, TRAIN[:30]])
    labels = np.concatenate([GIVEN[:N_TRAIN], GIVEN[:30]])
    y = guide_of(name, labels)
    model = ESTIMATORS[name](init="identity").fit(rows, y)
    free = slice(12, 30) if name == "semi-supervised" else slice(0, 30)
    np.testing.assert_array_equal(model.labels_[:30][free], model.labels_[N_TRAIN:][free])


def test_inputs_are_not_written_to(name):
    """The arrays of ``two_views`` are read-only: writing to them would raise."""
    X, given, _ = make_two_views("blobs", 40)
    y = guide_of(name, given)
    before = X.tobytes(), None if y is None else y.tobytes()
    ESTIMATORS[name](init="identity").fit(X, y).predict(X)
    assert before == (X.tobytes(), None if y is None else y.tobytes())
