"""A row of weight 2 is that row twice, one of weight 0 is absent: in estimates and in nulls."""

import re

import numpy as np
import pytest
from scipy import sparse

from hsiclearn import cka, hsic, hsic_estimate, hsic_test, kernels
from hsiclearn._measure import single_rows
from hsiclearn._measure.nulls import coincidences
from measure.direct import delta_matrix, kernel_matrix, related

SAME = 1e-10
ENGINES = ("dense", "tiled", "nystrom")
X, Y = related(50, 2)
RNG = np.random.default_rng(3)
COUNTS = RNG.integers(0, 4, 50)
ROWS = np.repeat(np.arange(50), COUNTS)
WEIGHTS = RNG.uniform(0.2, 3.0, 50)
LABELS = np.digitize(X[:, 0] + Y[:, 0], [-1.0, 0.0, 1.0])
SIDES = {
    "columns": (X, Y, {}),
    "distance": (X, Y, {"kernel_x": "distance"}),
    "polynomial": (X, LABELS, {"kernel_x": kernels.Polynomial(2, 0.7)}),
    "classes": (LABELS, Y[:, 0] > 0, {}),
    "sum of kernels": (X, Y, {"kernel_y": kernels.Gaussian(1.0) - 0.5 * kernels.Gaussian(3.0)}),
    "neighbours": (X, LABELS, {"kernel_x": "relative_gaussian"}),
    "sparse": (sparse.csr_array(np.where(X > 0, X, 0.0)), Y, {"kernel_x": "gaussian"}),
}


def numbers(X, Y, **settings):
    """All that the measure finds, and the mean and spread of the null."""
    found = hsic_estimate(X, Y, **settings)
    ratio = hsic_estimate(X, Y, normalize=True, **settings)
    test = hsic_test(X, Y, **settings)
    assert test.n_samples == found.n_samples
    return [
        found.value,
        found.error,
        found.n_samples,
        ratio.value,
        ratio.error,
        test.pvalue,
        test.null.mean(),
        test.null.std(),
    ]


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("sides", SIDES)
def test_the_repeated_table_has_the_same_numbers(sides, engine, estimator):
    a, b, more = SIDES[sides]
    settings = {"engine": engine, "estimator": estimator, **more}
    expected = numbers(a[ROWS], b[ROWS], **settings)
    assert numbers(a, b, sample_weight=COUNTS, **settings) == pytest.approx(
        expected, rel=SAME, abs=1e-15
    )


def written_out(K, L, v, estimator):
    """Sums over the copies of rows: a pair of them is one of different rows or of one with itself.

    ``sum over i != j = sum_ij v_i v_j a_ij - sum_i v_i a_ii``.
    """
    n = v.sum()
    if estimator == "biased":
        Kc, Lc = (M - v @ M / n - (M @ v / n)[:, None] + v @ M @ v / n**2 for M in (K, L))
        return v @ (Kc * Lc) @ v / (n - 1) ** 2
    k, ell = (M @ v - np.diag(M) for M in (K, L))
    return (
        v @ (K * L) @ v
        - v @ np.diag(K * L)
        + (v @ k) * (v @ ell) / ((n - 1) * (n - 2))
        - 2 / (n - 2) * (v * k) @ ell
    ) / (n * (n - 3))


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize("engine", ENGINES)
def test_any_weights_as_written_out(engine, estimator):
    kernel = kernels.Polynomial(2, 0.7)  # whose features are exact
    K, L = kernel_matrix(X, kernel), delta_matrix(LABELS)
    settings = {"estimator": estimator, "engine": engine, "sample_weight": WEIGHTS}

    def formula(K, L):
        return written_out(K, L, WEIGHTS, estimator)

    value = hsic(X, LABELS, kernel_x=kernel, **settings)
    assert value == pytest.approx(formula(K, L), rel=SAME)
    ratio = formula(K, L) / np.sqrt(formula(K, K) * formula(L, L))
    assert cka(X, LABELS, kernel_x=kernel, **settings) == pytest.approx(ratio, rel=SAME)
    if engine != "nystrom":
        given = hsic(K, LABELS, kernel_x="precomputed", **settings)
        assert given == pytest.approx(value, rel=SAME)


