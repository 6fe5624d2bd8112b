"""Rows on a device are solved like those of numpy."""

import numpy as np
import pytest

from foreign_arrays import LIBRARIES, make
from hsiclearn import Objective, solve
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._solvers.starts import SecondMoments
from hsiclearn.gamma import ClassTable, GaussianColumn, LowRank
from hsiclearn.kernels import Gaussian, Polynomial
from registry import frozen, orthonormal

pytestmark = pytest.mark.usefixtures("tensors_stay")

RNG = np.random.default_rng(0)
X = frozen(RNG.standard_normal((2000, 6)) * [1, 1, 2, 1, 1, 1])
CODES = frozen((X[:, 0] + 0.5 * X[:, 1] > 0).astype(int) + (X[:, 2] ** 2 > 3))
CASES = {
    "classes": (ClassTable.centered(CODES), Gaussian(4.0), "phi-zero"),
    "column": (GaussianColumn(X[:, 0] ** 2 + X[:, 1], 2.0), Gaussian(4.0), "second-moments"),
    "polynomial": (LowRank.centered(X[:, :2] ** 2), Polynomial(2), "phi-identity"),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", CASES)
def test_the_same_answer(library, case):
    gamma, kernel, init = CASES[case]
    right, ours = (
        solve(table, gamma, kernel, 2, engine="nystrom", init=init)
        for table in (X, make(library, X))
    )
    assert ours.status is right.status
    assert len(ours.history) == len(right.history)
    assert ours.cost == pytest.approx(right.cost, rel=1e-11)
    assert sine_of_largest_angle(ours.W, right.W) < 1e-9
    assert ours.certificate.second_order == right.certificate.second_order


@pytest.mark.parametrize("library", LIBRARIES)
def test_single_precision_finds_it_too(library):
    gamma, kernel, _ = CASES["classes"]
    right = solve(X, gamma, kernel, 2, engine="nystrom")
    ours = solve(make(library, X, np.float32), gamma, kernel, 2, engine="nystrom")
    assert ours.converged
    assert sine_of_largest_angle(ours.W, right.W) < 1e-4


@pytest.mark.parametrize("kernel", [Polynomial(2), Gaussian(4.0) + Polynomial(3)])
def test_rounding_of_rows_that_are_not_centred(kernel):
    """Summed up on the device by numbers that bound Gamma, so no lower than its own form."""
    W, gamma = orthonormal(6, 2, seed=1), CASES["classes"][0]
    right, ours = (Objective(table, gamma, kernel, "nystrom") for table in (X, make("strict", X)))
    exact, bound = (o.rounding(o.point(W)) for o in (right, ours))
    assert exact * (1 - 1e-9) <= bound <= 3 * exact


@pytest.mark.parametrize("library", LIBRARIES)
def test_second_moments_by_products(library):
    """As many features as there are need no matrix, and nothing of the size of the rows."""
    objective = Objective(make(library, X), CASES["classes"][0], Gaussian(4.0), "nystrom")
    moments = SecondMoments(objective.rows, objective.gamma)
    V = np.random.default_rng(3).standard_normal((6, 2))
    np.testing.assert_allclose(moments.times(V), moments.to_dense() @ V, rtol=1e-9)


def test_a_solve_goes_on_where_it_was(tmp_path):
    gamma, kernel, _ = CASES["classes"]
    file, table = tmp_path / "checkpoint", make("strict", X)
    whole = solve(table, gamma, kernel, 2, engine="nystrom", checkpoint=file)
    again = solve(table, gamma, kernel, 2, engine="nystrom", checkpoint=file, resume=True)
    np.testing.assert_array_equal(again.W, whole.W)
