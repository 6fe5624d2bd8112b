"""What an iterate decides: yardsticks, and how long it is held."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn._linalg import DenseSymmetric, Spectrum
from hsiclearn._objective import CurvedPoint
from problems import WrittenPoint
from registry import D, W, symmetric

# Points ------------------------------------------------------------------------------------------


def test_what_follows_from_phi():
    phi = symmetric(D, seed=3)
    point = WrittenPoint(None, W, -2.0, phi)
    values = np.linalg.eigvalsh(phi)
    assert point.norm == pytest.approx(np.linalg.norm(phi))
    assert point.scale == point.norm
    np.testing.assert_allclose(point.rayleigh, W.T @ phi @ W, atol=1e-14)
    residual = phi @ W - W @ W.T @ phi @ W
    np.testing.assert_allclose(point.residual, residual, atol=1e-14)
    assert point.stationarity == pytest.approx(np.linalg.norm(residual) / np.linalg.norm(phi))
    spectrum = Spectrum(values, np.eye(D))
    assert point.eigengap(spectrum) == pytest.approx(values[2] - values[1])
    promised = np.trace(W.T @ phi @ W) - values[:2].sum()
    assert point.promised_decrease(spectrum) == pytest.approx(promised)
    assert WrittenPoint(None, np.eye(D), 0.0, phi).eigengap(spectrum) == np.inf
    assert not point.vanishes
    nothing = WrittenPoint(None, W, 0.0, np.zeros((D, D)))
    assert nothing.vanishes
    assert nothing.stationarity == 0.0


@pytest.mark.parametrize(("slope", "tolerance"), [(0.0, 1e-8), (1.0, 0.05)])
def test_a_step_needs_no_more_digits_than_it_has(slope, tolerance):
    """A twentieth of the gradient, but eight digits at least of what is known."""
    point, asked = WrittenPoint(None, W, 0.0, symmetric(D, seed=3)), []
    point.matrix = SimpleNamespace(improved=lambda V, rtol: asked.append((V, rtol)))
    point.stationarity = slope
    _ = point.step_spectrum
    assert asked == [(W, tolerance)]


@pytest.mark.parametrize(("cost", "scale"), [(-1e4, 1.0), (1.01e4, 3.0), (-1.01e4, 3.0)])
def test_the_scale_is_the_curvature_where_phi_is_small_beside_the_cost(cost, scale):
    """A ten-thousandth of it; then 1e-5 of the curvature, if that is more."""
    point = CurvedPoint(None, W, cost, DenseSymmetric(np.diag([1.0, 0.0, 0.0, 0.0])))
    point.hessian = SimpleNamespace(curvature_along_a_line=3e5)
    assert point.scale == pytest.approx(scale)
    flat = CurvedPoint(None, W, cost, point.matrix)
    flat.hessian = SimpleNamespace(curvature_along_a_line=0.9e5)
    assert flat.scale == 1.0


def test_a_point_is_held_until_it_has_turned_away():
    """By a sine of 0.1; one that was never held keeps the values it has."""
    turned = lambda sine: np.array([[np.sqrt(1 - sine**2)], [sine]])  # noqa: E731
    frame = np.array([[1.0], [0.0]])
    held = SimpleNamespace(point=lambda V: CurvedPoint(held, V, 7.0, "new"), anchor=None)
    objective = SimpleNamespace(anchor=None, held_at=lambda V: held)
    point = CurvedPoint(objective, frame, 5.0, "old")
    point.is_stiff = True
    first = point.held()
    assert (first.objective, first.cost, first.matrix, first.is_stiff) == (held, 5.0, "old", True)
    objective.anchor = frame
    for sine, cost in ((0.099, 5.0), (0.101, 7.0)):
        point = CurvedPoint(objective, turned(sine), 5.0, "old")
        point.is_stiff = True
        found = point.held()
        assert (found is point) == (cost == 5.0)
        assert (found.cost, found.is_stiff) == (cost, True)
        assert point.held(within=0.2) is point
    objective.held_at = lambda V: objective  # exact: there is nothing to hold
    assert point.held() is point
