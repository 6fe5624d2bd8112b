"""The clustering objective of rows that count more or less than once.

Whole weights are repeated rows, written out as n x n matrices of the repeated table; a weight that
is no whole number is one that may be divided among equal rows, and its gradient is measured.
"""

from itertools import product

import numpy as np
import pytest

from hsiclearn._objective import ClusterObjective, Guidance
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.kernels import Cauchy, Gaussian, NeighbourScales, RelativeGaussian
from naive import assert_close, derivative
from naive_clustering import cost, neighbour_scales
from registry import W, frozen, one_hot, orthonormal

N, K = 30, 3
rng = np.random.default_rng(70)
X = frozen(rng.standard_normal((N, 4)) + 1.5 * one_hot(np.arange(N) % 4))
V = frozen(rng.integers(1, 5, N).astype(float))
REPEATED = np.repeat(np.arange(N), V.astype(int))
REAL = frozen(rng.uniform(0.3, 3.0, N))  # some below one, which have no copies
CODES = frozen(rng.integers(0, 3, N))
KERNELS = {
    "gaussian": Gaussian(1.2),
    "relative-gaussian": RelativeGaussian(5),
    "two-terms": 0.5 * Cauchy() + RelativeGaussian(7, floor=1.0),
    "all-rows-near": RelativeGaussian(500),
}


