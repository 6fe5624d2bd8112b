"""The rules of the rivals, by hand: how long their steps are, what is accepted, when they end."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Objective, Status
from hsiclearn._solvers import (
    DimensionGrowthSolver,
    IsmPlusSolver,
    Step,
    StiefelSolver,
    dimension_growth,
)
from hsiclearn._solvers.stiefel import barzilai_borwein, cayley
from hsiclearn.gamma import Dense
from hsiclearn.kernels import Linear
from registry import orthonormal

EPS = np.finfo(float).eps


def diagonal(sizes=(5.0, 3.0, 2.0, 1.0)):
    """Phi has the eigenvalues ``-sizes``, at every W."""
    return Objective(np.eye(len(sizes)), Dense(np.diag(sizes)), Linear())


def started(kind, W=None, objective=None, tol=1e-6):
    solver = kind(objective or diagonal(), tol)
    step = solver.start(orthonormal(4, 2, seed=0) if W is None else W)
    assert (step.kind, step.evaluations) == ("start", 1)
    return solver


class Raised:
    """An objective whose cost is so much higher than it was, at each further point."""

    def __init__(self, objective, rises):
        self.objective, self.rises, self.seen = objective, list(rises), []

    def point(self, W):
        self.seen.append(W)
        there = self.objective.point(W)
        there.cost = self.rises.pop(0)
        return there


# Barzilai and Borwein ----------------------------------------------------------------------------


def test_the_two_lengths():
    s, y = np.array([1.0, 2.0]), np.array([3.0, 1.0])
    assert barzilai_borwein(s, y, long=True) == pytest.approx(5.0 / 5.0)
    assert barzilai_borwein(s, y, long=False) == pytest.approx(5.0 / 10.0)
    assert barzilai_borwein(s, -2.0 * y, long=True) == pytest.approx(5.0 / 10.0)
    assert barzilai_borwein(s, -2.0 * y, long=False) == pytest.approx(10.0 / 40.0)
    assert barzilai_borwein(s, np.array([2.0, -1.0]), long=True) is None


# Stiefel -----------------------------------------------------------------------------------------


def test_a_curvilinear_search_shrinks_its_step_to_a_fifth():
    solver = started(StiefelSolver)
    here = solver._point
    R, length = 2.0 * here.residual, 0.5 / here.norm
    slope = np.vdot(R, R)
    asked = [here.cost - share * 1e-4 * length * slope for share in (0.99, 0.19, 1.01 * 0.04)]
    solver.objective = Raised(diagonal(), asked)
    taken = solver.step()
    assert (taken.kind, taken.evaluations, taken.moved) == ("cayley", 3, True)
    for k, W in enumerate(solver.objective.seen):
        np.testing.assert_allclose(W, cayley(here.W, R, 0.2**k * length), rtol=1e-12)
    assert solver._reference == pytest.approx((0.85 * here.cost + asked[2]) / 1.85)
    solver.objective = Raised(diagonal(), [1e9] * 12)
    stalled = solver.step()
    assert (stalled.status, stalled.evaluations, stalled.moved) == (Status.STALLED, 12, False)


def test_lengths_alternate_and_stay_within_reason():
    solver = started(StiefelSolver)
    for long in (True, False, True):
        here = solver._point
        solver.step()
        s, y = solver._point.W - here.W, 2.0 * (solver._point.residual - here.residual)
        assert solver._length == barzilai_borwein(s, y, long=long)
    here = SimpleNamespace(W=np.zeros((4, 2)), residual=np.zeros((4, 2)), cost=-1.0)
    for far, length in ((1e30, 1e-10), (1e-30, 1e10)):
        trial = SimpleNamespace(W=here.W + 1.0, residual=here.residual + far)
        trial.cost, trial.norm = here.cost, 4.0
        solver._point = here
        solver._accept(trial, 1)
        assert solver._length == length / 4.0
    solver._point = here
    same = SimpleNamespace(W=here.W, residual=here.residual, cost=here.cost, norm=4.0)
    solver._accept(same, 1)
    assert solver._length == 1e10 / 4.0  # as it was


def test_the_best_point_is_the_last_if_it_is_stationary_else_the_lowest():
    solver = started(StiefelSolver)
    low, last = solver._best, SimpleNamespace(cost=1e9, stationarity=1e-6)
    assert solver.best(Step(last, "cayley")) is last
    last.stationarity = 1.01e-6
    assert solver.best(Step(last, "cayley")) is low
    assert solver.settles() is None
    assert started(StiefelSolver, np.eye(4, 2)).settles() is Status.CONVERGED
    done = started(StiefelSolver, np.eye(4, 2)).step()
    assert (done.status, done.moved, done.evaluations) == (Status.CONVERGED, False, 0)
    nothing = started(StiefelSolver, objective=diagonal((0.0,) * 4))
    assert nothing.step().status is Status.VANISHED
    assert nothing.settles() is None


# Dimension growth --------------------------------------------------------------------------------


@pytest.mark.parametrize(("max_iter", "moves"), [(1, 1000), (100, 1000), (250, 2500)])
def test_the_budget_of_columns(max_iter, moves):
    solver = started(DimensionGrowthSolver)
    solver.max_iter = max_iter
    assert solver._most_moves == moves
    assert solver.trials == 31
    assert solver.budget == 1 + 2 * (3 * moves + 31)


def test_a_column_is_begun_moved_and_finished():
    W = orthonormal(4, 2, seed=3)
    solver = started(DimensionGrowthSolver, W)
    begun = solver.step()
    assert (begun.evaluations, begun.moved, begun.kind) == (1, False, "move")
    here = solver._grown
    np.testing.assert_array_equal(here.W, W[:, :1])
    assert solver._length == pytest.approx(0.5 / here.norm)
    g = 2.0 * here.residual[:, -1]
    moved = solver.step()
    w = W[:, 0] - min(solver_length(here), 1.0 / np.linalg.norm(g)) * g
    np.testing.assert_allclose(solver._grown.W[:, 0], w / np.linalg.norm(w), rtol=1e-12)
    assert (moved.evaluations, moved.moved, moved.iterations) == (1, False, 1)
    s = solver._grown.W[:, 0] - W[:, 0]
    change = 2.0 * solver._grown.residual[:, 0] - g
    assert solver._length == pytest.approx(barzilai_borwein(s, change, long=True))
    before = solver._grown
    solver.step()
    s = solver._grown.W[:, 0] - before.W[:, 0]
    change = 2.0 * (solver._grown.residual[:, 0] - before.residual[:, 0])
    assert solver._length == pytest.approx(barzilai_borwein(s, change, long=False))
    solver._grown = solver.objective.point(np.eye(4)[:, :1])  # stationary
    finished = solver.step()
    assert (finished.kind, finished.evaluations, finished.iterations) == ("column", 1, 0)
    assert finished.moved
    assert finished.status is None
    frame = finished.point.W
    np.testing.assert_array_equal(frame[:, :1], np.eye(4)[:, :1])
    assert abs(frame[:, 1] @ W[:, 1]) > 0.1
    assert np.linalg.norm(frame.T @ frame - np.eye(2)) <= 1e-13
    begun = solver.step()
    assert (begun.evaluations, solver._moves) == (0, 0)  # the frame is known already
    assert solver._grown is finished.point
    solver._grown = solver.objective.point(np.eye(4, 2))
    last = solver.step()
    assert (last.status, last.evaluations, last.iterations) == (Status.CONVERGED, 0, 0)


def solver_length(point):
    return 0.5 / point.norm


def test_a_move_is_halved_until_the_cost_falls_enough():
    solver = started(DimensionGrowthSolver, orthonormal(4, 1, seed=3))
    solver.step()
    here = solver._grown
    g = 2.0 * here.residual[:, -1]
    solver._length = length = 0.5 / np.linalg.norm(g)
    fall = 1e-4 * length * np.vdot(g, g)
    costs = [here.cost - share * fall for share in (0.99, 0.49, 0.26)]
    solver.objective = Raised(diagonal(), costs)
    moved = solver.step()
    assert moved.evaluations == 3
    for k, W in enumerate(solver.objective.seen):
        w = here.W[:, 0] - 0.5**k * length * g
        np.testing.assert_allclose(W[:, 0], w / np.linalg.norm(w), rtol=1e-12)
    solver._length = 1e9  # no farther than a half turn
    here = solver._grown
    solver.objective = Raised(diagonal(), [1e9] * 30)
    ended = solver.step()
    g = 2.0 * here.residual[:, -1]
    w = here.W[:, 0] - g / np.linalg.norm(g)
    np.testing.assert_allclose(solver.objective.seen[0][:, 0], w / np.linalg.norm(w), rtol=1e-12)
    assert (ended.status, ended.evaluations, ended.kind) == (Status.STALLED, 30, "column")


@pytest.mark.parametrize(("moves", "ends"), [(4, False), (5, True)])
def test_a_column_ends_with_its_moves(moves, ends, monkeypatch):
    monkeypatch.setattr(dimension_growth, "_MOVES", 5)
    solver = started(DimensionGrowthSolver, orthonormal(4, 1, seed=3))
    solver.step()
    solver._moves = moves
    assert (solver.step().status is Status.MAX_ITER) is ends


def test_what_is_under_way_counts_where_it_is_lower():
    solver = started(DimensionGrowthSolver, orthonormal(4, 2, seed=3))
    shown = solver.step()
    assert solver.best(shown).cost <= shown.point.cost
    solver._grown = solver.objective.point(np.eye(4)[:, :1])
    better = solver.best(shown)
    assert better.cost < shown.point.cost
    np.testing.assert_array_equal(better.W[:, :1], np.eye(4)[:, :1])
    ended = Step(shown.point, "column", status=Status.CONVERGED)
    assert solver.best(ended) is shown.point
    solver._grown = None
    assert solver.best(shown) is shown.point


@pytest.mark.parametrize(("share", "ends"), [(0.99, True), (1.01, False)])
def test_a_column_is_done_at_the_tolerance(share, ends):
    tol = 1e-4
    norm = np.linalg.norm([5.0, 3.0, 2.0, 1.0])
    angle = 0.5 * np.arcsin(2.0 * share * tol * norm / 2.0)
    W = np.array([[np.cos(angle)], [np.sin(angle)], [0.0], [0.0]])
    solver = started(DimensionGrowthSolver, W, tol=tol)
    solver.step()
    assert (solver.step().status is Status.CONVERGED) is ends


def test_nothing_to_grow_where_phi_vanishes():
    solver = started(DimensionGrowthSolver, np.eye(4, 1), diagonal((0.0,) * 4))
    solver.step()
    assert solver.step().status is Status.VANISHED


# ISM+ --------------------------------------------------------------------------------------------


def frame(angle):
    return np.array([[np.cos(angle)], [np.sin(angle)]])


def verdicts(angles, values, tol=1e-3):
    """Of iterates in the plane, with the eigenvalue met on the way to each."""
    solver = IsmPlusSolver(diagonal((2.0, 1.0)), tol)
    solver.start(frame(angles[0]))
    found = []
    for angle, value in zip(angles[1:], values, strict=True):
        solver._point = SimpleNamespace(W=frame(angle))
        found.append(solver._verdict(np.array([value])))
    return found


def test_eigenvalues_settle_at_the_tolerance():
    """Beside the newer ones; of the first nothing is known."""
    angles = [0.0, 0.5, 1.0]
    assert verdicts(angles, [10.0, 10.0101]) == [None, None]
    assert verdicts(angles, [10.0, 10.0099]) == [None, Status.EIGENVALUES_SETTLED]
    assert verdicts(angles, [0.0, 0.0]) == [None, Status.EIGENVALUES_SETTLED]


@pytest.mark.parametrize(("off", "cycles"), [(0.0099, True), (0.0101, False)])
def test_a_cycle_returns_to_a_hundredth_of_its_last_step(off, cycles):
    step = 0.3
    back = np.arcsin(off * np.sin(step))
    found = verdicts([0.0, step + back, back], [1.0, 2.0])
    assert found == [None, Status.CYCLING if cycles else None]
    tiny = verdicts([0.0, 0.9e-6, 0.0], [1.0, 2.0])
    assert tiny == [None, None]  # a step of nothing leads nowhere
    assert verdicts([0.0, 1.1e-6, 0.0], [1.0, 2.0])[-1] is Status.CYCLING


@pytest.mark.parametrize(("length", "seen"), [(12, True), (13, False)])
def test_a_cycle_has_twelve_iterates_at_most(length, seen):
    angles = [0.1 * k for k in range(length)] + [0.0]
    found = verdicts(angles, list(range(1, length + 1)))
    assert (found[-1] is Status.CYCLING) is seen
    assert found[:-1] == [None] * (length - 1)


def test_the_best_is_the_last_where_eigenvalues_settled():
    solver = started(IsmPlusSolver, orthonormal(4, 2, seed=1))
    start = solver._best
    taken = solver.step()
    assert (taken.kind, taken.evaluations) == ("spectral", 1)
    assert taken.eigengap == pytest.approx(1.0)  # 3 - 2
    assert taken.point.cost == pytest.approx(-8.0)
    assert solver._best is taken.point is not start
    worse = SimpleNamespace(cost=0.0)
    assert solver.best(Step(worse, "spectral", status=Status.EIGENVALUES_SETTLED)) is worse
    assert solver.best(Step(worse, "spectral", status=Status.CYCLING)) is taken.point
    assert solver.step().status is Status.EIGENVALUES_SETTLED
    nothing = started(IsmPlusSolver, objective=diagonal((0.0,) * 4)).step()
    assert (nothing.status, nothing.moved) == (Status.VANISHED, False)
