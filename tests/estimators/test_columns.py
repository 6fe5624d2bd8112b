"""Directions made of a few columns."""

from copy import copy

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hsiclearn
from hsiclearn import Objective, SupervisedHSIC
from hsiclearn._linalg import Basis
from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn._rows import as_rows, shrunk_covariance
from hsiclearn._selection import SupervisedData, SupervisedProblem, choose_columns, rule_for
from hsiclearn._selection.sample import Views
from hsiclearn._solvers import Settings
from hsiclearn.datasets import make_planted
from hsiclearn.exceptions import DependenceWarning, ModelFileError
from hsiclearn.inspection import feature_importances

N, D, K = 150, 12, 4
X, y, W = make_planted("xor", N, D, n_noise=D - K, random_state=0)
TRUE = np.arange(D) < K
FEW, FEW_y = X[:100, :8], y[:100]  # where nothing need be found


def fitted(k=K, q=2, **settings):
    return SupervisedHSIC(q, n_features_to_select=k, **settings).fit(X, y)


@pytest.fixture(scope="module")
def model():
    return fitted()


@pytest.fixture(scope="module")
def chosen_count():
    return fitted("auto", bandwidth=1.0)


@pytest.fixture(scope="module")
def plain():
    return SupervisedHSIC(2, metric="identity").fit(X, y)


def test_the_columns_found_are_the_true_ones(model):
    np.testing.assert_array_equal(model.get_support(), TRUE)
    np.testing.assert_array_equal(model.get_support(indices=True), np.arange(K))
    assert model.n_features_selected_ == K
    assert model.count_path_ is None


@pytest.mark.parametrize("k", [2, 3, 7])
def test_the_count_is_exact(k):
    model = fitted(k, bandwidth="median")
    assert np.count_nonzero(model.support_) == k
    assert not model.components_[:, ~model.support_].any()
    assert model.components_[:, model.support_].any(axis=0).all()


def test_off_the_support_components_are_exactly_zero(model):
    assert not model.components_[:, ~TRUE].any()
    np.testing.assert_allclose(model.components_ @ model.patterns_.T, np.eye(2), atol=1e-12)
    Z = X[:, TRUE] @ model.components_[:, TRUE].T
    np.testing.assert_allclose(model.transform(X), Z, atol=1e-12)
    np.testing.assert_allclose(model.transform(model.inverse_transform(Z)), Z, atol=1e-10)


def test_the_certificate_is_of_the_columns_selected(model):
    proof = model.certificate_
    assert proof.verified
    assert proof.n_columns == K
    assert f"the {K} columns selected" in proof.verdict
    assert "n_columns" in repr(proof)
    assert "n_columns" in proof._repr_html_()
    gamma = supervised_gamma(read_target(y, "auto"), np.random.default_rng(0))
    V = model.components_[:, TRUE].T
    objective = Objective(X[:, TRUE], gamma, model.kernel_)
    assert hsiclearn.certify(objective, V).verified
    # ... and not of all: there the cost falls where a column of noise joins.
    everything = Objective(X, gamma, model.kernel_)
    assert not hsiclearn.certify(everything, model.components_.T).verified


def test_the_order_of_the_columns_has_no_part_in_it():
    model = fitted(bandwidth=1.5)
    order = np.random.default_rng(0).permutation(D)
    other = clone(model).fit(X[:, order], y)
    np.testing.assert_array_equal(other.support_, TRUE[order])
    assert other.cost_ == pytest.approx(model.cost_, rel=1e-6)


def test_the_same_input_gives_the_same_bytes():
    model = fitted(bandwidth=1.5)
    assert clone(model).fit(X, y).components_.tobytes() == model.components_.tobytes()


def test_a_count_chosen_by_rows_held_out(chosen_count):
    model, path = chosen_count, chosen_count.count_path_
    assert model.n_features_selected_ == path.chosen
    assert K - 1 <= path.chosen <= K + 2
    assert model.support_[:K].sum() >= K - 1
    assert path.counts[0] == D
    assert path.counts[-1] == 2
    assert path.held_out[path.best] < path.held_out[0]


@pytest.mark.long
@pytest.mark.parametrize("k", [4, "auto"])
def test_of_a_permuted_target_nothing_is_explained(k):
    shuffled = np.random.default_rng(0).permutation(FEW_y)
    with pytest.warns(DependenceWarning, match="No dependence"):
        model = SupervisedHSIC(2, n_features_to_select=k).fit(FEW, shuffled)
    assert model.selection_.explained_share < 0.03


@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [
        {"bandwidth": "median"},
        {"bandwidth": 1.5, "metric": "covariance"},
        {"metric": "covariance"},
        {"bandwidth": 1.0, "n_components": "auto", "metric": "covariance"},
        {"n_components": "eigengap"},
        {"bandwidth": "median-projected"},
        {"objective": "prediction"},
        {"init": np.eye(2, 8)},
    ],
)
def test_it_goes_with_every_rule_and_metric(settings):
    model = SupervisedHSIC(2, n_features_to_select=K).set_params(**settings).fit(FEW, FEW_y)
    assert np.count_nonzero(model.support_) == K
    assert not model.components_[:, ~model.support_].any()
    q = model.n_components_
    assert 1 <= q <= K if isinstance(model.n_components, str) else q == 2
    np.testing.assert_allclose(model.components_ @ model.patterns_.T, np.eye(q), atol=1e-8)