def guidance(weights, kind):
    """Labels of all rows to stay away from, or of the first half to follow; centred by weights."""
    U, known = one_hot(CODES), np.arange(N) < (N if kind == "away" else N // 2)
    v = weights * known
    U = known[:, None] * (U - v @ U / v.sum())
    return {"none": [], "away": [Guidance(U, 20.0)], "follow": [Guidance(U, 2.0, True)]}[kind]


def repeated(terms):
    return [Guidance(term.U[REPEATED], term.weight, term.follow) for term in terms]


def objective(weights, kernel, terms, normalize, rows=X, **more):
    return ClusterObjective(rows, kernel, K, terms, normalize, weights=weights, **more)


CASES = list(product(KERNELS, ("degree", "none"), ("none", "away", "follow")))


@pytest.mark.parametrize(("kernel", "normalize", "kind"), CASES)
def test_whole_weights_are_repeated_rows(kernel, normalize, kind):
    kernel, terms = KERNELS[kernel], guidance(V, kind)
    ours = objective(V, kernel, terms, normalize).point(W)
    table = ClusterObjective(X[REPEATED], kernel, K, repeated(terms), normalize)
    theirs = table.point(W)
    expected = cost(X[REPEATED], W, kernel, K, repeated(terms), normalize)
    assert ours.cost == pytest.approx(expected, rel=1e-12)
    assert_close(ours.phi, theirs.phi, 1e-11)
    assert_close(ours.spectrum_of_graph.values, theirs.spectrum_of_graph.values, 1e-12)
    assert_close(ours.degree[REPEATED], theirs.degree, 1e-12)
    assert ours.assortativity == pytest.approx(theirs.assortativity, abs=1e-12)
    # The same space of eigenvectors, and of unit length on the repeated rows.
    Y = ours.embedding[REPEATED]
    assert_close(Y @ Y.T, theirs.embedding @ theirs.embedding.T, 1e-10)
    assert ours.n_alone == theirs.n_alone
    assert (ours.tightness, ours.stands_clear) == (
        pytest.approx(theirs.tightness, rel=1e-9),
        theirs.stands_clear,
    )


@pytest.mark.parametrize(("kernel", "normalize", "kind"), CASES)
def test_gradient_by_finite_differences(kernel, normalize, kind):
    """Weights between and below whole numbers, through degrees, scales, floors and guidance."""
    ours = objective(REAL, KERNELS[kernel], guidance(REAL, kind), normalize)
    direction = np.random.default_rng(71).standard_normal(W.shape)
    measured = derivative(lambda h: ours.cost(W + h * direction), 1e-5)
    assert np.sum(2.0 * ours.phi(W) @ W * direction) == pytest.approx(measured, rel=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("normalize", ["degree", "none"])
def test_a_weight_may_be_divided_among_equal_rows(kernel, normalize):
    weights = REAL + 2.0
    terms = guidance(weights, "away")
    whole = objective(weights, KERNELS[kernel], terms, normalize).point(W)
    twice = np.concatenate([np.arange(N), [3, 8]])
    divided = weights[twice]
    divided[[3, 8]] -= 1.25
    divided[-2:] = 1.25
    parts = [Guidance(term.U[twice], term.weight) for term in terms]
    other = objective(divided, KERNELS[kernel], parts, normalize, X[twice]).point(W)
    assert other.cost == pytest.approx(whole.cost, rel=1e-12)
    assert_close(other.phi, whole.phi, 1e-10)


def test_tiles_subsets_and_weights_of_one():
    kernel, terms = KERNELS["two-terms"], guidance(V, "away")
    dense = objective(V, kernel, terms, "degree")
    tiled = objective(V, kernel, terms, "degree", engine="tiled")
    assert tiled.cost(W) == pytest.approx(dense.cost(W), rel=1e-12)
    index = np.arange(0, N, 2)
    again = np.flatnonzero(np.isin(REPEATED, index))
    table = ClusterObjective(X[REPEATED], kernel, K, repeated(terms), "degree")
    assert dense.subset(index).cost(W) == pytest.approx(table.subset(again).cost(W), rel=1e-12)
    ones = objective(np.ones(N), kernel, guidance(np.ones(N), "away"), "degree").point(W)
    plain = objective(None, kernel, guidance(np.ones(N), "away"), "degree").point(W)
    assert ones.cost == pytest.approx(plain.cost, rel=1e-13)
    assert_close(ones.phi, plain.phi, 1e-12)


def test_far_rows_of_great_weight_are_not_alone():
    """A row is alone that has no copy and no neighbour."""
    rows = 1e3 * np.eye(4)
    for weights, expected in (([1, 1, 1, 1], 4), ([2, 1, 1, 3], 2), ([0.5, 2, 1, 1], 3)):
        far = ClusterObjective(rows, Gaussian(1.0), 2, weights=np.array(weights, dtype=float))
        assert far.point(np.eye(4)).n_alone == expected


# Scales -------------------------------------------------------------------------------------------

CLUMPS = frozen(np.concatenate([np.tile(X[:1], (3, 1)), 1e-3 * X[:6], X + 3.0]))


@pytest.mark.parametrize("floor", [0.5, 1.0])
@pytest.mark.parametrize("k", [2, 4, 9, 400])
def test_scales_of_whole_weights_are_those_of_repeated_rows(k, floor):
    weights = np.random.default_rng(72).integers(1, 6, len(CLUMPS))
    table = np.repeat(np.arange(len(CLUMPS)), weights)
    ours = NeighbourScales.of(CLUMPS, k, floor, weights.astype(float))
    theirs = NeighbourScales.of(CLUMPS[table], k, floor)
    assert_close(ours.inverse[table], theirs.inverse, 1e-12)
    assert_close(1.0 / theirs.inverse, neighbour_scales(CLUMPS[table], k, floor), 1e-12)
    new = np.concatenate([CLUMPS[::4], CLUMPS[::5] + 0.3])
    assert_close(ours.inverse_at(new), theirs.inverse_at(new), 1e-12)
    assert_close(ours.inverse_at(CLUMPS), ours.inverse, 1e-12)
    assert_close(
        ours.phi(np.ones(len(CLUMPS)), CLUMPS),
        theirs.phi(1.0 / weights[table], CLUMPS[table]),
        1e-10,
    )


def test_light_rows_reach_farther():
    """Of weights of a tenth it takes seventy rows to be seven; a rounding of sums is no row."""
    rows = np.arange(200.0)[:, None]
    scales = NeighbourScales.of(rows, 7, 0.5, np.full(200, 0.1))
    assert scales.distance[100] == 35.0
    assert np.array_equal(scales.inverse_at(rows), scales.inverse)


def test_ninety_percent_by_weight():
    """Where the median distance is zero, the 0.9 quantile of the repeated table is its place."""
    rows = np.concatenate([np.zeros((1, 2)), rng.standard_normal((4, 2))])
    ours = NeighbourScales.of(rows, 2, 0.5, np.array([20.0, 1.0, 1.0, 1.0, 2.0]))
    table = np.repeat(np.arange(5), [20, 1, 1, 1, 2])
    assert_close(ours.inverse[table], NeighbourScales.of(rows[table], 2, 0.5).inverse, 1e-12)
    with pytest.raises(DegenerateDataError, match="duplicates or more"):
        NeighbourScales.of(rows, 2, 0.5, np.array([200.0, 1.0, 1.0, 1.0, 1.0]))


def test_frozen_scales():
    ours = objective(V, RelativeGaussian(5), (), "degree")
    at = orthonormal(4, 2, seed=9)
    with ours.frozen(W):
        point = ours.point(at)
        direction = np.random.default_rng(73).standard_normal(W.shape)
        measured = derivative(lambda h: ours.cost(at + h * direction), 1e-5)
    assert np.sum(2.0 * point.phi @ at * direction) == pytest.approx(measured, rel=1e-6)
