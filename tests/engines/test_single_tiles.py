"""Tiles in single precision: sums over many rows of which only the tiles are rounded."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._engines import NystromEngine
from hsiclearn.gamma import ClassTable, GaussianColumn
from hsiclearn.kernels import Cauchy, Gaussian
from registry import orthonormal

N, D = 20_000, 6
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, D))
Y = X[:, 0] + 0.3 * X[:, 1] ** 2 + 0.3 * RNG.standard_normal(N)
GAMMAS = {
    "classes": ClassTable.centered((Y > 0.3).astype(int)),
    "real": GaussianColumn(Y, 1.0),
}
W = orthonormal(D, 2, seed=1)


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Gaussian(4.0), Cauchy(2.0)], ids=repr)
@pytest.mark.parametrize("name", GAMMAS)
def test_as_exact_as_the_corrections_need_it(name, kernel):
    engine = NystromEngine(X, GAMMAS[name], kernel)
    total, matrix = engine.contract(W)
    cost, gradient = engine.in_single().total_and_gradient(W)
    off = np.linalg.norm(gradient - matrix @ W) / np.linalg.norm(matrix)
    assert 0.0 < off < 1e-7  # rounded, and by less than a tenth of the tolerance of a fit
    assert cost == pytest.approx(total, rel=1e-6)
    np.testing.assert_allclose(
        engine.total_and_gradient(W)[1], matrix @ W, atol=1e-12 * np.linalg.norm(matrix)
    )


@pytest.mark.parametrize("factor", [1e-5, 1e6])
def test_numbers_out_of_its_range_stay_in_double(factor):
    engine = NystromEngine(factor * X, GAMMAS["classes"], Gaussian(factor))
    ours, theirs = engine.in_single().total_and_gradient(W), engine.total_and_gradient(W)
    assert ours[0] == theirs[0]
    np.testing.assert_array_equal(ours[1], theirs[1])


def test_the_same_features_are_in_force():
    engine = NystromEngine(X, GAMMAS["classes"], Gaussian(1.0))
    sizes = [f.size for _, f in engine._passes.features(W, 1)]
    assert [f.size for _, f in engine.in_single()._passes.features(W, 1)] == sizes


def test_exact_engines_have_no_other_precision():
    objective = Objective(X[:300], GAMMAS["classes"].take(np.arange(300)), Gaussian(1.0))
    assert objective.in_single().cost(W) == objective.cost(W)
