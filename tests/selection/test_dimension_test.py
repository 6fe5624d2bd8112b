"""The test of how many directions are needed: its statistic by hand, its level, its power."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import binom

from hsiclearn import Objective, dimension_test, hsic_path
from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn._selection.dimension_test import _parts
from hsiclearn._selection.sample import folds
from hsiclearn.datasets import make_planted
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.gamma import Dense
from hsiclearn.kernels import Gaussian
from registry import orthonormal

QUICK = {"n_permutations": 9, "alpha": 0.1}


def planted(kind, n=120, d=4, seed=0):
    return make_planted(kind, n, d, random_state=seed)


@cache
def outcome(kind, **settings):
    X, y, _ = planted(kind)
    return dimension_test(X, y, **{"n_permutations": 19} | settings)


def sum_by_hand(gamma, Z, bandwidth):
    """``sum_ij Gamma_ij exp(-|z_i - z_j|^2 / 2 s^2)``, a loop over rows."""
    total = 0.0
    for weights, z in zip(gamma, Z, strict=True):
        total += weights @ np.exp(-((Z - z) ** 2).sum(axis=1) / (2 * bandwidth**2))
    return total


@pytest.mark.parametrize("q", [1, 2])
def test_a_kernel_of_both_is_the_product(q):
    """-cost of v with weights Gamma o K_Z is HSIC with W and v side by side."""
    X, y, _ = planted("ring", 40)
    gamma, kernel = supervised_gamma(read_target(y)).to_dense(), Gaussian(0.8)
    Z, R = _parts(X, orthonormal(4, q, seed=1))
    v = orthonormal(4 - q, 1, seed=2)
    K_Z = np.exp(-((Z[:, None] - Z[None]) ** 2).sum(axis=2) / (2 * 0.8**2))
    gain = -Objective(R, Dense(gamma * K_Z), kernel).point(v).cost
    assert gain == pytest.approx(sum_by_hand(gamma, np.hstack([Z, R @ v]), 0.8), rel=1e-10)


def test_the_statistics_are_the_sums_they_are_called():
    """Two columns: at q = 0 the best of all angles, at q = 1 one direction is left."""
    X, y, _ = planted("sine", 80, 2)
    gamma = supervised_gamma(read_target(y)).to_dense()
    cv = folds(80, 3, np.random.default_rng(0))
    test = dimension_test(X, y, n_permutations=19, cv=cv)
    path = hsic_path(X, y, n_components=(1,), cv=cv)
    column = path.best[1]
    bandwidth, W = path.bandwidths[0, column], path.components[0][column].T

    angles = np.linspace(0, np.pi, 181)
    turns = np.stack([np.cos(angles), np.sin(angles)])
    best = max(sum_by_hand(gamma, X @ turns[:, [i]], bandwidth) for i in range(181))
    assert test.statistics[0] == pytest.approx(best, rel=1e-3)

    centred = X - X.mean(axis=0)
    z, r = centred @ W[:, 0], centred @ [-W[1, 0], W[0, 0]]
    r = r - z * (z @ r) / (z @ z)
    expected = sum_by_hand(gamma, np.stack([z, r], axis=1), bandwidth)
    assert test.statistics[1] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("q", [1, 3])
def test_the_rest_is_uncorrelated_and_complete(q):
    X = np.random.default_rng(0).standard_normal((50, 5)) @ orthonormal(5, 5, seed=1) + 3.0
    X[:, 1] += X[:, 0]
    W = orthonormal(5, q, seed=2)
    Z, R = _parts(X, W)
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(Z, centred @ W, atol=1e-12)
    assert R.shape == (50, 5 - q)
    np.testing.assert_allclose(Z.T @ R, 0.0, atol=1e-10)
    both = np.hstack([Z, R])
    np.testing.assert_allclose(both @ np.linalg.lstsq(both, centred)[0], centred, atol=1e-10)
    # Distances in the rest are those of the complement, less its regression on Z.
    off = centred - Z @ W.T
    off -= Z @ np.linalg.lstsq(Z, off)[0]
    np.testing.assert_allclose(R @ R.T, off @ off.T, atol=1e-10)


def test_without_directions_the_rest_is_everything():
    X = np.random.default_rng(0).standard_normal((30, 4))
    Z, R = _parts(X, np.empty((4, 0)))
    centred = X - X.mean(axis=0)
    assert Z.shape == (30, 0)
    np.testing.assert_allclose(R @ R.T, centred @ centred.T, atol=1e-12)


@pytest.mark.parametrize(
    ("kind", "q"),
    [
        ("sine", 1),
        ("ring", 2),
        *(pytest.param(*case, marks=pytest.mark.long) for case in (("step", 1), ("product", 2))),
    ],
)
def test_the_planted_dimension_is_found(kind, q):
    test = outcome(kind)
    assert test.n_components == q
    assert len(test.pvalues) == len(test.statistics) == len(test.nulls) == q + 1
    assert (test.pvalues[:-1] <= test.alpha).all()
    assert test.pvalues[-1] > test.alpha


@pytest.mark.long
def test_nothing_is_found_where_nothing_is():
    """Of 20 p-values at q = 0 few are small, and about half are below one half."""
    rng = np.random.default_rng(2)
    pvalues = []
    for seed in range(20):
        X, y = rng.standard_normal((24, 2)), rng.standard_normal(24)
        test = dimension_test(X, y, max_components=0, random_state=seed, **QUICK)
        pvalues.append(test.pvalues.item())
    small, low = (np.count_nonzero(np.array(pvalues) <= level) for level in (0.1, 0.5))
    assert small <= binom.ppf(0.999, 20, 0.1)
    assert binom.ppf(0.001, 20, 0.5) <= low <= binom.ppf(0.999, 20, 0.5)


def test_an_independent_target_needs_no_direction():
    X, y, _ = planted("sine", 80)
    test = dimension_test(X, np.random.default_rng(4).permutation(y), n_permutations=19)
    assert test.n_components == 0
    assert len(test.pvalues) == 1


def test_pvalues_are_ranks_among_the_permutations():
    test = outcome("sine")
    for p, statistic, null in zip(test.pvalues, test.statistics, test.nulls, strict=True):
        assert null.shape == (19,)
        assert p == (1 + np.count_nonzero(null >= statistic)) / 20
    assert test.pvalues[0] == 1 / 20  # the smallest there is


def test_it_asks_no_further_than_told():
    """Rejected at 0 and 1, and 2 was not asked; what was asked has the same answer."""
    short, whole = outcome("product", max_components=1), outcome("product")
    assert short.n_components is None
    assert len(short.pvalues) == 2
    np.testing.assert_array_equal(short.statistics, whole.statistics[:2])


def test_it_stops_at_the_first_pvalue_above_alpha():
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((30, 3)), rng.standard_normal(30)
    strict, lenient = (dimension_test(X, y, n_permutations=9, alpha=a) for a in (0.1, 0.999))
    assert strict.n_components == 0
    assert strict.pvalues.shape == (1,)
    assert 0.1 < strict.pvalues[0] == lenient.pvalues[0]
    assert (lenient.pvalues < 0.999).all()  # so that none of three is the last word
    assert lenient.pvalues.shape == (3,)
    assert lenient.n_components is None


def test_two_tests_are_equal_to_the_bit():
    X, y, _ = planted("sine", 40, 2)
    first, second, other = (
        dimension_test(X, y, max_components=0, random_state=seed, **QUICK) for seed in (1, 1, 2)
    )
    assert first.nulls[0].tobytes() == second.nulls[0].tobytes()
    assert first.statistics.tobytes() == second.statistics.tobytes()
    assert not np.array_equal(first.nulls[0], other.nulls[0])


def test_columns_that_repeat_each_other_leave_no_rest():
    """Else rounding would be ranked among rounding."""
    z = np.random.default_rng(0).standard_normal(60)
    test = dimension_test(np.stack([z, z, 2 * z], axis=1), z**3, n_permutations=19)
    assert test.n_components == 1
    assert test.pvalues.tolist() == [1 / 20, 1.0]
    assert test.statistics[1] == 0.0


def test_columns_that_do_not_vary_change_nothing():
    X, y, _ = planted("sine", 50, 2)
    plain, more = (dimension_test(table, y, **QUICK) for table in (X, np.insert(X, 1, 5.0, axis=1)))
    np.testing.assert_allclose(more.statistics, plain.statistics, rtol=1e-9)
    assert more.n_components == plain.n_components == 1


def test_one_column_and_wide_data():
    X, y, W = planted("sine", 60)
    one = dimension_test(X @ W, y, **QUICK)
    assert one.n_components is None  # none beyond the only one can be asked for
    assert one.pvalues.tolist() == [1 / 10]
    rng = np.random.default_rng(0)
    wide = rng.standard_normal((30, 50))
    test = dimension_test(wide, rng.standard_normal(30), **QUICK)
    assert test.n_components == 0


def test_the_answer_does_not_depend_on_what_holds_the_rows():
    X, y, _ = planted("step", 40, 3)
    settings = QUICK | {"max_components": 0}
    plain = dimension_test(X, y, **settings)
    names = pd.Series(np.array(["no", "yes"])[y], index=range(50, 90))
    for table in (X.tolist(), pd.DataFrame(X, columns=list("abc")), sparse.csr_array(X)):
        test = dimension_test(table, names, **settings)
        np.testing.assert_allclose(test.statistics, plain.statistics, rtol=1e-6)
        assert test.pvalues == plain.pvalues
    cv = folds(40, 3, np.random.default_rng(0), y)
    same = dimension_test(X, y[:, None] == y, target="precomputed", cv=cv, **settings)
    with_labels = dimension_test(X, y, cv=cv, **settings)
    np.testing.assert_allclose(same.statistics, with_labels.statistics, rtol=1e-6)


def test_of_more_rows_some_are_drawn():
    X, y, _ = planted("sine", 150)
    few = dimension_test(X, y, n_permutations=19, max_components=0, max_rows=40)
    assert few.statistics[0] < outcome("sine").statistics[0]  # a sum over fewer pairs
    assert few.pvalues[0] == 1 / 20


X, y, _ = planted("sine", 40)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_components": -1}, r"integer in 0 \.\. 3: .* Got -1"),
        ({"max_components": 4}, r"integer in 0 \.\. 3: .* Got 4"),
        ({"max_components": 1.0}, "Got 1.0"),
        ({"max_components": "auto"}, "Got 'auto'"),
        ({"alpha": 0.0}, "`alpha` must lie between 0 and 1. Got 0.0"),
        ({"alpha": float("nan")}, "Got nan"),
        ({"n_permutations": 0}, "integer >= 19"),
        ({"n_permutations": 18}, "integer >= 19, or no p-value can reach alpha=0.05. Got 18"),
        ({"n_permutations": 99, "alpha": 0.001}, "integer >= 999"),
        ({"n_permutations": 50.5}, "Got 50.5"),
        ({"target": "labels"}, "`target` must be one of"),
        ({"cv": 1}, "`cv` as a number of folds must lie in 2"),
        ({"max_rows": 9}, "need 10 of them or more"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises(ValueError, match=message):
        dimension_test(X, y, **settings)


def test_bad_tables():
    with pytest.raises(ValueError, match="Input X contains NaN"):
        dimension_test(np.where(X > 2, np.nan, X), y)
    with pytest.raises(ValueError, match="each of the 40 rows of X"):
        dimension_test(X, y[:-1])
    with pytest.raises(ValueError, match="Got 2 rows"):
        dimension_test(X[:2], y[:2])
    with pytest.raises(DegenerateDataError, match="constant"):
        dimension_test(np.ones((40, 2)), y)
