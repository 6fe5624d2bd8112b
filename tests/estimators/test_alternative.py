"""AlternativeHSIC and find_views: clusterings other than the ones already known."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import normalized_mutual_info_score as nmi

from clusterings import N_TRAIN, fit, two_views
from hsiclearn import AlternativeHSIC, find_views
from hsiclearn._objective import Guidance
from hsiclearn.datasets import make_two_views
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.kernels import RelativeGaussian
from naive_clustering import assortativity, cost_of_matrix, kernel_matrix

X, GIVEN, OTHER = (array[:N_TRAIN] for array in two_views())

quick = pytest.mark.usefixtures("without_refits")  # where refits are not in question
fitted = cache(fit)  # not those that others share: these are without refits


def centered(codes):
    Y = np.eye(codes.max() + 1)[codes]
    return Y - Y.mean(axis=0)


@quick
@pytest.mark.parametrize("init", ["identity", "search"])
def test_finds_the_other_view(init):
    model = fitted("alternative", init=init)
    assert nmi(OTHER, model.labels_) >= 0.9
    assert nmi(GIVEN, model.labels_) <= 0.05
    assert abs(model.assortativity_[0]) <= 0.1


@quick
def test_three_clusters_with_noise():
    X, given, other = make_two_views("blobs", 90, 3, n_noise=1)
    model = AlternativeHSIC(3).fit(X, given)
    assert nmi(other, model.labels_) >= 0.9


@quick
def test_cost_and_assortativity_are_the_written_out_formula():
    model = fitted("alternative")
    K = kernel_matrix(model.kernel_, X @ model.components_.T)
    U = centered(GIVEN)
    assert model.assortativity_[0] == pytest.approx(assortativity(K, U), abs=1e-9)
    expected = cost_of_matrix(K, 2, [Guidance(U, 10.0)], "degree")
    assert model.cost_ == pytest.approx(expected, rel=1e-9)


@quick
def test_the_penalty_grows_with_the_clusters():
    model = fitted("alternative", n_clusters=3, mu=2.0)
    K = kernel_matrix(model.kernel_, X @ model.components_.T)
    expected = cost_of_matrix(K, 3, [Guidance(centered(GIVEN), 4.0)], "degree")
    assert model.cost_ == pytest.approx(expected, rel=1e-9)


@quick
def test_without_weight_the_given_labels_do_not_count():
    kernel = RelativeGaussian()  # by its name, the kernel of a guided fit is a finer one
    free, plain = (
        fitted("alternative", mu=0.0, kernel=kernel),
        fitted("unsupervised", kernel=kernel),
    )
    assert free.cost_ == pytest.approx(plain.cost_, rel=1e-6)
    np.testing.assert_array_equal(free.labels_, plain.labels_)


@quick
def test_names_of_the_given_classes_change_nothing():
    names = np.array(["zebra", "ape"])[GIVEN]
    plain = fitted("alternative", kernel="gaussian")
    for given in (names, names.astype(object), names.tolist(), pd.Series(names), GIVEN + 5.0):
        model = AlternativeHSIC(init="identity", kernel="gaussian").fit(X, given)
        np.testing.assert_array_equal(model.labels_, plain.labels_)
        assert model.cost_ == pytest.approx(plain.cost_, rel=1e-9)


@quick
def test_several_labellings_at_once():
    third = np.arange(N_TRAIN) % 3
    model = AlternativeHSIC(init="identity").fit(X, np.stack([GIVEN, third], axis=1))
    assert model.assortativity_.shape == (2,)
    assert nmi(OTHER, model.labels_) >= 0.9
    one_column = AlternativeHSIC(init="identity").fit(X, GIVEN[:, None])
    assert one_column.components_.tobytes() == fitted("alternative").components_.tobytes()


def test_away_from_both_views_is_neither():
    model = AlternativeHSIC(init="identity").fit(X, np.stack([GIVEN, OTHER], axis=1))
    shown = [nmi(GIVEN, model.labels_), nmi(OTHER, model.labels_)]
    assert max(shown) <= 0.5
    assert np.all(np.abs(model.assortativity_) <= 0.5)


@pytest.mark.long
@quick
def test_views_differ_from_each_other():
    views = first, second = find_views(X, 2)
    assert nmi(first.labels_, second.labels_) < 0.1
    assert first.assortativity_.shape == (0,)
    assert second.assortativity_.shape == (1,)
    found = {
        max((nmi(truth, view.labels_), i) for i, truth in enumerate((GIVEN, OTHER)))[1]
        for view in views
    }
    assert found == {0, 1}


@quick
def test_views_beside_a_given_one():
    (view,) = find_views(X, 1, given=GIVEN, init="identity")
    np.testing.assert_array_equal(view.labels_, fitted("alternative").labels_)
    names = np.array(["b", "a"])[GIVEN]
    both = find_views(X, 2, given=np.stack([names, names], axis=1), init="identity")
    assert [view.assortativity_.size for view in both] == [2, 3]


def test_parameters_reach_every_view():
    for view in find_views(X, 2, 3, 1, init="identity", kernel="cauchy", mu=3.0):
        assert view.get_params()["mu"] == 3.0
        assert view.components_.shape == (1, 4)
        assert view.n_clusters_ == 3


def test_the_second_try_with_four_neighbours_may_fail():
    """25 places of six rows each: seven neighbours see others, four do not."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((25, 3)), 6, axis=0)
    model = AlternativeHSIC(2, 2, init="identity").fit(X, np.arange(150) % 2)
    assert model.kernel_.n_neighbors == 7
    assert model.labels_.shape == (150,)


def test_a_narrow_kernel_in_many_columns_is_no_reason_to_give_up():
    """In all 30 columns no row reaches another; in a plane they do."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 30))
    model = AlternativeHSIC(2, 2, kernel="gaussian", bandwidth=0.5)
    with pytest.warns(DependenceWarning, match="2 rows are out of reach"):  # to two a plane is wide
        model.fit(X, np.arange(60) % 2)
    assert np.all(np.isfinite(model.components_))


def test_views_need_a_label_for_every_row():
    X = np.random.default_rng(0).standard_normal((20, 3))
    with pytest.raises(ValueError, match=r"one row per row of X, 20.*Got shape \(40,\)"):
        find_views(X, given=np.arange(40) % 2)
