"""ISM as published: the iteration of ISM+ on loops over pairs."""

import numpy as np
import pytest

from hsiclearn import Objective, solve
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._objective import PairLoops
from hsiclearn._solvers import run
from hsiclearn._solvers.ism import ism
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Linear
from problems import standardised
from registry import orthonormal


def some_wine():
    X, y, median = standardised("wine")
    return X[::4], ClassTable.centered(y[::4]), Gaussian(median)


@pytest.mark.parametrize("init", ["phi-zero", "random"])
@pytest.mark.parametrize("q", [2, 4])
def test_it_walks_the_same_path_as_ism_plus(q, init):
    X, gamma, kernel = some_wine()
    slow, fast = (
        solve(X, gamma, kernel, q, solver=name, tol=1e-4, init=init) for name in ("ism", "ism+")
    )
    assert slow.status is fast.status
    assert slow.n_iter >= 2
    for field in ("cost", "gradient", "angle"):
        np.testing.assert_allclose(
            [getattr(r, field) for r in slow.history],
            [getattr(r, field) for r in fast.history],
            rtol=1e-9,
            atol=1e-9,
        )
    assert sine_of_largest_angle(slow.W, fast.W) <= 1e-9
    assert slow.certificate.curvature == pytest.approx(fast.certificate.curvature, rel=1e-6)


def test_loops_handed_over_are_used_as_they_are():
    loops = PairLoops(Objective(*some_wine()))
    solver = ism(loops, 0.01)
    assert solver.objective is loops
    outcome = run(solver, orthonormal(13, 1, seed=0), max_iter=2)
    assert outcome.point.objective is loops.source


def test_other_kernels_are_refused():
    X, gamma, _ = some_wine()
    with pytest.raises(ValueError, match=r"one Gaussian kernel.*Linear.*ism\+"):
        solve(X, gamma, Linear(), 1, solver="ism")
