"""The settled history never rises: all estimators, both normalisations, random problems."""

import numpy as np
import pytest

from clusterings import ESTIMATORS, guide_of

KERNELS = ("relative_gaussian", "gaussian", "cauchy")


def random_problem(seed):
    """Rows in a few overlapping clusters, some of them twice, and labels that fit by halves."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(40, 90)), int(rng.integers(2, 6))
    k, q = int(rng.integers(2, 4)), int(rng.integers(1, d + 1))
    codes = rng.integers(0, k, n)
    X = rng.standard_normal((n, d)) + rng.uniform(0.5, 4.0) * rng.standard_normal((k, d))[codes]
    X[-5:] = X[:5]
    labels = np.where(rng.uniform(size=n) < 0.5, codes, rng.integers(0, k, n))
    return X, labels, k, q


@pytest.mark.usefixtures("without_refits")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("normalize", ["degree", "none"])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_settled_history_never_rises(name, normalize, seed):
    X, labels, k, q = random_problem(seed)
    for kernel in KERNELS:
        model = ESTIMATORS[name](k, q, normalize=normalize, kernel=kernel, init="identity")
        result = model.fit(X, guide_of(name, labels)).result_
        costs = np.array([record.cost for record in result.history])
        assert np.all(np.diff(costs) <= 1e-12 * np.abs(costs[:-1])), kernel
        assert result.cost == costs[-1]
        assert result.certificate.orthogonality <= 1e-10


@pytest.mark.usefixtures("without_refits")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_nor_does_that_of_a_search(name):
    X, labels, k, q = random_problem(7)
    result = ESTIMATORS[name](k, q).fit(X, guide_of(name, labels)).result_
    costs = np.array([record.cost for record in result.history])
    assert np.all(np.diff(costs) <= 1e-12 * np.abs(costs[:-1]))