def test_the_error_of_landmarks_holds_for_weights():
    for estimator in ("biased", "unbiased"):
        settings = {"estimator": estimator, "sample_weight": WEIGHTS}
        exact = hsic_estimate(X, Y, engine="tiled", **settings).value
        found = hsic_estimate(X, Y, engine="nystrom", max_landmarks=8, **settings)
        assert abs(exact - found.value) <= found.error < 10 * exact


@pytest.mark.parametrize("sides", ["columns", "classes", "neighbours"])
@pytest.mark.parametrize("engine", ENGINES)
def test_permutations_are_those_of_the_repeated_table(engine, sides):
    a, b, more = SIDES[sides]
    settings = {"method": "permutation", "n_permutations": 15, "engine": engine, **more}
    expected = hsic_test(a[ROWS], b[ROWS], random_state=5, **settings)
    found = hsic_test(a, b, random_state=5, sample_weight=COUNTS, **settings)
    assert found.pvalue == expected.pvalue
    np.testing.assert_array_equal(found.null, expected.null)


def test_a_kernel_matrix_is_permuted_and_blocks_are_drawn_from_the_repeated_table():
    K = kernel_matrix(X, kernels.Gaussian(1.0))
    settings = {"kernel_x": "precomputed", "method": "permutation", "n_permutations": 15}
    expected = hsic_test(K[np.ix_(ROWS, ROWS)], Y[ROWS], **settings)
    assert hsic_test(K, Y, sample_weight=COUNTS, **settings).pvalue == expected.pvalue
    blocks = {"engine": "block", "block_size": 10}
    expected = hsic_test(X[ROWS], Y[ROWS], **blocks)
    found = hsic_test(X, Y, sample_weight=COUNTS, **blocks)
    assert (found.statistic, found.error) == (expected.statistic, expected.error)


def test_labels_that_hardly_agree_are_permuted_as_in_the_repeated_table():
    a, b = np.arange(40) % 37, np.arange(40) // 2
    counts = 1 + (np.arange(40) == 7)
    rows, settings = np.repeat(np.arange(40), counts), {"kernel_x": "delta", "kernel_y": "delta"}
    expected = hsic_test(a[rows], b[rows], **settings)
    found = hsic_test(a, b, sample_weight=counts, **settings)
    assert found.method == "permutation"
    assert (found.pvalue, found.statistic) == (expected.pvalue, expected.statistic)
    assert found.n_samples == 41
    with pytest.raises(ValueError, match=r"hardly agree .* group classes"):
        hsic_test(a, b, sample_weight=1.1 * np.ones(40), **settings)


def test_a_class_of_less_than_a_row_has_no_pairs_of_rows():
    x, y = np.array([0.5, 4.0, 5.5]), np.array([0.1, 0.9, 9.0])
    equal_x, equal_y = (4 * 3 + 5.5 * 4.5) / 2, 9 * 8 / 2
    assert coincidences(x, y) == pytest.approx(equal_x * equal_y / 45)


def test_rows_of_weight_0_are_not_looked_at():
    """Neither at missing values in them, nor at how many classes they would make."""
    pd = pytest.importorskip("pandas")
    absent = COUNTS == 0
    broken = np.where(absent[:, None], np.nan, X)
    names = np.where(absent, None, np.array(["a", "b", "c", "d"])[LABELS])
    expected = hsic(X[ROWS], LABELS[ROWS])
    for labels in (names, list(names), pd.Series(names, dtype="category")):
        assert hsic(broken, labels, sample_weight=COUNTS) == pytest.approx(expected, rel=SAME)
    kept = ~absent
    found = hsic(X, Y, sample_weight=kept, engine="tiled")
    assert found == hsic(X[kept], Y[kept], engine="tiled")  # all others have weight 1