def test_a_covariance_is_made_where_it_is_read(monkeypatch):
    made, real = [], shrunk_covariance

    def counted(rows, weights):
        made.append(rows.shape)
        return real(rows, weights)

    monkeypatch.setattr("hsiclearn._selection.metric.shrunk_covariance", counted)
    rule, kernel = rule_for(2, "gaussian", "auto")
    target, rng = read_target(y), np.random.default_rng(0)
    gamma = supervised_gamma(target, rng)
    data = SupervisedData(as_rows(X), target, gamma, kernel, rng, keep_columns=True)
    settings = Settings(init="phi-zero")
    chosen = choose_columns(rule, SupervisedProblem(data, 2, "auto", settings), K).problem
    there, _ = chosen.in_metric("covariance")
    assert made == [(N, K)]
    assert len(there.data.splits) == 3
    assert len(made) == 4


def test_directions_are_orthonormal_in_the_covariance_of_the_columns_selected():
    from sklearn.covariance import ledoit_wolf

    model = fitted(metric="covariance", bandwidth=1.5)
    S = ledoit_wolf(X[:, model.support_])[0]
    V = model.components_[:, model.support_]
    np.testing.assert_allclose(V @ S @ V.T, np.eye(2), atol=1e-8)


@pytest.mark.parametrize("form", ["sparse", "stream", "memmap"])
def test_rows_of_every_form(form, tmp_path):
    table = X * (np.abs(X) > 0.3)
    expected = SupervisedHSIC(2, n_features_to_select=K, bandwidth=1.0).fit(table, y)
    if form == "memmap":
        rows = np.memmap(tmp_path / "rows", dtype=float, mode="w+", shape=table.shape)
        rows[:] = table
    else:
        rows = sparse.csr_array(table)
        if form == "stream":
            rows = lambda: iter([table[:80], table[80:]])  # noqa: E731
    model = clone(expected).fit(rows, y)
    np.testing.assert_array_equal(model.support_, expected.support_)
    np.testing.assert_allclose(model.components_, expected.components_, atol=1e-5)
    np.testing.assert_allclose(model.feature_importances_, expected.feature_importances_, atol=1e-5)


def test_a_constant_column_is_never_selected():
    wide = np.insert(X, [0, 7], 5.0, axis=1)
    model = SupervisedHSIC(2, n_features_to_select=K, bandwidth="median").fit(wide, y)
    assert np.count_nonzero(model.support_) == K
    assert not model.support_[[0, 8]].any()


def test_more_columns_than_rows():
    few = SupervisedHSIC(1, n_features_to_select=3, bandwidth="median")
    wide, target, _ = make_planted("step", 60, 90, n_noise=87, random_state=0)
    assert few.fit(wide, target).support_[:3].sum() >= 2


@pytest.mark.parametrize(("k", "q"), [(1, 2), (D + 1, 2), (3, 4)])
def test_a_count_that_cannot_be(k, q):
    with pytest.raises(ValueError, match="n_components <= n_features_to_select <= n_features"):
        fitted(k, q)


@pytest.mark.parametrize(
    ("bandwidth", "init", "rank"),
    [(1.0, np.eye(2, 8, 6), 0), (1.0, np.eye(2, 8, K - 1), 1), ("auto", np.eye(2, 8, K - 1), 1)],
)
def test_a_start_must_have_a_part_in_the_columns_chosen(bandwidth, init, rank):
    model = SupervisedHSIC(2, n_features_to_select=K, init=init, bandwidth=bandwidth)
    with pytest.raises(ValueError, match=rf"chosen by n_features_to_select.* there is {rank}"):
        model.fit(FEW, FEW_y)


def test_in_the_columns_of_a_split_a_start_is_completed():
    chosen, other = np.arange(6) < 3, np.arange(6) > 1
    views = Views(np.eye(6), Basis.of_columns(chosen), (Basis.of_columns(other),))
    found = views.lower(0, np.eye(3)[:, [0, 2]])
    assert np.linalg.matrix_rank(found) == 2
    np.testing.assert_allclose(found @ found.T @ np.eye(4)[0], np.eye(4)[0], atol=1e-12)
    assert found.tobytes() == views.lower(0, np.eye(3)[:, [0, 2]]).tobytes()
    inside = np.array([[0.0], [0.0], [1.0]])
    np.testing.assert_array_equal(views.lower(0, inside), np.eye(4)[:, :1])


def many_columns():
    rng = np.random.default_rng(0)
    return rng.standard_normal((60, 2100)), rng


