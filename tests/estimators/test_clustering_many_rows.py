"""Fits on landmarks: as on all pairs, for a table of any size, precision and place."""

import tracemalloc
from functools import cache

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score as nmi

from clusterings import ESTIMATORS, guide_of, two_gaps
from hsiclearn import UnsupervisedHSIC, find_views
from hsiclearn._alternation import labelling, landmarks
from hsiclearn._linalg import sine_of_largest_angle
from naive import assert_close

N = 300
KERNEL = {"kernel": "gaussian", "bandwidth": 1.5}

pytestmark = pytest.mark.usefixtures("without_refits")


X, GIVEN, OTHER, STARTS = two_gaps(N)


@pytest.fixture(params=ESTIMATORS)
def name(request):
    return request.param


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(landmarks, "_LANDMARKS", 128)
    monkeypatch.setattr(landmarks, "_ALL_PAIRS_UP_TO", 200)


def fit(name, rows=X, y=None, **settings):
    y = guide_of(name, GIVEN) if y is None else y
    start = STARTS["other" if name == "alternative" else "given"]
    settings = {"n_components": 1, "init": start, **KERNEL, **settings}
    return ESTIMATORS[name](**settings).fit(rows, y)


fitted = cache(fit)  # of the rows above


def test_labels_are_those_of_all_pairs(name):
    some, all_pairs = fitted(name), fitted(name, engine="tiled")
    assert (some.engine_, all_pairs.engine_) == ("landmarks", "tiled")
    assert nmi(some.labels_, all_pairs.labels_) > 0.98
    # Of twelve samples of 128 rows the farthest is at 0.27.
    assert sine_of_largest_angle(some.components_.T, all_pairs.components_.T) < 0.3
    assert some.labels_.shape == (N,)
    assert some.embedding_.shape == (N, 2)
    assert some.result_.engine_error.n_features == 128


@pytest.mark.parametrize("normalize", ["degree", "none"])
def test_the_cost_is_in_the_unit_of_all_rows(normalize):
    some, all_pairs = (
        fitted("unsupervised", normalize=normalize, engine=e) for e in ("auto", "tiled")
    )
    assert_close(some.cost_, all_pairs.cost_, 0.1)
    assert_close(some.graph_eigenvalues_, all_pairs.graph_eigenvalues_, 0.1)
    assert some.cost_ == some.result_.history[-1].cost


def test_neighbour_scales_are_those_of_the_landmarks():
    some, all_pairs = (
        fit("unsupervised", kernel="relative_gaussian", engine=e) for e in ("auto", "tiled")
    )
    assert some.kernel_.n_neighbors == 8
    assert all_pairs.kernel_.n_neighbors == 12
    assert nmi(some.labels_, all_pairs.labels_) > 0.95
    assert np.mean(some.predict(X) == some.labels_) >= 0.99


def test_predictions_of_training_rows_are_their_labels(name):
    model = fitted(name)
    assert np.mean(model.predict(X) == model.labels_) >= 0.99


def test_the_same_bytes_twice(name):
    one, two = fitted(name), fit(name)
    np.testing.assert_array_equal(one.labels_, two.labels_)
    np.testing.assert_array_equal(one.components_, two.components_)
    np.testing.assert_array_equal(one.embedding_, two.embedding_)


def test_another_seed_takes_other_landmarks():
    one, two = fitted("unsupervised"), fit("unsupervised", random_state=1)
    assert np.any(one.components_ != two.components_)


def test_below_the_limit_all_pairs(monkeypatch, name):
    monkeypatch.setattr(landmarks, "_ALL_PAIRS_UP_TO", N)
    auto, dense = fit(name), fitted(name, engine="dense")
    assert auto.engine_ == "dense"
    assert "few enough" in auto.result_.engine_reason
    np.testing.assert_array_equal(auto.components_, dense.components_)


def test_asked_for_on_few_rows_it_is_exact():
    some, dense = (fit("unsupervised", X[:100], engine=e) for e in ("landmarks", "dense"))
    assert some.engine_ == "landmarks"
    assert "asked for" in some.result_.engine_reason
    assert_close(some.cost_, dense.cost_, 1e-9)
    np.testing.assert_array_equal(some.labels_, dense.labels_)


def test_the_old_name_works_and_warns():
    with pytest.warns(FutureWarning, match="engine='landmarks'") as record:
        old = fit("unsupervised", X[:150], engine="nystrom")
    assert record[0].filename == __file__
    assert old.engine_ == "landmarks"
    new = fit("unsupervised", X[:150], engine="landmarks")
    np.testing.assert_array_equal(old.components_, new.components_)


