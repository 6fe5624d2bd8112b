"""The median distance in the subspace that is found with it."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist

from hsiclearn import Status, solve
from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn._rows import as_rows
from hsiclearn._selection import median_distance, projected_median
from hsiclearn.datasets import make_planted
from hsiclearn.kernels import Gaussian

rng = np.random.default_rng


@pytest.mark.parametrize(("kind", "q"), [("ring", 2), ("sine", 1), ("step", 3)])
def test_the_bandwidth_is_the_median_distance_in_its_own_subspace(kind, q):
    X, y, _ = make_planted(kind, 150, 6)
    gamma = supervised_gamma(read_target(y))
    first = median_distance(X, rng())
    tried = []

    def fit(bandwidth, W):
        tried.append(bandwidth)
        return solve(X, gamma, Gaussian(bandwidth), q, init="phi-zero" if W is None else W)

    bandwidth, result = projected_median(as_rows(X), first, fit, rng())
    assert tried[0] == first
    assert tried[-1] == bandwidth
    assert 2 <= len(tried) <= 11
    assert bandwidth == pytest.approx(np.median(pdist(X @ result.W)), rel=1e-3)


def fits_to(W, **settings):
    """A fit that has one answer, and remembers what it was asked."""
    asked = []

    def fit(bandwidth, start):
        asked.append((bandwidth, start))
        return SimpleNamespace(W=W, status=Status.CONVERGED, **settings)

    return fit, asked


def test_it_goes_on_from_the_subspace_before():
    X, W = rng(0).standard_normal((40, 3)), np.eye(3)[:, :1]
    fit, asked = fits_to(W)
    bandwidth, _ = projected_median(as_rows(X), 7.0, fit, rng())
    assert bandwidth == pytest.approx(np.median(pdist(X[:, :1])), rel=1e-12)
    assert [b for b, _ in asked] == [7.0, bandwidth]
    assert asked[0][1] is None
    assert asked[1][1] is W


def test_a_bandwidth_that_fits_is_left_alone():
    X = rng(0).standard_normal((40, 3))
    fit, asked = fits_to(np.eye(3)[:, :2])
    first = 1.0005 * np.median(pdist(X[:, :2]))
    assert projected_median(as_rows(X), first, fit, rng())[0] == first
    assert len(asked) == 1


def test_it_ends_where_nothing_settles():
    """Answers that alternate between two scales for ever."""
    X = rng(0).standard_normal((40, 2)) * [1.0, 10.0]
    turns = []

    def fit(bandwidth, _):
        turns.append(bandwidth)
        return SimpleNamespace(W=np.eye(2)[:, [len(turns) % 2]], status=Status.CONVERGED)

    bandwidth, _ = projected_median(as_rows(X), 1.0, fit, rng())
    assert len(turns) == 11
    assert turns[-1] == bandwidth


def test_rows_that_meet_in_the_subspace_keep_the_bandwidth():
    X = np.column_stack([np.arange(20.0), np.zeros(20)])
    fit, asked = fits_to(np.eye(2)[:, 1:])
    assert projected_median(as_rows(X), 3.0, fit, rng())[0] == 3.0
    assert len(asked) == 1


def test_an_interrupted_fit_is_the_last():
    X, asked = rng(0).standard_normal((40, 3)), []

    def fit(bandwidth, _):
        asked.append(bandwidth)
        return SimpleNamespace(W=np.eye(3)[:, :1], status=Status.INTERRUPTED)

    bandwidth, result = projected_median(as_rows(X), 7.0, fit, rng())
    assert bandwidth == 7.0
    assert result.status is Status.INTERRUPTED
    assert len(asked) == 1


@pytest.mark.parametrize("columns", [5, 80])
def test_the_median_of_sparse_rows_is_that_of_dense_ones(columns):
    X = rng(0).standard_normal((30, columns)) * (rng(1).random((30, columns)) < 0.3)
    found = median_distance(sparse.csr_array(X), rng())
    assert found == pytest.approx(np.median(pdist(X)), rel=1e-9)
