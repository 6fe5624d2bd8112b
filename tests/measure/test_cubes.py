"""The third moment of two labellings, and a test that is not eager for all their classes."""

from itertools import permutations

import numpy as np
import pytest

from hsiclearn import hsic_test
from hsiclearn._measure.nulls import ClassCubes, coincidences, third_moment
from hsiclearn._measure.permutations import product_of_classes, product_of_matrices
from hsiclearn._measure.side import ClassSide


def u_centred(codes):
    """Zero diagonal and zero row sums, as Szekely and Rizzo have it."""
    n = codes.size
    K = (codes[:, None] == codes).astype(float) - np.eye(n)
    r = K.sum(axis=1)
    A = K - (r + r[:, None]) / (n - 2) + r.sum() / ((n - 1) * (n - 2))
    return A - np.diag(np.diag(A))


def sizes(codes):
    return np.bincount(codes).astype(float)


@pytest.mark.parametrize(("n", "c"), [(8, 3), (20, 7), (50, 40)])
def test_cubes_follow_from_the_sizes_of_classes(n, c):
    codes = np.random.default_rng(n).integers(0, c, n)
    A, cubes = u_centred(codes), ClassCubes.of(sizes(codes))
    assert cubes.trace == pytest.approx(np.trace(A @ A @ A), rel=1e-10)
    assert cubes.entries == pytest.approx(np.sum(A**3), rel=1e-10)


@pytest.mark.parametrize("n", [6, 7])
def test_the_third_moment_over_all_orders(n):
    x, y = np.arange(n) % 3, np.arange(n) // 2
    A, B = u_centred(x), u_centred(y)
    values = [np.vdot(A, B[np.ix_(i, i)]) for i in permutations(range(n))]
    moment = third_moment(ClassCubes.of(sizes(x)), ClassCubes.of(sizes(y)))
    assert moment == pytest.approx(np.mean(np.power(values, 3)), rel=1e-9)


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_a_table_of_two_labellings_permutes_as_their_matrices_do(estimator):
    rng = np.random.default_rng(0)
    x, y = (ClassSide(rng.integers(0, c, 40), c) for c in (5, 9))
    ours = product_of_classes(x, y, estimator)
    theirs = product_of_matrices(x, y, estimator)
    for _ in range(5):
        order = rng.permutation(40)
        assert ours(order) == pytest.approx(theirs(order), rel=1e-10)


def test_many_classes_are_not_rejected_too_often():
    """With mean and variance alone: 6.8 % at 5 %, 2.8 % at 1 %."""
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 50, (600, 2, 100)).astype(str)
    results = [hsic_test(x, y) for x, y in labels]
    pvalues = np.array([result.pvalue for result in results])
    assert {result.method for result in results} == {"gamma"}
    assert 0.03 <= np.mean(pvalues <= 0.05) <= 0.07
    assert np.mean(pvalues <= 0.01) <= 0.02


def test_labellings_that_hardly_agree_are_permuted():
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 300, (2, 60))
    assert coincidences(sizes(x), sizes(y)) < 1.0
    result = hsic_test(x.astype(str), y.astype(str), n_permutations=99)
    assert result.method == "permutation"
    assert result.null.shape == (99,)