def test_the_form_as_printed_sees_all_pairs():
    with pytest.raises(ValueError, match="all pairs"):
        UnsupervisedHSIC(objective="paper", engine="landmarks").fit(X)
    assert UnsupervisedHSIC(objective="paper").fit(X).engine_ in ("dense", "tiled")


def test_labelled_rows_keep_their_label_also_those_that_are_no_landmarks():
    partial = np.where(np.arange(N) < 250, GIVEN, -1)
    model = fit("semi-supervised", y=partial)
    np.testing.assert_array_equal(model.labels_[:250], GIVEN[:250])
    assert np.mean(model.labels_ == GIVEN) > 0.98


def test_labels_that_are_rare_name_their_cluster():
    partial = np.full(N, "-1", dtype=object)
    last = N - 1 - np.unique(GIVEN[::-1], return_index=True)[1]
    partial[last] = ["a", "b"]
    model = fit("semi-supervised", y=partial)
    assert set(model.classes_) == {"a", "b"}
    assert list(model.labels_[last]) == ["a", "b"]
    assert nmi(model.labels_, GIVEN) > 0.98


def test_scores_of_all_rows():
    scores = GIVEN + 0.1 * np.random.default_rng(0).standard_normal(N)
    model = fit("semi-supervised", y=scores)
    assert nmi(model.labels_, GIVEN) > 0.98
    assert model.assortativity_[0] > 0.5


def test_a_rare_class_of_the_given_labelling():
    given = GIVEN.copy()
    given[17] = 2  # one row of 300: a sample of 128 is likely to miss it
    model = fit("alternative", y=given)
    assert nmi(model.labels_, OTHER) > 0.98


def test_several_given_labellings():
    model = fit("alternative", y=np.stack([GIVEN, np.arange(N) % 3], axis=1))
    assert nmi(model.labels_, OTHER) > 0.98
    assert model.assortativity_.shape == (2,)


def test_views_of_many_rows():
    settings = {"init": STARTS["other"], "given": GIVEN, **KERNEL}
    first, second = find_views(X, 2, n_components=1, **settings)
    assert first.engine_ == second.engine_ == "landmarks"
    assert nmi(first.labels_, OTHER) > 0.98
    assert second.assortativity_.shape == (2,)


def test_the_number_of_clusters_from_landmarks():
    model = fit("unsupervised", n_clusters="auto")
    assert model.embedding_.shape == (N, model.n_clusters_)


def test_a_column_that_only_varies_beyond_the_landmarks():
    rare = np.zeros((N, 1))
    rare[4] = 1.0
    start = np.append(STARTS["given"], [[0.0]], axis=1)
    model = fit("unsupervised", np.append(X, rare, axis=1), init=start)
    assert model.components_.shape == (1, 5)
    assert nmi(model.labels_, GIVEN) > 0.98


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e80])
def test_what_is_not_finite_is_found_wherever_it_is(bad):
    rows = X.copy()
    rows[-1, -1] = bad
    with pytest.raises(ValueError, match=r"NaN|infinity|finite"):
        fit("unsupervised", rows)


def test_single_precision_and_a_file_give_the_same(tmp_path):
    single = X.astype(np.float32)
    np.save(tmp_path / "X.npy", single)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    double = fit("unsupervised", single.astype(np.float64))
    for rows in (single, mapped):
        model = fit("unsupervised", rows)
        np.testing.assert_array_equal(model.labels_, double.labels_)
        np.testing.assert_array_equal(model.components_, double.components_)
        np.testing.assert_array_equal(model.predict(rows), double.predict(single))
        assert model.components_.dtype == model.mean_.dtype == np.float64


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_x_is_never_copied_as_a_whole(tmp_path, monkeypatch, dtype):
    n, d = 60_000, 100  # so that what any table takes, such as a refit, is small beside X
    monkeypatch.setattr("hsiclearn._rows._base._NUMBERS", 2**14)
    monkeypatch.setattr(labelling, "_BLOCK", 2**14)
    rng = np.random.default_rng(0)
    table = np.lib.format.open_memmap(tmp_path / "X.npy", "w+", dtype, (n, d))
    for start in range(0, n, 1000):
        table[start : start + 1000] = rng.standard_normal((1000, d))
    table[: n // 2, 0] += 7.0
    model = UnsupervisedHSIC(init=np.eye(2, d), max_iter=2, **KERNEL)
    tracemalloc.start()
    try:
        model.fit(table)
        model.predict(table)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert nmi(model.labels_, np.arange(n) < n // 2) > 0.98
    assert peak < 0.5 * 4 * n * d
