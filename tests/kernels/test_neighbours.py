"""Scales set by neighbours, by brute force and by finite differences."""

import numpy as np
import pytest

from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.kernels import NeighbourScales
from naive import assert_close, derivative
from naive_clustering import neighbour_scales
from registry import frozen, orthonormal

rng = np.random.default_rng(3)
PLAIN = frozen(rng.standard_normal((40, 4)))
# Eight rows close together are floored; six pairs of duplicates have their k-th neighbour at a
# positive distance; nine equal rows do not.
FLOORED = frozen(
    np.concatenate([1e-3 * rng.standard_normal((8, 4)), 3.0 + rng.standard_normal((30, 4))])
)
PAIRS = frozen(np.concatenate([PLAIN[:6], PLAIN]))
NINE_EQUAL = frozen(np.concatenate([np.tile(PLAIN[:1], (9, 1)), PLAIN]))
MOSTLY_EQUAL = frozen(np.concatenate([np.tile(PLAIN[:1], (30, 1)), PLAIN[:20]]))
DATA = {
    "plain": PLAIN,
    "floored": FLOORED,
    "pairs": PAIRS,
    "nine equal": NINE_EQUAL,
    "mostly equal": MOSTLY_EQUAL,
}


@pytest.mark.parametrize("floor", [0.5, 0.9, 1.5])
@pytest.mark.parametrize("k", [1, 4, 7])
@pytest.mark.parametrize("name", DATA)
def test_scales_by_brute_force(name, k, floor):
    rows = DATA[name]
    scales = NeighbourScales.of(rows, k, floor)
    assert_close(1.0 / scales.inverse, neighbour_scales(rows, k, floor), 1e-12)


def test_fewer_rows_than_neighbours():
    rows = np.array([[0.0], [1.0], [3.0]])
    np.testing.assert_allclose(1.0 / NeighbourScales.of(rows, 7, 0.5).inverse, [3.0, 2.0, 3.0])


def test_worked_example():
    """On 0, 1, 3, 7 the nearest neighbours are 1, 1, 2 and 4 away; the upper median is 2."""
    rows = np.array([[0.0], [1.0], [3.0], [7.0]])
    np.testing.assert_allclose(1.0 / NeighbourScales.of(rows, 1, 0.75).inverse, [1.5, 1.5, 2, 4])


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("k", [3, 7])
def test_phi_by_finite_differences(name, k):
    """``d/dW sum_i c_i sigma_i(XW) = 2 Phi W``, with c fixed."""
    X, W, floor = DATA[name], orthonormal(4, 2, seed=9), 0.7
    c = np.random.default_rng(4).standard_normal(len(X))

    def weighted_sum(V):
        return float(c @ neighbour_scales(X @ V, k, floor))

    measured = np.zeros(W.shape)
    for index in np.ndindex(*W.shape):
        step = np.zeros(W.shape)
        step[index] = 1.0
        measured[index] = derivative(lambda h, step=step: weighted_sum(W + h * step), h=1e-6)
    phi = NeighbourScales.of(X @ W, k, floor).phi(c, X)
    assert_close(phi, phi.T, 1e-13)
    assert_close(2.0 * phi @ W, measured, 1e-7)


def test_some_rows_are_floored_and_some_are_not():
    """So that the tests above see both."""
    W = orthonormal(4, 2, seed=9)
    for name in ("floored", "nine equal", "mostly equal"):
        scales = NeighbourScales.of(DATA[name] @ W, 7, 0.7)
        floored = scales.distance < scales.lowest
        assert floored.any()
        assert not floored.all()
        assert np.all(np.isfinite(scales.inverse))


@pytest.mark.parametrize("name", DATA)
def test_a_row_of_ours_keeps_its_own_scale(name):
    scales = NeighbourScales.of(DATA[name], 7, 0.5)
    np.testing.assert_array_equal(scales.inverse_at(DATA[name]), scales.inverse)


def test_another_row_takes_its_kth_neighbour_among_ours():
    new = np.random.default_rng(5).standard_normal((6, 4))
    scales = NeighbourScales.of(PLAIN, 7, 0.5)
    distances = np.sort(np.linalg.norm(new[:, None] - PLAIN[None], axis=2), axis=1)
    expected = np.maximum(distances[:, 6], scales.lowest)
    assert_close(1.0 / scales.inverse_at(new), expected, 1e-12)


def test_scales_follow_the_unit_of_the_rows():
    one, thousand = (NeighbourScales.of(c * PLAIN, 7, 0.5) for c in (1.0, 1e3))
    np.testing.assert_allclose(one.inverse, 1e3 * thousand.inverse, rtol=1e-12)


def test_nearly_all_rows_equal_is_an_error():
    rows = np.zeros((50, 3))
    rows[:3] = PLAIN[:3, :3]
    with pytest.raises(DegenerateDataError, match=r"90 % of the 50 rows have 7 duplicates"):
        NeighbourScales.of(rows, 7, 0.5)
