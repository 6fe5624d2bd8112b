"""Starts: deterministic, orthonormal, and each good at what it is for."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from hsiclearn import Objective, solve
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._solvers.starts import START_NAMES, SecondMoments, start_from_name
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Linear, Polynomial
from problems import ring, standardised


def wine_objective(kernel=None):
    X, y, median = standardised("wine")
    return Objective(X, ClassTable.centered(y), kernel or Gaussian(median))


@pytest.mark.parametrize("name", START_NAMES)
@pytest.mark.parametrize("q", [1, 2, 5, 13])
def test_orthonormal_and_reproducible(name, q):
    objective = wine_objective()
    W = start_from_name(name, objective, q, np.random.default_rng(0))
    again = start_from_name(name, objective, q, np.random.default_rng(0))
    assert W.shape == (13, q)
    np.testing.assert_allclose(W.T @ W, np.eye(q), atol=1e-12)
    assert W.tobytes() == again.tobytes()


@pytest.mark.parametrize("kernel", [Gaussian(3.0), Linear(), Polynomial(2, 0.0)], ids=repr)
@pytest.mark.parametrize("q", [1, 2, 3, 6])
def test_phi_zero_does_not_depend_on_the_order_of_rows(kernel, q):
    """Three classes: rank 2, so from q = 3 on the paper's rule leaves columns to rounding."""
    X, y, _ = standardised("wine")
    order = np.random.default_rng(0).permutation(len(y))
    first = start_from_name("phi-zero", wine_objective(kernel), q, np.random.default_rng(0))
    shuffled = Objective(X[order], ClassTable.centered(y[order]), kernel)
    second = start_from_name("phi-zero", shuffled, q, np.random.default_rng(0))
    assert sine_of_largest_angle(first, second) <= 1e-8


def test_phi_zero_starts_from_the_papers_eigenvectors():
    objective = wine_objective()
    vectors = np.linalg.eigh(objective.phi(np.zeros((13, 2))))[1][:, :2]
    start = start_from_name("phi-zero", objective, 2, np.random.default_rng(0))
    assert sine_of_largest_angle(vectors, start) <= 1e-10
    grown = start_from_name("phi-zero", objective, 4, np.random.default_rng(0))
    assert sine_of_largest_angle(grown, vectors) <= 1e-10  # it contains them


def test_wide_data_start_where_there_are_data():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 80)), rng.integers(0, 2, 20)
    objective = Objective(X, ClassTable.centered(y), Gaussian(8.0))
    W = start_from_name("phi-zero", objective, 3, rng)
    assert np.linalg.norm(objective.X @ W, axis=0).min() > 1.0
    assert solve(X, objective.gamma, objective.kernel, 3).cost < -9.0


@pytest.mark.parametrize("hidden", ["ring", "xor"])
def test_second_moments_see_what_means_cannot(hidden):
    X, y, truth = ring(n_samples=1000)
    if hidden == "xor":
        y = (np.prod(X @ truth, axis=1) > 0).astype(int)
    objective = Objective(X, ClassTable.centered(y), Gaussian(1.0))
    start = start_from_name("second-moments", objective, 2, np.random.default_rng(0))
    assert np.degrees(subspace_angles(truth, start)).max() <= 15


def test_more_starts_never_cost_more():
    for seed in range(3):
        X, y, _ = ring(n_samples=500, seed=seed)
        gamma = ClassTable.centered(y)
        one = solve(X, gamma, Gaussian(2.0), 2)
        many = solve(X, gamma, Gaussian(2.0), 2, n_init=6)
        assert many.cost <= one.cost + 1e-9 * abs(one.cost)


def test_screening_uses_a_subsample(monkeypatch):
    """Above 400 rows, further starts are compared on 400 of them."""
    sizes = []
    original = Objective.point

    def spy(self, W):
        sizes.append(self.n_samples)
        return original(self, W)

    monkeypatch.setattr(Objective, "point", spy)
    X, y, _ = ring(n_samples=900)
    solve(X, ClassTable.centered(y), Gaussian(1.0), 2, n_init=5)
    assert set(sizes) == {400, 900}
    assert sizes.count(400) > sizes.count(900)


def test_unknown_names_are_refused():
    X, y, median = standardised("wine")
    with pytest.raises(ValueError, match=r"`init` must be one of \['phi-zero'"):
        solve(X, ClassTable.centered(y), Gaussian(median), 2, init="best")
    with pytest.raises(ValueError, match=r"`solver` must be one of \['spectral'"):
        solve(X, ClassTable.centered(y), Gaussian(median), 2, solver="sgd")
    with pytest.raises(ValueError, match=r"`engine` must be one of \['auto'"):
        solve(X, ClassTable.centered(y), Gaussian(median), 2, engine="gpu")
    with pytest.raises(ValueError, match="Got n_components=14 and n_features=13"):
        solve(X, ClassTable.centered(y), Gaussian(median), 14)


def test_second_moments_from_a_few_products_are_nearly_those_of_the_matrix():
    X, y, _ = ring(n_samples=600, n_features=120, seed=0)
    objective = Objective(X, ClassTable.centered(y), Gaussian(1.0))
    moments = SecondMoments(objective.rows, objective.gamma)
    V = np.random.default_rng(0).standard_normal((120, 4))
    np.testing.assert_allclose(moments.times(V), moments.to_dense() @ V, rtol=0.0, atol=1e-6)
    exact = start_from_name("second-moments", objective, 1, np.random.default_rng(0))
    assert sine_of_largest_angle(exact, moments.roughly_lowest(1)) <= 0.2
