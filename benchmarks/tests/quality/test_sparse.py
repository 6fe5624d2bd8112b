"""Planted targets of few columns: what is planted, and who finds it."""

import numpy as np
import pytest

from hsiclearn_benchmarks import units
from hsiclearn_benchmarks.quality import sparse
from hsiclearn_benchmarks.quality.sparse import FINDERS, find_support, measure_sparse, sparse_rows
from hsiclearn_benchmarks.quality.suite import Suite


@pytest.mark.parametrize("kind", ["xor", "ring", "sine", "product"])
def test_five_columns_have_one_part_each(kind):
    X, y, W = sparse_rows(kind, 3)
    assert X.shape == (300, 100)
    np.testing.assert_allclose(W.T @ W, np.eye(W.shape[1]), atol=1e-12)
    lengths = np.linalg.norm(W, axis=1)
    assert (lengths > 0.0).sum() == 5
    np.testing.assert_allclose(lengths[lengths > 0.0], np.sqrt(W.shape[1] / 5))
    z = X @ W
    expected = {
        "xor": lambda: z[:, 0] * z[:, 1] > 0.0,
        "ring": lambda: np.hypot(z[:, 0], z[:, 1]) > 1.18,
        "sine": lambda: np.sin(2.0 * z[:, 0]),
        "product": lambda: z[:, 0] * z[:, 1],
    }[kind]()
    np.testing.assert_allclose(y, expected, atol=0.5 if y.dtype.kind == "f" else 0.0)
    assert np.abs(np.cov(X.T) - np.eye(100)).max() < 0.4


def test_seeds_have_other_columns_and_are_the_same_again():
    first, second = (sparse_rows("xor", seed) for seed in (0, 1))
    assert set(np.flatnonzero(first.W[:, 0])) != set(np.flatnonzero(second.W[:, 0]))
    np.testing.assert_array_equal(sparse_rows("xor", 0).X, first.X)


@pytest.mark.parametrize(("wrong", "exact"), [(0, 1), (1, 0)])
def test_only_the_exact_support_counts(wrong, exact, monkeypatch):
    truth = np.flatnonzero(sparse_rows("ring", 0).W.any(axis=1)).tolist()
    others = [j for j in range(100) if j not in truth]
    found = truth[wrong:] + others[:wrong]

    def find(X, y, k, q):
        assert (X.shape, k, q) == ((300, 100), 5, 2)
        np.testing.assert_allclose(X.std(axis=0), 1.0)
        return found

    monkeypatch.setitem(FINDERS, "rfm", sparse.Finder("RFM", find, str))
    figures = find_support(method="rfm", kind="ring", seed=0)
    assert (figures["hits"], figures["exact"]) == (5 - wrong, exact)


def linear(n=200, d=12):
    X = np.random.default_rng(0).standard_normal((n, d))
    return X, X[:, 2] - 2.0 * X[:, 9]


def test_the_recursive_feature_machine_finds_columns():
    assert set(FINDERS["rfm"].find(*linear(), 2, 1)) == {2, 9}


def test_hsic_lasso_finds_columns():
    pytest.importorskip("pyHSICLasso", reason="The extra `rivals` is not installed.")
    X, y = linear()
    assert set(FINDERS["hsic-lasso"].find(X, y, 2, 1)) == {2, 9}
    assert set(FINDERS["hsic-lasso"].find(X, (y > 0).astype(int), 2, 1)) == {2, 9}


def test_ours_is_asked_for_its_support():
    X, y, W = sparse.sparse_rows("ring", 0)
    found = FINDERS["ours"].find(X[:, W.any(axis=1)], y, 3, 2)
    assert len(set(found)) == 3
    assert set(found) <= set(range(5))


def test_the_part_counts_and_a_failure_meets_no_goal(monkeypatch):
    def here(part, asked, store, **settings):
        return {unit.name: units._figures(unit) for unit in asked}

    def lucky(X, y, k, q):
        """Finds all of the first and the second seed, of floats nothing."""
        if y.dtype.kind == "f":
            raise ValueError("no way")
        return truths[y.tobytes()] if y.tobytes() in truths else list(range(k))

    rows = [sparse_rows("xor", seed) for seed in range(2)]
    truths = {y.tobytes(): np.flatnonzero(W.any(axis=1)).tolist() for _, y, W in rows}
    monkeypatch.setattr("hsiclearn_benchmarks.quality.suite.perform", here)
    monkeypatch.setattr(sparse, "FINDERS", {"ours": sparse.Finder("SupervisedHSIC", lucky, str)})
    part = measure_sparse(Suite())
    assert [goal.value for goal in part.goals] == [2, 0, None, None]
    assert "no way" in part.report()
    monkeypatch.setattr(sparse, "_ENOUGH", 2)
    assert [goal.is_met for goal in measure_sparse(Suite()).goals] == [True, False, False, False]
