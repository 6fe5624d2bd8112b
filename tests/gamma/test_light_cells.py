"""Cells that hardly count: their shares against a count of pairs, and what they do to Phi."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn.gamma import GaussianColumn
from hsiclearn.gamma.light_cells import light_cells
from hsiclearn.kernels import Gaussian
from registry import orthonormal

N, BANDWIDTH = 2000, 0.7
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, 5))
Y = X[:, 0] + 0.5 * RNG.standard_t(1.2, N)


def test_shares_are_those_of_pairs():
    """Counted pair by pair: rows of a cell with those of all cells within reach."""
    width = BANDWIDTH / 5
    corners, counts = np.unique(np.floor(Y / width), return_counts=True)
    middles = (corners + 0.5) * width
    near = np.abs(np.subtract.outer(middles, middles)) < 2.5 * BANDWIDTH + 0.5 * width
    pairs = counts * (near @ counts - 1.0)
    light, far = light_cells(middles, counts, BANDWIDTH, width, 1e-3)
    total = pairs.sum()
    assert 0.0 < pairs[light].sum() / total <= 1e-3
    assert pairs[far].sum() / total <= 1e-5
    assert pairs[light].max() <= pairs[~light].min()
    assert np.all(far[pairs == 0])
    assert not light_cells(middles, counts, BANDWIDTH, width, 0.0).is_light.any()


@pytest.mark.parametrize(("light", "error"), [(1e-6, 5e-6), (1e-4, 5e-5), (1e-3, 3e-4)])
def test_light_cells_change_phi_by_about_their_share(light, error):
    gamma = GaussianColumn(Y, BANDWIDTH, n_nodes=6, light=light)
    exact, W = GaussianColumn(Y, BANDWIDTH, n_nodes=10), orthonormal(5, 2, seed=1)
    assert gamma.n_slots < exact.n_slots
    expected = Objective(X, exact, Gaussian(1.5), "tiled").phi(W)
    found = Objective(X, gamma, Gaussian(1.5), "nystrom", rtol=1e-9).phi(W)
    assert np.linalg.norm(found - expected) <= error * np.linalg.norm(expected)


def test_a_row_alone_counts_in_the_means_only():
    """Of ``H K H`` a row far from all others keeps ``K_ii``, of which 1 / n is in its mean."""
    y = np.concatenate([np.linspace(0.0, 1.0, 50), [1e6, 2e6]])
    gamma = GaussianColumn(y, BANDWIDTH, n_nodes=8, light=1e-12)
    K = np.exp(-(np.subtract.outer(y, y) ** 2) / (2 * BANDWIDTH**2))
    H = np.eye(52) - 1.0 / 52
    off = ~np.eye(52, dtype=bool)
    np.testing.assert_allclose(gamma.apply(np.eye(52))[off], (H @ K @ H)[off], atol=1e-9)
    np.testing.assert_allclose(gamma.to_dense(), H @ K @ H, atol=1e-9)
