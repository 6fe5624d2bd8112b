"""What an objective says of itself beside its sums: errors, yardsticks, twins."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._linalg import Eigenpair
from hsiclearn._result import EngineError
from hsiclearn.exceptions import InvalidKernelError
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Custom, Gaussian, Linear, Polynomial
from problems import ring
from registry import orthonormal

X, y, _ = ring(120)
GAMMA = ClassTable.centered(y)


def objective(engine="nystrom", kernel=None):
    return Objective(X, GAMMA, kernel or Gaussian(1.0), engine)


@pytest.mark.parametrize(
    ("relative", "value", "angle"),
    [(1e-3, 0.5, 2e-3 / 0.5), (1e-3, -0.5, np.inf), (1e-3, 0.0, np.inf), (0.0, 0.5, 0.0)],
)
def test_an_error_of_phi_turns_the_answer_by_its_share_of_the_curvature(relative, value, angle):
    """``2 |dPhi| / curvature``, to first order; where all is exact nobody asks for curvature."""
    here = objective()
    here._engine.error = lambda W, scale: EngineError(relative=relative, guaranteed=False)
    pair = Eigenpair(value * 7.0, None, 0.0, 0)
    hessian = SimpleNamespace(smallest_curvature=pair) if relative else None
    point = SimpleNamespace(W=orthonormal(6, 2, seed=0), scale=7.0, hessian=hessian)
    found = here.engine_error(point)
    assert found.angle == pytest.approx(angle)
    assert (found.relative, found.rounding, found.guaranteed) == (relative, 0.0, False)


def test_rounding_is_a_part_of_the_error():
    here = Objective(X + 1e3, GAMMA, Polynomial(2), "dense")
    point = here.point(orthonormal(6, 2, seed=0))
    here._engine.error = lambda W, scale: EngineError(relative=1e-3)
    found = here.engine_error(point)
    assert found.rounding == here.rounding(point) > 1e-9
    assert found.relative == 1e-3 + found.rounding
    assert found.approximation == pytest.approx(1e-3)


def test_all_pairs_take_a_time_that_is_known_before():
    """Ten evaluations, of 20 + d / 5 ns a pair."""
    few = objective()
    seconds = 10 * 0.5 * 120**2 * (20.0 + 0.2 * 6) * 1e-9
    assert few.exact_twin(0.99 * seconds) is None
    twin = few.exact_twin(1.01 * seconds)
    assert twin.engine == "tiled"
    assert "was not exact enough" in twin.engine_reason
    W = orthonormal(6, 2, seed=0)
    assert twin.cost(W) == pytest.approx(objective("dense").cost(W), rel=1e-12)
    assert twin.exact_twin(np.inf) is None  # it is exact


@pytest.mark.parametrize("columns", [4, 250])
def test_the_norm_of_phi_at_zero_is_that_of_the_matrix(columns):
    """Exact of few columns or where the matrix is known, of many by probes."""
    rows = np.random.default_rng(0).standard_normal((60, columns))
    codes = np.arange(60) % 3
    for kernel in (Gaussian(2.0), Polynomial(2, 0.0)):
        fresh, known = (Objective(rows, ClassTable.centered(codes), kernel) for _ in range(2))
        exact = np.linalg.norm(known.phi_at_zero)
        assert exact > 0.0
        assert known.norm_at_zero == pytest.approx(exact, rel=1e-12)
        assert fresh.norm_at_zero == pytest.approx(exact, rel=1e-12 if columns == 4 else 0.5)


def test_without_a_slope_at_zero_the_paper_takes_x_gamma_x():
    """With the sign of the first term, since that is what it descends."""
    G = GAMMA.tile(slice(None), slice(None))
    for sign in (1.0, -1.0):
        kernel = sign * Polynomial(3, 0.0)
        phi = Objective(X, GAMMA, kernel, "dense").phi_at_zero
        np.testing.assert_allclose(phi, -sign * (X.T @ G @ X), atol=1e-9 * np.abs(phi).max())


def test_a_gamma_of_nothing_has_a_phi_of_nothing():
    nothing = Objective(X, Dense(np.zeros((120, 120))), Linear())
    assert nothing.norm_at_zero == 0.0
    np.testing.assert_array_equal(nothing.phi_at_zero, np.zeros((6, 6)))


def test_a_slope_at_zero_must_be_finite():
    """As that of ``exp(-sqrt b)`` is not."""

    def f(b):
        return np.exp(-np.sqrt(b))

    def df(b):
        with np.errstate(divide="ignore"):
            return -f(b) / (2.0 * np.sqrt(b))

    def d2f(b):
        with np.errstate(divide="ignore", invalid="ignore"):
            return f(b) * (1.0 / b + b**-1.5) / 4.0

    with pytest.raises(InvalidKernelError, match=r"f'\(0\) must be finite"):
        Objective(X, GAMMA, Custom(f, df, d2f))
