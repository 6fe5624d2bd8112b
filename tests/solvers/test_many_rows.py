"""What is done for tables of many rows only: held features, a sampled Phidot, a sample first."""

import numpy as np
import pytest

from hsiclearn import Objective, Status, solve
from hsiclearn._solvers import SpectralSolver
from hsiclearn._solvers.rough_newton import RoughCurvature
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from naive import assert_close
from registry import orthonormal

N, D = 90_000, 6
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, D))
FLAT = (np.sin(2.0 * X[:, 0]) + 0.5 * RNG.standard_normal(N) > 0).astype(int)
BENT = FLAT + 2 * (X[:, 1] ** 2 + 0.3 * RNG.standard_normal(N) > 1.0)
WIDE = Gaussian(3.4)


def test_a_flat_direction_takes_few_steps():
    """The second direction is nearly free: the cost moves in its eighth digit along it."""
    result = solve(X, ClassTable.centered(FLAT), WIDE, 2)
    assert result.status is Status.CONVERGED
    assert result.certificate.verified
    assert result.certificate.curvature < 1e-3
    assert len(result.history) <= 12
    assert all(a.cost >= b.cost for a, b in zip(result.history, result.history[1:], strict=False))


def test_phidot_of_a_sample_stands_for_that_of_all():
    objective, W = Objective(X, ClassTable.centered(BENT), WIDE), orthonormal(D, 2, seed=1)
    Z = orthonormal(D, 2, seed=2)
    assert_close(objective.sampled(30_000).phi_dot(W, Z), objective.phi_dot(W, Z), 0.1)
    assert objective.sampled(30_000).cost(W) == pytest.approx(objective.cost(W), rel=0.05)


def test_a_sample_serves_until_a_step_disappoints():
    objective = Objective(X, ClassTable.centered(BENT), WIDE)
    here, rough = objective.point(orthonormal(D, 2, seed=1)), RoughCurvature(objective)
    Z = here.hessian.horizontal(orthonormal(D, 2, seed=2))
    assert_close(rough.hessian_at(here).apply(Z), here.hessian.apply(Z), 0.1)
    rough.judge(here, here, ratio=1.0, at_boundary=True)
    assert rough.serves
    rough.judge(here, here, ratio=1.0, at_boundary=False)  # the gradient did not fall
    assert not rough.serves
    assert rough.hessian_at(here) is here.hessian


def test_few_rows_need_no_sample():
    objective = Objective(X[:6000], ClassTable.centered(BENT[:6000]), WIDE)
    assert not RoughCurvature(objective).serves


def test_the_state_of_a_run_holds_where_features_were_chosen():
    objective = Objective(X, ClassTable.centered(BENT), Gaussian(1.0))
    solver, other = SpectralSolver(objective, 1e-6), SpectralSolver(objective, 1e-6)
    solver.start(orthonormal(D, 2, seed=1))
    while "anchor" not in solver.state():
        solver.step()
    step, again = solver.step(), other.restore(solver.state())
    assert again.point.cost == solver._point.cost
    np.testing.assert_array_equal(again.point.phi, solver._point.phi)
    assert step.kind in ("newton", "done")
