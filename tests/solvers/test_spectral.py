"""The default solver: monotone, stationary, second-order, for every kernel and Gamma."""

import re
import warnings

import numpy as np
import pytest

from hsiclearn import Objective, Status, certify, solve
from hsiclearn._solvers import SpectralSolver, run
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    InverseMultiquadratic,
    Linear,
    Multiquadratic,
    Polynomial,
    RationalQuadratic,
    RelativeGaussian,
    Squared,
)
from problems import ring, standardised

KERNELS = [
    Linear(),
    Polynomial(2),
    Polynomial(3, 2.0),
    Gaussian(1.0),
    Gaussian(4.0),
    -Squared(),
    -Multiquadratic(0.5),
    RelativeGaussian(),
    RationalQuadratic(2.0),
    Cauchy(2.0),
    InverseMultiquadratic(2.0),
    Gaussian(1.0) + 0.2 * Linear(),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("q", [1, 3])
def test_optimality_conditions_hold(kernel, q):
    X, y, _ = standardised("wine")
    gamma = ClassTable.centered(y)
    result = solve(X, gamma, kernel, q)
    certificate = certify(Objective(X, gamma, kernel), result.W)

    assert result.status is Status.CONVERGED
    assert certificate.orthogonality <= 1e-12
    assert certificate.stationarity <= 1e-6
    assert certificate.second_order
    costs = [record.cost for record in result.history]
    assert np.all(np.diff(costs) <= 1e-12 * np.abs(costs[0]))
    assert max(record.evaluations for record in result.history) <= 40


@pytest.mark.parametrize("seed", range(6))
def test_any_symmetric_gamma_from_any_start(seed):
    """Indefinite, uncentred weights and random starts: nothing of the supervised case helps."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 6))
    G = rng.standard_normal((60, 60))
    gamma = Dense(G + G.T)
    result = solve(X, gamma, Gaussian(1.5), 2, init="random", random_state=seed)
    certificate = certify(Objective(X, gamma, Gaussian(1.5)), result.W)
    assert result.converged
    assert certificate.stationarity <= 1e-6
    assert certificate.second_order


def test_leaves_a_saddle_along_negative_curvature():
    """Start exactly at a saddle: eigenvectors 1 and 3 of a linear problem are stationary."""
    X, y, _ = standardised("wine")
    gamma = ClassTable.centered(y)
    objective = Objective(X, gamma, Linear())
    vectors = np.linalg.eigh(objective.phi_at_zero)[1]
    saddle = vectors[:, [0, 4]]
    assert objective.point(saddle).stationarity <= 1e-12
    outcome = run(SpectralSolver(objective, 1e-8), saddle, max_iter=50)
    assert outcome.status is Status.CONVERGED
    assert outcome.history[1].step == "escape"
    best = np.linalg.eigvalsh(objective.phi_at_zero)[:2].sum()
    assert outcome.point.cost == pytest.approx(best, rel=1e-9)


def test_stays_at_a_saddle_where_the_curvature_is_not_asked_for():
    """The same saddle: stationary is enough then, and no Hessian is multiplied with."""
    X, y, _ = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Linear())
    vectors = np.linalg.eigh(objective.phi_at_zero)[1]
    saddle = vectors[:, [0, 4]]
    outcome = run(SpectralSolver(objective, 1e-8, second_order=False), saddle, max_iter=50)
    assert outcome.status is Status.CONVERGED
    assert [record.step for record in outcome.history] == ["start"]
    np.testing.assert_array_equal(outcome.point.W, saddle)
    assert outcome.point.hessian.products == 0
    certificate = certify(objective, outcome.point.W)
    assert certificate.stationarity <= 1e-8
    assert not certificate.second_order


def test_away_from_saddles_the_curvature_changes_nothing():
    X, y, median = standardised("wine")
    objective = Objective(X, ClassTable.centered(y), Gaussian(median))
    start = np.linalg.eigh(objective.phi_at_zero)[1][:, :2]
    whole, first_order = (
        run(SpectralSolver(objective, 1e-6, second_order=so), start, max_iter=50)
        for so in (True, False)
    )
    assert whole.status is first_order.status is Status.CONVERGED
    assert first_order.point.W.tobytes() == whole.point.W.tobytes()


def test_tight_tolerance_is_reached():
    X, y, median = standardised("breast_cancer")
    result = solve(X, ClassTable.centered(y), Gaussian(median), 2, tol=1e-11)
    assert result.converged
    assert result.certificate.stationarity <= 1e-11


def test_tolerance_beyond_rounding_says_so():
    X, y, median = standardised("wine")
    with pytest.warns(UserWarning, match="double precision|iteration budget"):
        result = solve(X, ClassTable.centered(y), Gaussian(median), 2, tol=1e-18)
    assert result.status in (Status.STALLED, Status.MAX_ITER)
    assert result.certificate.stationarity <= 1e-13


def test_no_random_start_finds_a_lower_cost_on_wine():
    X, y, median = standardised("wine")
    gamma, kernel = ClassTable.centered(y), Gaussian(median)
    best = solve(X, gamma, kernel, 2).cost
    for seed in range(8):
        other = solve(X, gamma, kernel, 2, init="random", random_state=seed).cost
        assert other >= best - 5e-5 * abs(best)


def test_degenerate_objective_reaches_its_null_space():
    """Squared as printed: the minimiser is the null space of the dependence, cost 0."""
    X, y, _ = standardised("wine")
    gamma = ClassTable.centered(y)
    with pytest.warns(UserWarning, match="flees"):
        result = solve(X, gamma, Squared(), 3)
    with pytest.warns(UserWarning, match="flees"):
        assert solve(X, gamma, "squared", 3).cost == result.cost
    scale = abs(solve(X, gamma, -Squared(), 3).cost)
    assert result.converged
    assert abs(result.cost) <= 1e-9 * scale


def test_history_records_what_happened():
    X, y = ring()[:2]
    result = solve(X, ClassTable.centered(y), Gaussian(0.5), 2)
    first, *rest = result.history
    assert first.step == "start"
    assert {record.step for record in rest} <= {"spectral", "newton", "escape"}
    assert [r.evaluations for r in result.history] == sorted(r.evaluations for r in result.history)
    assert [r.seconds for r in result.history] == sorted(r.seconds for r in result.history)
    assert result.history[-1].cost == result.cost
    assert result.history[-1].gradient <= 1e-6
    assert result.n_iter == len(rest)


def test_large_problems_take_the_iterative_paths():
    """d q > 400: Krylov spectra, Hessian products and Davidson instead of small matrices."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 260)
    X = rng.standard_normal((260, 230)) + 3 * np.eye(4, 230)[y]
    gamma = ClassTable.centered(y)
    kernel = Gaussian(20.0)
    result = solve(X, gamma, kernel, 3)
    assert result.converged
    assert result.certificate.second_order
    phi = Objective(X, gamma, kernel).phi(result.W)
    values = np.linalg.eigvalsh(phi)
    np.testing.assert_allclose(result.eigenvalues[:4], values[:4], rtol=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_no_step_is_taken_on_noise(seed):
    """12 x 60, five directions, a small bandwidth: promised decreases are below rounding."""
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((12, 60)), np.arange(12) % 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = solve(X, ClassTable.centered(y), Gaussian(0.3), 5, max_iter=300)
    assert result.n_iter < 300
    assert result.status is not Status.MAX_ITER


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tol": 0.0}, "`tol` must be a number > 0. Got 0.0"),
        ({"tol": float("nan")}, "`tol` must be a number > 0. Got nan"),
        ({"max_iter": 0}, "`max_iter` must be an integer >= 1. Got 0"),
        ({"n_init": 1.5}, "`n_init` must be an integer >= 1. Got 1.5"),
    ],
)
def test_settings_are_checked(settings, message):
    X, y, _ = standardised("iris")
    with pytest.raises(ValueError, match=re.escape(message)):
        solve(X, ClassTable.centered(y), Gaussian(1.0), 2, **settings)
    with pytest.raises(ValueError, match=re.escape("Got n_components=2.0")):
        solve(X, ClassTable.centered(y), Gaussian(1.0), 2.0)


def test_a_gamma_of_zeros_is_not_called_solved():
    X, y, _ = standardised("iris")
    with pytest.warns(UserWarning, match="Phi vanishes"):
        result = solve(X, 0.0 * ClassTable.centered(y), Gaussian(1.0), 2)
    assert not result.converged


@pytest.mark.parametrize("factor", [1e2, 1e4])
def test_a_column_that_dwarfs_the_others_does_not_stop_the_solver_early(factor):
    X, y, _ = standardised("wine")
    X = X.copy()
    X[:, 0] *= factor
    gamma = ClassTable.centered(y)
    loose, tight = (solve(X, gamma, Gaussian(2.0), 2, tol=tol) for tol in (1e-6, 1e-12))
    assert loose.cost <= tight.cost + 1e-5 * abs(tight.cost)
