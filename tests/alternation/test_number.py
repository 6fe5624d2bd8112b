"""How many clusters: the widest gap of the graph's spectrum."""

from dataclasses import dataclass

import numpy as np
import pytest

from hsiclearn._alternation import (
    AbstractStrategy,
    ClusterProblem,
    ClusterSettings,
)
from hsiclearn._alternation.strategies import OnAllRows
from hsiclearn.kernels import Gaussian


def rows_in(k, d=3, n=60, seed=0):
    """k clusters far apart along the first column."""
    rng = np.random.default_rng(seed)
    X = 0.1 * rng.standard_normal((n, d))
    X[:, 0] += 10.0 * (np.arange(n) % k)
    return X


@dataclass(frozen=True)
class FakeResult:
    W: np.ndarray
    engine_reason: str = ""


@dataclass(frozen=True)
class Fake:
    """All of a fit that is looked at."""

    k: int
    result: FakeResult
    rows: np.ndarray | None = None


class Fits(AbstractStrategy):
    """Counts fits; each returns the subspace asked for."""

    def __init__(self, W):
        self.W, self.asked = W, []

    def fit(self, problem, rng):
        k = problem.n_clusters
        self.asked.append(k)
        return Fake(k, FakeResult(self.W[k] if isinstance(self.W, dict) else self.W))


def chosen(X, fits, normalize="degree", codes=None):
    """The number of clusters of the fit that is kept."""
    problem = ClusterProblem(
        X=X,
        kernel=Gaussian(1.0),
        n_clusters="auto",
        n_components=1,
        codes=codes,
        settings=ClusterSettings(normalize=normalize),
    )
    return OnAllRows(fits).fit(problem, np.random.default_rng(0)).k


@pytest.mark.parametrize("normalize", ["degree", "none"])
@pytest.mark.parametrize("k", [3, 4, 6])
def test_separate_clusters_are_counted(k, normalize):
    fits = Fits(np.eye(3)[:, :1])
    found = chosen(rows_in(k), fits, normalize)
    # H K H has no eigenvalue for the mean, one less than there are clusters: allowed for.
    assert found == k
    assert fits.asked == [found]


def test_the_subspace_has_the_last_word():
    """All columns show 6 clusters; in the fitted subspace there are 3, and it stays at that."""
    n = 60
    X = 0.1 * np.random.default_rng(0).standard_normal((n, 2))
    X[:, 0] += 10.0 * (np.arange(n) % 3)
    X[:, 1] += 10.0 * (np.arange(n) // 3 % 2)
    fits = Fits(np.eye(2)[:, :1])
    assert chosen(X, fits) == 3
    assert fits.asked == [6, 3]


def test_a_circle_ends():
    """3 leads to 2 and 2 back to 3: no fit is made twice."""
    n = 60
    X = 0.1 * np.random.default_rng(0).standard_normal((n, 2))
    X[:, 0] += 10.0 * (np.arange(n) % 3)
    X[:, 1] += 10.0 * (np.arange(n) // 3 % 2)
    first, second = np.eye(2)[:, :1], np.eye(2)[:, 1:]
    fits = Fits({6: first, 3: second, 2: first})
    assert chosen(X, fits) == 3
    assert fits.asked == [6, 3, 2]


def test_two_rows():
    assert chosen(np.eye(2), Fits(np.eye(2))) <= 2


def test_no_fewer_than_there_are_names():
    fits = Fits(np.eye(3)[:, :1])
    codes = np.full(60, -1)
    codes[:4] = np.arange(4)
    assert chosen(rows_in(3), fits, codes=codes) >= 4
