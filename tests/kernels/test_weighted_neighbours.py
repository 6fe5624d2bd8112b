"""Scales of rows with weights, held against the table of repeated rows."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from hsiclearn.exceptions import DegenerateDataError, InvalidKernelError
from hsiclearn.kernels import NeighbourScales, RelativeGaussian
from hsiclearn.kernels.relative_gaussian import _most, _place, _upper_median, reached
from naive import assert_close, derivative
from registry import orthonormal

RNG = np.random.default_rng(13)
X = RNG.standard_normal((40, 3))
V = RNG.integers(1, 4, 40)
ROWS = np.repeat(np.arange(40), V)
NEW = np.concatenate([X[:5], RNG.standard_normal((6, 3))])


@pytest.mark.parametrize("k", [1, 3, 7, 200])
@pytest.mark.parametrize("floor", [0.5, 1.2])
def test_scales_are_those_of_repeated_rows(k, floor):
    """Rows of weight 3 have two of their own copies at distance 0."""
    weighted = NeighbourScales.of(X, k, floor, V.astype(float))
    repeated = NeighbourScales.of(X[ROWS], k, floor)
    assert_close(weighted.inverse[ROWS], repeated.inverse, 1e-12)
    assert_close(weighted.inverse_at(NEW), repeated.inverse_at(NEW), 1e-12)


@pytest.mark.parametrize("k", [1, 4])
def test_weights_of_one_change_nothing(k):
    ones, plain = (NeighbourScales.of(X, k, 0.5, v) for v in (np.ones(40), None))
    np.testing.assert_array_equal(ones.inverse, plain.inverse)
    np.testing.assert_array_equal(ones.neighbor, plain.neighbor)
    assert ones.reference == plain.reference


def test_phi_by_finite_differences():
    """``d/dW sum_i c_i sigma_i(XW) = 2 Phi W``, also where some rows are floored."""
    v, c, W = RNG.uniform(0.3, 2.0, 40), RNG.standard_normal(40), orthonormal(3, 2, seed=2)

    def total(V):
        return float(c @ (1.0 / NeighbourScales.of(X @ V, 3, 0.9, v).inverse))

    measured = np.zeros(W.shape)
    for index in np.ndindex(*W.shape):
        step = np.zeros(W.shape)
        step[index] = 1.0
        measured[index] = derivative(lambda h, step=step: total(W + h * step), h=1e-6)
    scales = NeighbourScales.of(X @ W, 3, 0.9, v)
    assert 0 < np.count_nonzero(scales.distance < scales.lowest) < 40
    assert_close(2.0 * scales.phi(c, X) @ W, measured, 1e-6)


def test_where_weights_add_up():
    """On 0, 1, 2, 4 with weights 1, 0.5, 0.5, 2: from 0 they sum to 1, 1.5, 2 and 4."""
    rows, weights = np.array([[0.0], [1.0], [2.0], [4.0]]), np.array([1.0, 0.5, 0.5, 2.0])
    tree = cKDTree(rows)
    for wanted, distance, at in (
        (1.0, 0.0, 0),
        (1.01, 1.0, 1),
        (1.5 * (1 + 1e-13), 1.0, 1),  # but for rounding
        (1.5 * (1 + 1e-11), 2.0, 2),
        (2.5, 4.0, 3),
        (9.0, 4.0, 3),  # the farthest, where they never do
    ):
        found = reached(tree, weights, np.array([[0.0]]), np.array([wanted]))
        assert (found[0][0], found[1][0]) == (distance, at)


def test_few_neighbours_are_asked_first(monkeypatch):
    """As many as the weights make likely, then twice as many for rows where these do not do."""
    rows, asked = np.arange(100.0)[:, None], []
    weights = np.where(np.arange(100) < 50, 0.1, 3.9)

    class Tree:
        n = 100

        def query(self, some, k):
            asked.append((len(some), len(k)))
            return cKDTree(rows).query(some, k=k)

    distance, at = reached(Tree(), weights, rows[[0, 99]], np.array([2.0, 2.0]))
    assert asked == [(2, 3), (1, 6), (1, 12), (1, 24)]
    np.testing.assert_array_equal((distance, at), ([19.0, 0.0], [19, 99]))
    asked.clear()
    reached(Tree(), weights, rows[[0]], np.array([1e9]))
    assert asked == [(1, 100)]


def test_medians_and_quantiles_by_weight_are_those_of_repeated_rows():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        order, v = rng.permutation(9), rng.integers(1, 4, 9)
        rows = np.repeat(order, v[order])
        for place in (_upper_median, _most):
            expected = rows[place(np.arange(rows.size), None)]
            assert order[place(order, v.astype(float))] == expected
    assert _place(np.arange(3), np.ones(3), 99.0) == 2
    assert _upper_median(np.arange(4), None) == 2
    assert _most(np.arange(11), None) == 9
    assert _most(np.arange(12), None) == 10


def test_distances_of_which_squares_are_lost_are_an_error():
    for size in (1e-70, 1e71):
        with pytest.raises(DegenerateDataError, match="so that no square is lost"):
            NeighbourScales.of(size * np.arange(9.0)[:, None], 1, 0.5)
    assert NeighbourScales.of(1.1e-70 * np.arange(9.0)[:, None], 1, 0.5).distance[0] > 0.0


def test_other_rows_are_ours_up_to_rounding():
    """Nearer than 1e-9 of a typical distance it is one of ours, and not its own neighbour."""
    rows = np.array([[0.0], [1.0], [2.0], [3.0], [5.0]])
    for weights in (None, np.ones(5)):
        scales = NeighbourScales.of(rows, 1, 0.1, weights)
        found = 1.0 / scales.inverse_at(np.array([[5.0], [5.0 + 0.9e-9], [5.0 + 1.1e-9], [6.0]]))
        np.testing.assert_allclose(found, [2.0, 2.0, 0.1, 1.0])


def test_neighbours_are_whole_and_floors_positive():
    for bad in (0, 1.5, -1):
        with pytest.raises(InvalidKernelError, match="integer `n_neighbors` >= 1"):
            RelativeGaussian(bad)
    with pytest.raises(InvalidKernelError, match="floor"):
        RelativeGaussian(1, 0.0)
    assert RelativeGaussian(1).n_neighbors == 1
