"""The rules of the default solver: what is accepted, how far is trusted, when it ends."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Objective, Status
from hsiclearn._linalg import Eigenpair, orthonormal_basis
from hsiclearn._objective import CurvedPoint
from hsiclearn._solvers import SpectralSolver, spectral
from hsiclearn._solvers.newton_steps import NewtonStep
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Linear
from problems import standardised
from registry import orthonormal

EPS = np.finfo(float).eps


def wine(kernel=None):
    X, y, median = standardised("wine")
    return Objective(X, ClassTable.centered(y), kernel or Gaussian(median))


def started(W=None, objective=None, **settings):
    solver = SpectralSolver(objective or wine(), 1e-6, **settings)
    solver.start(orthonormal(13, 2, seed=0) if W is None else W)
    return solver


def share(fall, promised, wanted, *, gradient=0.5, noise=0.0, slack=0.0):
    """Of a step from a cost of -100 and a gradient of 1."""
    solver = SpectralSolver(wine(), 1e-6)
    solver._point = SimpleNamespace(cost=-100.0, stationarity=1.0)
    there = SimpleNamespace(noise=noise, slack=slack)
    trial = SimpleNamespace(cost=-100.0 - fall, stationarity=gradient, objective=there)
    return solver._share(trial, promised, wanted)


def test_the_share_of_a_promise():
    assert share(1.0, 4.0, 1.0) == pytest.approx(0.25, rel=1e-9)
    assert share(2.0, 1.0, 1.0) == pytest.approx(2.0, rel=1e-9)
    assert share(0.99, 4.0, 1.0) == 0.0
    assert share(-1.0, 4.0, 1.0) == 0.0
    assert share(np.nan, 4.0, 1.0) == 0.0


@pytest.mark.parametrize("kind", ["noise", "slack", "rounding"])
def test_what_is_lost_in_rounding_is_judged_by_the_gradient(kind):
    """A cost that may rise by r is taken where r was to be gained at most and the gradient fell."""
    level = {} if kind == "rounding" else {kind: 1e-6}
    r = 100.0 * (1e3 * EPS if kind == "rounding" else 1e-6)
    assert share(-0.4 * r, r, 0.5 * r, **level) == pytest.approx(0.3, rel=1e-2)
    assert share(-0.4 * r, r, 0.5 * r, gradient=1.0, **level) == 0.0
    assert share(-0.6 * r, r, 0.5 * r, **level) == 0.0
    assert share(1.5 * r, 8 * r, 2.0 * r, **level) == 0.0


def test_a_larger_slack_counts_only_where_noise_does_not_explain_it():
    """The share is by the noise where that is enough, by the slack else."""
    fall, promised = 1e-3, 2e-3
    by_noise = (fall + 1e-4) / (promised + 1e-4)
    assert share(fall, promised, 1e-4, noise=1e-6, slack=1e-3) == pytest.approx(by_noise)
    by_slack = (-fall + 1e-1) / (promised + 1e-1)
    assert share(-fall, promised, 1e-4, noise=1e-6, slack=1e-3) == pytest.approx(by_slack)


@pytest.mark.parametrize(
    ("ratio", "at_boundary", "moves", "radius"),
    [
        (0.09, True, False, 0.25),  # of the length of the step
        (0.11, True, True, 0.25),
        (0.24, False, True, 0.25),
        (0.26, True, True, None),  # as it was
        (0.74, True, True, None),
        (0.76, False, True, None),
        (0.76, True, True, 2.0),  # of the radius
        (1.0, True, True, 2.0),
        (-1.0, True, False, 0.25),
        (np.nan, True, False, 0.25),
    ],
)
def test_the_radius_follows_what_a_step_kept(monkeypatch, ratio, at_boundary, moves, radius):
    """Newton steps of one direction and one decrease, of which more or less is promised."""
    solver = started()
    here = solver._point
    Z = -1e-3 * here.residual / np.linalg.norm(here.residual)
    fall = here.cost - solver.objective.cost(orthonormal_basis(here.W + Z))
    assert fall > 0.0
    step = NewtonStep(Z, fall / ratio, 0.5, at_boundary)
    if ratio < 0.0:  # a step up, which was to go down
        step = NewtonStep(-Z, fall, 0.5, at_boundary)
    monkeypatch.setattr(spectral, "newton_step", lambda *args: step)
    solver._newton, solver._radius = True, 0.7
    taken = solver.step()
    assert taken.kind == "newton"
    assert taken.moved == moves
    assert taken.evaluations == 1
    assert (solver._point is not here) == moves
    expected = 0.7 if radius is None else radius * (0.5 if radius < 1.0 else 0.7)
    assert solver._radius == pytest.approx(expected, rel=1e-12)
    assert taken.status is None


def test_the_first_radius_is_four_natural_lengths(monkeypatch):
    """``|M^-1 g|_M = <g, M^-1 g>^1/2``, with the gradient ``g = 2 (I - WW') Phi W``."""
    seen = []

    def spy(hessian, gradient, radius, forcing):
        seen.append((gradient, radius, forcing))
        return NewtonStep(np.zeros_like(gradient), 1.0, 1.0, at_boundary=False)

    monkeypatch.setattr(spectral, "newton_step", spy)
    solver = started()
    here, solver._newton = solver._point, True
    solver.step()
    [(gradient, radius, forcing)] = seen
    np.testing.assert_array_equal(gradient, 2.0 * here.residual)
    M = np.abs(2.0 * (here.split.outer[:, None] - here.split.inner))
    C = here.split.B.T @ gradient @ here.split.S
    natural = np.sqrt(np.sum(C**2 / np.maximum(M, 1e-2 * M.max())))
    assert radius == pytest.approx(4.0 * natural, rel=1e-10)
    assert forcing == 0.1  # far from the end
    solver._point.__dict__["stationarity"] = 1e-4
    solver.step()
    assert seen[1][2] == pytest.approx(1e-2)  # the root of the gradient
    solver._point.__dict__["stationarity"] = 2e-6
    solver.step()
    assert seen[2][2] == pytest.approx(0.05)  # no more exact than the tolerance asks for


def test_it_stalls_where_the_radius_is_nothing(monkeypatch):
    solver = started()
    natural = solver._natural_length(2.0 * solver._point.residual)
    up = NewtonStep(1e-3 * solver._point.residual, 1.0, 1.0, at_boundary=True)
    for length, status in [(5e-10, None), (3e-10, Status.STALLED)]:
        step = NewtonStep(up.Z, up.predicted, length * natural, at_boundary=True)
        monkeypatch.setattr(spectral, "newton_step", lambda *args, step=step: step)
        solver._newton = True
        assert solver.step().status is status


@pytest.mark.parametrize(("share_of_worth", "ends"), [(0.99, True), (1.01, False)])
def test_it_settles_where_a_step_is_not_worth_it(monkeypatch, share_of_worth, ends):
    worth = 1e-4
    for at_boundary in (False, True):
        solver = started(worth=worth)
        promised = share_of_worth * worth * abs(solver._point.cost)
        step = NewtonStep(-1e-6 * solver._point.residual, promised, 1.0, at_boundary)
        monkeypatch.setattr(spectral, "newton_step", lambda *args, step=step: step)
        solver._newton = True
        taken = solver.step()
        assert (taken.status is Status.SETTLED) == (ends and not at_boundary)


def test_after_a_slow_spectral_step_near_the_end_newton_is_due():
    """Slow: the gradient shrinks by less than ten times. Near: it is below a tenth."""

    def after(before, trial):
        solver = started()
        solver._point.__dict__["stationarity"] = before
        there = solver.objective.point(orthonormal(13, 2, seed=1))
        there.cost = solver._point.cost - 1e9
        there.__dict__["stationarity"] = trial
        solver._evaluate = lambda W, objective=None: there
        taken = solver._spectral_step()
        assert taken.moved
        assert solver._point is there
        return solver._newton

    assert not after(0.9, 0.5)  # slow and far
    assert after(0.9, 0.099)  # slow and near
    assert not after(0.9, 0.089)  # fast


def test_a_start_that_was_polished_before_is_left_to_newton():
    objective = wine()
    near = np.linalg.eigh(objective.phi_at_zero)[1][:, :2]
    for _ in range(30):
        near = np.linalg.eigh(objective.phi(near))[1][:, :2]
    point = objective.point(near)
    assert point.stationarity < 1e-4
    assert started(near)._newton
    assert not started()._newton
    told = SpectralSolver(objective, 1e-6)
    told.is_near = True
    turned = np.linalg.qr(near + 0.02 * orthonormal(13, 2, seed=4))[0]
    assert 1e-4 < objective.point(turned).stationarity < 0.1
    told.start(turned)
    assert told._newton
    assert not started(turned)._newton


def test_a_spectral_step_that_fails_is_no_move():
    solver = started()
    there = solver.objective.point(orthonormal(13, 2, seed=1))
    there.cost = solver._point.cost + 1.0
    solver._evaluate = lambda W, objective=None: there
    taken = solver.step()
    assert (taken.kind, taken.moved, taken.evaluations) == ("spectral", False, 1)
    assert solver._newton


def test_an_escape_halves_its_step_until_the_curvature_keeps_its_promise():
    """From a saddle of a quadratic: a tenth of ``t^2/2 |curvature|`` is asked for."""
    objective = wine(Linear())
    vectors = np.linalg.eigh(objective.phi_at_zero)[1]
    solver = started(vectors[:, [0, 4]], objective)
    here = solver._point
    Z = vectors[:, [1, 1]] * np.array([0.0, 1.0])
    lengths = []

    def evaluate(W, objective=None):
        lengths.append(np.linalg.norm(W - here.W @ (here.W.T @ W)))
        return SimpleNamespace(cost=here.cost - (0.0499 if len(lengths) < 3 else 0.0501) / 16.0)

    solver._evaluate = evaluate
    taken = solver._escape(Eigenpair(-1.0, Z, 0.0, 0), 7)
    tangents = [1.0, 0.5, 0.25]
    np.testing.assert_allclose(lengths, np.sin(np.arctan(tangents)), rtol=1e-12)
    assert (taken.kind, taken.evaluations, taken.products) == ("escape", 3, 7)
    assert not solver._newton
    assert np.isnan(solver._radius)
    solver._point = here
    tried = []
    solver._evaluate = lambda W, objective=None: tried.append(W) or SimpleNamespace(cost=here.cost)
    stalled = solver._escape(Eigenpair(-1.0, Z, 0.0, 0), 7)
    assert (stalled.status, stalled.moved) == (Status.STALLED, False)
    assert stalled.evaluations == solver.trials == len(tried) == 30


def test_an_escape_goes_downhill():
    """Of the two ways along a direction the one on which the gradient does not rise."""
    solver = started()
    here = solver._point
    for sign in (1.0, -1.0):
        solver._point, went = here, []
        solver._evaluate = lambda W, objective=None, went=went: (
            went.append(W) or SimpleNamespace(cost=-1e9)
        )
        Z = sign * here.residual / np.linalg.norm(here.residual)
        solver._escape(Eigenpair(-1.0, Z, 0.0, 0), 0)
        np.testing.assert_allclose(
            went[0], orthonormal_basis(here.W - abs(sign) * sign * Z), atol=1e-12
        )


@pytest.mark.parametrize(("times", "ends"), [(1.9, True), (2.1, False)])
def test_a_curvature_down_to_minus_the_tolerance_is_none(times, ends):
    """The Hessian has twice the eigenvalue differences of Phi."""
    solver = started()
    here = solver._point
    here.__dict__["stationarity"] = 0.0
    here.__dict__["residual"] = np.zeros_like(here.W)
    value = -times * solver.tol * here.scale
    here.hessian.__dict__["smallest_curvature"] = Eigenpair(value, here.W, 0.0, 0)
    assert (solver.settles() is Status.CONVERGED) == ends


@pytest.mark.parametrize(("share_of_gain", "ends"), [(0.9, True), (1.1, False)])
def test_a_small_gradient_must_promise_little_as_well(share_of_gain, ends):
    """``<g, M^-1 g>/2`` of at most a millionth of the cost, or of the first cost if larger."""
    solver = started()
    here = solver._point
    gradient = 2.0 * here.residual
    gain = 0.5 * np.vdot(gradient, here.hessian.precondition(gradient, floor=1e-12))
    here.__dict__["stationarity"] = solver.tol
    solver._first_cost = gain / 1e-6 / share_of_gain
    assert abs(here.cost) < solver._first_cost
    assert solver._is_stationary() == ends
    here.__dict__["stationarity"] = 1.0001 * solver.tol
    assert not solver._is_stationary()


@pytest.mark.parametrize(
    ("d", "n", "stiff"), [(50, 71, True), (50, 70, False), (4, 2, True), (4, 1, False)]
)
def test_all_eigenvalues_are_worth_it_where_products_cost_as_much(d, n, stiff):
    """``d^3 <= 25 n^2``."""
    objective = SimpleNamespace(n_features=d, n_samples=n, has_stand_in=False, is_pairwise=True)
    assert SpectralSolver(objective, 1e-6)._stiff is stiff


@pytest.mark.parametrize(("products", "stiff"), [(29, False), (30, True)])
def test_after_thirty_products_they_are_worth_it_anyway(products, stiff, monkeypatch):
    def spends(hessian, gradient, radius, forcing):
        hessian.products += products
        return NewtonStep(-1e-3 * gradient, 1e-30, 1.0, at_boundary=True)

    monkeypatch.setattr(spectral, "newton_step", spends)
    solver = started()
    solver._newton, solver._stiff = True, False
    taken = solver.step()
    assert solver._stiff is stiff
    assert taken.products == products
    assert solver._evaluate(np.eye(13, 2)).is_stiff is stiff


def test_the_curvature_of_a_sample_is_judged_by_the_step(monkeypatch):
    solver = started()
    here, judged = solver._point, []
    step = NewtonStep(-1e-3 * here.residual, 1e-30, 1.0, at_boundary=True)
    monkeypatch.setattr(spectral, "newton_step", lambda *args: step)
    solver._newton, solver._rough.judge = True, lambda *given: judged.append(given)
    taken = solver.step()
    [(before, trial, ratio, at_boundary)] = judged
    assert before is here
    assert trial is taken.point is not here
    assert ratio > 1.0
    assert at_boundary is True


@pytest.mark.parametrize(("ratio", "times"), [(0.94, 2.0), (0.96, 8.0), (1.04, 8.0), (1.06, 2.0)])
def test_where_a_pass_is_dear_a_model_that_is_right_is_trusted_farther(ratio, times, monkeypatch):
    monkeypatch.setattr(CurvedPoint, "held", lambda self, within=0.1: self)
    solver = started()
    here = solver._point
    monkeypatch.setattr(type(here.objective), "anchor", here.W)
    Z = -1e-3 * here.residual / np.linalg.norm(here.residual)
    fall = here.cost - solver.objective.cost(orthonormal_basis(here.W + Z))
    step = NewtonStep(Z, fall / ratio, 0.5, at_boundary=True)
    monkeypatch.setattr(spectral, "newton_step", lambda *args: step)
    solver._newton, solver._radius = True, 1.0
    solver.step()
    assert solver._radius == times


def test_a_state_is_restored_to_the_bit():
    solver = started()
    solver._newton, solver._stiff, solver._radius, solver._first_cost = True, False, 0.3, 7.0
    state = solver.state()
    assert set(state) == {"W", "newton", "stiff", "rough", "radius", "first_cost"}
    other = SpectralSolver(wine(), 1e-6)
    restored = other.restore(state)
    assert (restored.kind, restored.moved, restored.evaluations) == ("restored", False, 0)
    found = other.state()
    np.testing.assert_array_equal(found.pop("W"), state.pop("W"))
    assert found == state
    assert other._point.is_stiff is False
    assert started()._first_cost == abs(started()._point.cost)


@pytest.mark.parametrize(
    ("radius", "right"), [(0.0, True), (1e150, True), (-1e-9, False), (2e150, False)]
)
def test_a_radius_is_a_number_whose_square_is_one(radius, right):
    state = started().state() | {"radius": radius}
    solver = SpectralSolver(wine(), 1e-6)
    if right:
        solver.restore(state)
        assert solver._radius == radius
    else:
        with pytest.raises(ValueError, match="a trust region has a radius"):
            solver.restore(state)


def test_features_that_were_chosen_elsewhere_are_chosen_anew_for_a_verdict(monkeypatch):
    solver = started()
    here = solver._point
    assert solver._judged_here() is None  # there are none
    asked = []
    there = solver.objective.point(here.W)
    monkeypatch.setattr(type(here.objective), "anchor", here.W)
    monkeypatch.setattr(CurvedPoint, "held", lambda self, within=0.1: asked.append(within) or there)
    taken = solver._judged_here()
    assert (taken.point, taken.kind) == (there, "newton")
    assert (taken.evaluations, taken.moved, taken.status) == (1, False, None)
    assert solver._point is there
    assert solver._judged_here() is None  # chosen here
    assert asked == [1e-3] * 2


def test_a_step_from_features_chosen_anew_is_of_two_evaluations(monkeypatch):
    solver = started()
    there = solver.objective.point(orthonormal(13, 2, seed=5))
    monkeypatch.setattr(CurvedPoint, "held", lambda self, within=0.1: there)
    Z = -1e-3 * there.residual
    monkeypatch.setattr(
        spectral, "newton_step", lambda *args: NewtonStep(Z, 1e-30, 1.0, at_boundary=True)
    )
    solver._newton = True
    assert solver.step().evaluations == 2
    solver._point = there
    solver._newton = True
    assert solver.step().evaluations == 1


def test_the_second_order_is_looked_at_if_it_is_asked_for():
    for second_order, status in ((True, None), (False, Status.CONVERGED)):
        solver = started(second_order=second_order)
        here = solver._point
        here.__dict__["stationarity"] = 0.0
        here.__dict__["residual"] = np.zeros_like(here.W)
        here.hessian.__dict__["smallest_curvature"] = Eigenpair(-1e9, here.W, 0.0, 0)
        assert solver.settles() is status
        if status is not None:
            done = solver.step()
            assert (done.status, done.moved, done.kind) == (status, False, "done")
    assert started().settles() is None  # not stationary
