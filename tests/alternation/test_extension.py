"""The embedding of new rows: on training rows, their own."""

import numpy as np
import pytest

from hsiclearn._alternation import Extension, labelling
from hsiclearn._objective import ClusterObjective
from hsiclearn.kernels import Cauchy, Gaussian, Linear, RelativeGaussian
from naive import assert_close
from registry import frozen, orthonormal

rng = np.random.default_rng(0)
X = frozen(rng.standard_normal((60, 4)) + 3.0 * np.eye(4)[np.arange(60) % 3] + 10.0)
DUPLICATES = frozen(np.concatenate([X, X[:9]]))
W = orthonormal(4, 2, seed=1)
KERNELS = [Gaussian(1.5), Cauchy(2.0), RelativeGaussian(), Gaussian(2.0) + RelativeGaussian(5)]


@pytest.mark.parametrize("rows", [X, DUPLICATES], ids=["rows", "duplicates"])
@pytest.mark.parametrize("normalize", ["degree", "none"])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_a_training_row_gets_its_own_embedding(kernel, normalize, rows):
    objective = ClusterObjective(rows, kernel, 3, normalize=normalize)
    point = objective.point(W)
    assert_close(Extension.of(point)(objective.X @ W), point.embedding, 1e-6)


def test_inner_products_too():
    objective = ClusterObjective(X, Linear(), 2, normalize="none")
    point = objective.point(W)
    assert_close(Extension.of(point)(objective.X @ W), point.embedding, 1e-6)


@pytest.mark.parametrize("normalize", ["degree", "none"])
def test_new_rows_by_the_formula(normalize):
    objective = ClusterObjective(X, Gaussian(1.5), 3, normalize=normalize)
    point = objective.point(W)
    ours, new = objective.X @ W, rng.standard_normal((7, 2))

    def k(a, b):
        return np.exp(-np.sum((a[:, None] - b[None]) ** 2, axis=2) / (2 * 1.5**2))

    K, values = k(ours, ours), point.spectrum_of_graph.values[:3]
    if normalize == "degree":
        roots = np.sqrt(np.outer(k(new, ours).sum(axis=1), K.sum(axis=1)))
        expected = (k(new, ours) / roots) @ point.embedding / values
    else:
        expected = (k(new, ours) - K.mean(axis=0)) @ point.embedding / values
    assert_close(Extension.of(point)(new), expected, 1e-10)


def test_blocks_of_rows_change_nothing(monkeypatch):
    objective = ClusterObjective(X, RelativeGaussian(), 3)
    extend = Extension.of(objective.point(W))
    whole = extend(objective.X @ W)
    monkeypatch.setattr(labelling, "_BLOCK", 7 * len(X))
    assert_close(extend(objective.X @ W), whole, 1e-12)


def test_a_row_beyond_the_kernels_reach_is_finite():
    point = ClusterObjective(X, Gaussian(0.5), 3).point(W)
    assert np.all(np.isfinite(Extension.of(point)(np.full((1, 2), 1e6))))
