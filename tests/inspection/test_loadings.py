"""What directions are made of: formulas by hand, names, p-values on rows not seen."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from hsiclearn import SupervisedHSIC, UnsupervisedHSIC, cka, hsic_test
from hsiclearn.datasets import make_planted
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.inspection import describe_components, feature_importances, feature_shares
from registry import orthonormal

X, y, TRUTH = make_planted("sine", 200, 4)
SEEN, FRESH = slice(0, 100), slice(100, 200)


@cache
def fitted():
    return SupervisedHSIC(1, bandwidth=0.6).fit(X[SEEN], y[SEEN])


def model_of(components):
    """A fitted model with directions that are given."""
    q, d = components.shape
    rows = np.random.default_rng(0).standard_normal((12, d))
    model = SupervisedHSIC(q, bandwidth=1.0).fit(rows, rows[:, 0])
    model.components_ = np.asarray(components)
    return model


def in_units(scales, n=50, seed=1):
    """Columns of exactly these standard deviations, far from zero."""
    rows = np.random.default_rng(seed).standard_normal((n, len(scales)))
    return 10.0 + scales * (rows - rows.mean(axis=0)) / rows.std(axis=0)


def test_shares_are_loadings_times_standard_deviations_squared():
    model = model_of(np.array([[0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]))
    shares = feature_shares(model, in_units(np.array([2.0, 1.0, 5.0])))
    # (0.6 * 2)^2 = 1.44 and (0.8 * 1)^2 = 0.64
    np.testing.assert_allclose(shares, [[1.44 / 2.08, 0.64 / 2.08, 0.0], [0, 0, 1]], atol=1e-12)


def test_importances_by_hand():
    model = model_of(np.array([[0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]))
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])  # uncorrelated
    importances = feature_importances(model, 10.0 + np.array([2.0, 1.0, 5.0]) * corners)
    # The directions have variance 0.36 * 4 + 0.64 = 2.08, and 25.
    expected = np.array([2.08 * 1.44, 2.08 * 0.64, 25.0 * 25.0])
    np.testing.assert_allclose(importances, expected / expected.sum(), rtol=1e-12)


def test_a_direction_along_which_rows_hardly_spread_hardly_counts():
    """Two columns that say the same: their difference is a direction of no weight."""
    rng = np.random.default_rng(6)
    a, b = rng.standard_normal((2, 200))
    rows = np.column_stack([a, a + 1e-3 * rng.standard_normal(200), b])
    half = np.sqrt(0.5)
    model = model_of(np.array([[half, -half, 0.0], [0.0, 0.0, 1.0]]))
    assert feature_importances(model, rows)[2] > 0.999


def test_importances_do_not_depend_on_the_basis_but_shares_do():
    W, rows = orthonormal(5, 2, seed=3), in_units(np.array([1.0, 2.0, 3.0, 0.5, 1.5]))
    turned = W @ orthonormal(2, 2, seed=4)
    one, other = (feature_importances(model_of(V.T), rows) for V in (W, turned))
    np.testing.assert_allclose(one, other, rtol=1e-12)
    one, other = (feature_shares(model_of(V.T), rows) for V in (W, turned))
    assert np.abs(one - other).max() > 0.05


def test_shares_do_not_depend_on_the_unit_of_a_column():
    """The same directions of the same rows, in millimetres."""
    unit = np.array([1.0, 1000.0, 1.0, 0.01])
    plain = feature_shares(fitted(), X)
    metric = model_of(fitted().components_ / unit)
    np.testing.assert_allclose(feature_shares(metric, X * unit), plain, rtol=1e-9)


@pytest.mark.parametrize("q", [1, 2, 4])
def test_parts_sum_to_one(q):
    model = SupervisedHSIC(q, bandwidth=1.0).fit(X, y)
    shares, importances = feature_shares(model, X), feature_importances(model, X)
    assert shares.shape == (q, 4)
    assert importances.shape == (4,)
    assert min(shares.min(), importances.min()) >= 0
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(importances.sum(), 1.0, rtol=1e-12)


def test_the_planted_feature_is_the_important_one():
    Z = np.random.default_rng(5).standard_normal((150, 3))
    model = SupervisedHSIC(1).fit(Z, np.sin(2 * Z[:, 1]))
    assert feature_importances(model, Z)[1] > 0.95


def test_a_dependent_direction_shows_on_fresh_rows_and_an_independent_one_does_not():
    away = np.linalg.svd(TRUTH.T)[2][1]  # of length 1, and nothing of the truth in it
    model = model_of(np.stack([TRUTH[:, 0], away]))
    found = describe_components(model, X[FRESH], y[FRESH])
    assert found.pvalues[0] < 1e-6
    assert found.pvalues[1] > 0.05
    assert found.cka[0] > 0.3 > 0.1 > found.cka[1]


def test_figures_are_those_of_the_test_and_of_cka():
    found = describe_components(fitted(), X[FRESH], y[FRESH])
    z = fitted().transform(X[FRESH])[:, 0]
    test = hsic_test(z, y[FRESH])
    assert (found.pvalues[0], found.statistics[0]) == (test.pvalue, test.statistic)
    assert found.cka[0] == cka(z, y[FRESH], estimator="unbiased")
    np.testing.assert_array_equal(found.shares, feature_shares(fitted(), X[FRESH]))
    np.testing.assert_array_equal(found.importances, feature_importances(fitted(), X[FRESH]))


def test_settings_reach_the_test_and_the_scale():
    settings = {"method": "permutation", "n_permutations": 30, "random_state": 3}
    found = describe_components(fitted(), X[FRESH], y[FRESH], **settings)
    assert found.pvalues[0] == 1 / 31
    z = fitted().transform(X[FRESH])[:, 0]
    found = describe_components(fitted(), X[FRESH], y[FRESH], bandwidth_y=0.1, estimator="biased")
    assert (
        found.statistics[0] == hsic_test(z, y[FRESH], bandwidth_y=0.1, estimator="biased").statistic
    )
    assert found.cka[0] == cka(z, y[FRESH], bandwidth_y=0.1, estimator="biased")


def test_y_is_of_the_kind_the_model_was_fitted_to():
    """A kernel matrix stays one, numbers that were classes are classes."""
    codes = (y > 0).astype(float)
    K = np.exp(-((y[:, None] - y) ** 2))
    fitted = {
        "precomputed": (K, "precomputed"),
        "classes": (codes, "delta"),
        "multilabel": (np.eye(2)[codes.astype(int)], "linear"),
        "real": ((100 * y).astype(int), "gaussian"),
    }
    for target, (given, kernel) in fitted.items():
        model = SupervisedHSIC(1, bandwidth=0.6, target=target).fit(X, given)
        z = model.transform(X)[:, 0]
        found = describe_components(model, X, given)
        assert found.pvalues[0] == hsic_test(z, given, kernel_y=kernel).pvalue
        assert found.cka[0] == cka(z, given, kernel_y=kernel, estimator="unbiased")
        assert found.cka[0] > 0.2


def test_a_line_per_direction():
    table = pd.DataFrame(X, columns=["age", "dose", "time", "noise"])
    model = SupervisedHSIC(2, bandwidth=0.6).fit(table, y)
    found = describe_components(model, table, y)
    first, second = str(found).splitlines()
    top = np.argsort(-found.shares[0])[:3]
    parts = ", ".join(f"{table.columns[j]} {found.shares[0, j]:.0%}" for j in top)
    assert first == f"component 1: CKA {found.cka[0]:.3f}, p = {found.pvalues[0]:.2g}; {parts}"
    assert second.startswith(f"component 2: CKA {found.cka[1]:.3f}, p = ")


def names(model, table):
    return describe_components(model, table, y).feature_names


def test_names():
    table = pd.DataFrame(X, columns=list("abcd"))
    plain = SupervisedHSIC(1, bandwidth=0.6)
    assert names(fitted(), X) == ["x0", "x1", "x2", "x3"]
    assert names(clone(plain).fit(table, y), table) == list("abcd")
    for before, expected in (
        (StandardScaler(), list("abcd")),
        (PCA(2), ["pca0", "pca1"]),
        ("passthrough", list("abcd")),
        (FunctionTransformer(np.asarray), ["x0", "x1", "x2", "x3"]),  # which cannot say
    ):
        assert names(make_pipeline(before, clone(plain)).fit(table, y), table) == expected
    inner = make_pipeline(PCA(3), clone(plain))
    assert names(make_pipeline(StandardScaler(), inner).fit(table, y), table)[2] == "pca2"
    mixed = table.assign(city=np.array(["Rome", "Oslo"])[np.arange(200) % 2])
    encode = make_column_transformer((OneHotEncoder(), ["city"]), remainder="passthrough")
    assert names(make_pipeline(encode, clone(plain)).fit(mixed, y), mixed)[0].endswith("city_Oslo")


def test_columns_in_another_order_are_refused():
    table = pd.DataFrame(X, columns=list("abcd"))
    model = SupervisedHSIC(1, bandwidth=0.6).fit(table, y)
    with pytest.raises(ValueError, match="same order"):
        feature_shares(model, table[list("dcba")])


def test_shares_of_a_pipeline_are_those_of_its_last_step_on_what_it_sees():
    scale = 10.0 ** np.arange(4)
    model = make_pipeline(StandardScaler(), SupervisedHSIC(1, bandwidth=0.6)).fit(X * scale, y)
    expected = np.square(model[-1].components_)  # columns have standard deviation 1
    np.testing.assert_allclose(
        feature_shares(model, X * scale), expected / expected.sum(), rtol=1e-9
    )


@pytest.mark.parametrize(
    "make", [np.ndarray.tolist, sparse.csr_matrix, sparse.csc_array, np.float32, pd.DataFrame]
)
def test_the_answer_does_not_depend_on_what_holds_the_rows(make):
    rows = make(X)
    np.testing.assert_allclose(
        feature_shares(fitted(), rows), feature_shares(fitted(), X), rtol=1e-4
    )
    found, plain = (describe_components(fitted(), table, y) for table in (rows, X))
    np.testing.assert_allclose(found.cka, plain.cka, rtol=1e-4)


def test_whole_numbers_and_wide_data():
    counts = (5 * X).astype(int)
    assert feature_shares(fitted(), counts)[0].argmax() == feature_shares(fitted(), X)[0].argmax()
    wide = np.random.default_rng(0).standard_normal((30, 70))
    model = SupervisedHSIC(2, bandwidth=5.0).fit(wide, wide[:, 0])
    assert feature_importances(model, wide).argmax() == 0


def test_a_clusterer_has_shares_too():
    Z = np.concatenate([np.full((30, 1), -4.0), np.full((30, 1), 4.0)]) * [1.0, 0.0, 0.0]
    Z = Z + np.random.default_rng(0).standard_normal((60, 3))
    model = UnsupervisedHSIC(2, 1).fit(Z)
    assert feature_importances(model, Z).argmax() == 0
    assert describe_components(model, Z, model.labels_).pvalues[0] < 1e-6


def test_columns_that_are_constant_on_the_rows_given():
    rows = X.copy()
    rows[:, 2] = 1.0
    assert feature_shares(fitted(), rows)[0, 2] == 0.0
    with pytest.raises(DegenerateDataError, match=r"direction 1 is made of\. Pass more rows"):
        feature_shares(fitted(), X[:1])
    with pytest.raises(DegenerateDataError, match="Pass more rows"):
        feature_importances(fitted(), np.ones((5, 4)))


@pytest.mark.parametrize("function", [feature_shares, feature_importances])
def test_bad_input(function):
    with pytest.raises(ValueError, match="X contains NaN"):
        function(fitted(), np.where(X > 2, np.nan, X))
    with pytest.raises(ValueError, match="3 features, but SupervisedHSIC is expecting 4"):
        function(fitted(), X[:, :3])
    with pytest.raises(NotFittedError):
        function(SupervisedHSIC(), X)
    with pytest.raises(NotFittedError):
        function(make_pipeline(StandardScaler(), SupervisedHSIC()), X)
    with pytest.raises(TypeError, match="Got LogisticRegression"):
        function(LogisticRegression(), X)
    longer = make_pipeline(clone(fitted()), LogisticRegression()).fit(X, y > 0)
    with pytest.raises(TypeError, match=r"pass the beginning, like pipeline\[:-1\]"):
        function(longer, X)
    assert function(longer[:-1], X).shape[-1] == 4
    with pytest.raises(TypeError, match="not a source of blocks"):
        function(fitted(), lambda: iter([X]))


def test_a_target_of_the_wrong_length():
    with pytest.raises(ValueError, match="200 rows in X and 199 in Y"):
        describe_components(fitted(), X, y[:-1])