def test_few_integers_are_classes_if_the_repeated_rows_are_many():
    digits = np.arange(12) % 8
    with pytest.warns(match="8 different integers"):  # a quantity, in doubt
        few = hsic_estimate(X[:12], digits)
    assert few.kernel_y.startswith("Gaussian")
    assert hsic_estimate(X[:12], digits, sample_weight=np.full(12, 2)).kernel_y == "delta"


def test_what_is_unchanged_when_all_weights_are_multiplied():
    settings = {"bandwidth_x": 1.0, "bandwidth_y": 0.7}

    def at(measure, factor, **more):
        return measure(X, Y, sample_weight=factor * WEIGHTS, **settings, **more)

    shares = 1.0 / WEIGHTS.sum()
    for engine in ENGINES:
        ratios = [at(hsic_estimate, c, engine=engine, normalize=True) for c in (shares, 1.0, 1e6)]
        for found in ratios:
            assert found.value == pytest.approx(ratios[0].value, rel=SAME)
            assert found.error == pytest.approx(ratios[0].error, rel=1e-6)
    n = WEIGHTS.sum()
    once, twice = (at(hsic, c) * ((c * n - 1) / (c * n)) ** 2 for c in (1.0, 2.0))
    assert twice == pytest.approx(once, rel=SAME)
    assert at(hsic, 2.0, estimator="unbiased") > at(hsic, 1.0, estimator="unbiased")
    assert at(hsic_test, 2.0).pvalue < at(hsic_test, 1.0).pvalue


@pytest.mark.parametrize(
    ("settings", "weights", "message"),
    [
        ({}, WEIGHTS[1:], "one number for each of the 50 rows"),
        ({}, WEIGHTS / WEIGHTS.sum(), "sum of `sample_weight` is 1, of 50 rows: multiply shares"),
        ({}, 1e20 * WEIGHTS, "at most 1e+15"),
        ({}, WEIGHTS / 12, "no table of so few rows varies like this one"),
        ({"method": "permutation"}, WEIGHTS, "a whole number of them. 50 of 50 are not"),
        ({"method": "permutation"}, WEIGHTS, "use method='gamma'"),
        ({"method": "permutation"}, np.full(50, 10**6), "up to 1,000,000 rows. Got 50,000,000"),
        ({"engine": "block"}, WEIGHTS, "engine='block' draws single rows"),
        ({"kernel_x": "relative_gaussian"}, WEIGHTS, "use kernel 'gaussian'"),
        ({"kernel_y": None}, WEIGHTS, "`kernel_y` must be one of"),
    ],
)
def test_errors(settings, weights, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        hsic_test(X, Y, bandwidth_x=0.1, sample_weight=weights, **settings)


def test_errors_of_shapes_and_memory(monkeypatch):
    with pytest.raises(ValueError, match="50 rows in X and 49 in Y"):
        hsic(X, Y[1:], sample_weight=WEIGHTS)
    with pytest.raises(ValueError, match="a vector or a table of rows"):
        hsic(3.0, Y, sample_weight=WEIGHTS)
    with pytest.raises(ValueError, match="as a matrix of shape"):
        hsic(np.ones((50, 3)), Y, kernel_x="precomputed", sample_weight=COUNTS)
    monkeypatch.setattr(single_rows, "_MOST_NUMBERS", 4 * ROWS.size)
    settings = {"method": "permutation", "n_permutations": 2, "sample_weight": COUNTS}
    assert hsic_test(X, Y, **settings).n_samples == ROWS.size
    with pytest.raises(ValueError, match=r"numbers\. Got"):
        hsic_test(np.eye(50), Y, kernel_x="precomputed", **settings)
