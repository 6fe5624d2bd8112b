"""How many clusters: the widest gap of the graph's spectrum."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn._selection import eigengap_clusters
from hsiclearn.kernels import Gaussian


def rows_in(k, d=3, n=60, seed=0):
    """k clusters far apart along the first column."""
    rng = np.random.default_rng(seed)
    X = 0.1 * rng.standard_normal((n, d))
    X[:, 0] += 10.0 * (np.arange(n) % k)
    return X


class Fits:
    """Counts fits; each returns the subspace asked for."""

    def __init__(self, W):
        self.W, self.asked = W, []

    def __call__(self, k):
        self.asked.append(k)
        W = self.W[k] if isinstance(self.W, dict) else self.W
        return SimpleNamespace(result=SimpleNamespace(W=W), k=k)


@pytest.mark.parametrize("normalize", ["degree", "none"])
@pytest.mark.parametrize("k", [3, 4, 6])
def test_separate_clusters_are_counted(k, normalize):
    fits = Fits(np.eye(3)[:, :1])
    found, fit = eigengap_clusters(rows_in(k), Gaussian(1.0), normalize, fits)
    # H K H has no eigenvalue for the mean, one less than there are clusters: allowed for.
    assert found == k
    assert fit.k == found
    assert fits.asked == [found]


def test_the_subspace_has_the_last_word():
    """All columns show 6 clusters; in the fitted subspace there are 3, and it stays at that."""
    n = 60
    X = 0.1 * np.random.default_rng(0).standard_normal((n, 2))
    X[:, 0] += 10.0 * (np.arange(n) % 3)
    X[:, 1] += 10.0 * (np.arange(n) // 3 % 2)
    fits = Fits(np.eye(2)[:, :1])
    found, fit = eigengap_clusters(X, Gaussian(1.0), "degree", fits)
    assert fits.asked == [6, 3]
    assert found == fit.k == 3


def test_a_circle_ends():
    """3 leads to 2 and 2 back to 3: no fit is made twice."""
    n = 60
    X = 0.1 * np.random.default_rng(0).standard_normal((n, 2))
    X[:, 0] += 10.0 * (np.arange(n) % 3)
    X[:, 1] += 10.0 * (np.arange(n) // 3 % 2)
    first, second = np.eye(2)[:, :1], np.eye(2)[:, 1:]
    fits = Fits({6: first, 3: second, 2: first})
    found, fit = eigengap_clusters(X, Gaussian(1.0), "degree", fits)
    assert fits.asked == [6, 3, 2]
    assert found == fit.k == 3


def test_two_rows():
    found, _ = eigengap_clusters(np.eye(2), Gaussian(1.0), "degree", Fits(np.eye(2)))
    assert found <= 2


def test_no_fewer_than_there_are_names():
    fits = Fits(np.eye(3)[:, :1])
    found, _ = eigengap_clusters(rows_in(3), Gaussian(1.0), "degree", fits, fewest=4)
    assert found >= 4