def test_limits_are_of_the_columns_that_are_asked_for():
    many, rng = many_columns()
    target = many[:, 0] + 0.1 * rng.standard_normal(60)
    settings = {"n_features_to_select": 3, "bandwidth": "median"}
    model = SupervisedHSIC(1, metric="covariance", **settings).fit(many, target)
    assert model.metric_ == "covariance"
    model = SupervisedHSIC(1, metric="relevance", **settings).fit(many, target)
    assert model.metric_ == "relevance"
    model = SupervisedHSIC(1, objective="prediction", **settings).fit(many, target)
    assert model.objective_ == "prediction"


@pytest.mark.parametrize(
    ("metric", "words"),
    [("relevance", "Weights of 2100 columns are"), ("covariance", "The covariance of 2100")],
)
def test_without_a_number_they_are_of_all(metric, words):
    many, _ = many_columns()
    model = SupervisedHSIC(1, metric=metric, bandwidth=20.0)
    with pytest.warns(UserWarning, match=words):
        model.fit(many, many[:, 0])
    assert model.metric_ == "identity"


@pytest.mark.long
def test_of_few_columns_among_many_everything_is_compared():
    noisy = WIDE[:, 0] + 0.5 * WIDE[:, -1]  # where all is explained, nothing more is asked for
    model = SupervisedHSIC(1, n_features_to_select=8).fit(WIDE[:, :110], noisy)
    assert {one.metric for one in model.selection_.candidates} >= {"covariance", "relevance"}
    assert "prediction" in {one.objective for one in model.selection_.candidates}


WIDE = np.random.default_rng(0).standard_normal((60, 700))


@pytest.mark.parametrize(("k", "q"), [(600, 1), ("auto", 501)])
def test_a_set_larger_than_what_is_looked_at_is_refused(k, q):
    model = SupervisedHSIC(q, n_features_to_select=k, bandwidth=1.0)
    with pytest.raises(ValueError, match=r"No more than 500 .* of 700 columns that vary"):
        model.fit(WIDE, WIDE[:, 0])


def test_all_of_many_columns_are_all():
    model = SupervisedHSIC(1, n_features_to_select=700, bandwidth="median").fit(WIDE, WIDE[:, 0])
    plain = clone(model).set_params(n_features_to_select=None).fit(WIDE, WIDE[:, 0])
    assert model.n_features_selected_ == 700
    np.testing.assert_array_equal(model.components_, plain.components_)


def test_a_count_cannot_be_chosen_on_a_few_rows():
    with pytest.raises(ValueError, match="n_features_to_select='auto' holds rows out"):
        SupervisedHSIC(1, n_features_to_select="auto").fit(X[:8], y[:8])


def test_without_a_selection_all_columns_are_in_it(plain):
    assert plain.get_support().all()
    assert plain.n_features_selected_ == D
    assert plain.certificate_.n_columns is None
    assert "n_columns" not in plain.certificate_._repr_html_()
    np.testing.assert_allclose(
        plain.feature_importances_, feature_importances(plain, X), atol=1e-12
    )
    assert plain.feature_importances_.sum() == pytest.approx(1.0)


def test_scikit_learns_selectors_read_the_importances(plain):
    chosen = SelectFromModel(clone(plain), max_features=K, threshold=-np.inf).fit(X, y)
    top = np.argsort(-plain.feature_importances_)[:K]
    assert set(chosen.get_support(indices=True)) == set(top)
    model = SupervisedHSIC(2, bandwidth=1.0, init="second-moments")
    found = RFE(model, n_features_to_select=K, step=4).fit(X, y)
    assert found.support_.sum() == K
    assert found.support_[:K].sum() >= K - 1


def test_through_a_file(chosen_count, tmp_path):
    pipeline = make_pipeline(StandardScaler().fit(X), chosen_count)
    hsiclearn.save(pipeline, tmp_path / "model")
    again = hsiclearn.load(tmp_path / "model")
    np.testing.assert_array_equal(again[-1].support_, pipeline[-1].support_)
    np.testing.assert_array_equal(again[-1].count_path_.held_out, pipeline[-1].count_path_.held_out)
    assert again[-1].certificate_ == pipeline[-1].certificate_
    np.testing.assert_array_equal(again.transform(X), pipeline.transform(X))


def test_a_file_whose_support_is_not_that_of_its_components_is_refused(model, tmp_path):
    forged = copy(model)
    forged.support_ = ~forged.support_
    hsiclearn.save(forged, tmp_path / "model")
    with pytest.raises(ModelFileError, match="off support_"):
        hsiclearn.load(tmp_path / "model")


def test_one_row_far_from_all_others_is_no_crash():
    """In a column of standard deviation 1 the other rows are 1e-6 apart, and distances rounded."""
    rng = np.random.default_rng(0)
    z = rng.standard_normal((11, 5))
    z[:, 1], z[:, 2], z[0, 3], z[:, 4] = z[:, 0], np.sinh(3.0 * z[:, 2]), 1e6, z[:, 4] > 0.0
    y = np.random.default_rng(0).integers(0, 3, 11)
    model = SupervisedHSIC(1, n_features_to_select=1, bandwidth="median").fit(z, y)
    assert np.count_nonzero(model.components_) == 1
