"""The loop every solver shares, by hand: what is counted, recorded, and when it ends."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Objective, Status
from hsiclearn._result import Record
from hsiclearn._solvers import AbstractSolver, Step, run
from hsiclearn._solvers._base import SavedRun, _Tally, require_finite
from hsiclearn._solvers.newton_steps import newton_step
from hsiclearn.gamma import Dense
from hsiclearn.kernels import Linear
from registry import orthonormal


def at(cost, angle=0.0, **more):
    W = np.array([[np.cos(angle)], [np.sin(angle)]])
    known = {"stationarity": 0.5, "norm": 1.0, "vanishes": False, "objective": None} | more
    return SimpleNamespace(W=W, cost=cost, **known)


class Scripted(AbstractSolver):
    """Makes the steps that are written down, then the last one again and again."""

    trials = 3

    def __init__(self, *script):
        super().__init__(None, 1e-6)
        self.script, self.made = list(script), 0

    def start(self, W):
        return Step(at(0.0), "start", evaluations=1)

    def step(self):
        self.made += 1
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


def test_what_steps_took_is_counted_whether_they_moved_or_not():
    solver = Scripted(
        Step(at(-1.0, 0.3), "a", 0.25, evaluations=2, products=5),
        Step(at(-1.0, 0.3), "b", evaluations=3, products=7, moved=False),
        Step(at(-2.0, 0.4), "c", evaluations=1, iterations=10),
        Step(at(-2.0, 0.4), "done", status=Status.CONVERGED, evaluations=4, moved=False),
    )
    outcome = run(solver, None, max_iter=100)
    assert outcome.status is Status.CONVERGED
    assert outcome.point.cost == -2.0
    counts = [(r.step, r.evaluations, r.hessian_products, r.iterations) for r in outcome.history]
    assert counts == [("start", 1, 0, 0), ("a", 3, 5, 1), ("c", 7, 12, 11)]
    assert [r.cost for r in outcome.history] == [0.0, -1.0, -2.0]
    np.testing.assert_allclose([r.angle for r in outcome.history], [0, np.sin(0.3), np.sin(0.1)])
    assert outcome.history[1].eigengap == 0.25
    assert np.isnan(outcome.history[2].eigengap)
    seconds = [r.seconds for r in outcome.history]
    assert 0.0 <= seconds[0] <= seconds[1] <= seconds[2] < 60.0


@pytest.mark.parametrize("max_iter", [1, 2, 5])
def test_a_budget_of_moves(max_iter):
    solver = Scripted(Step(at(-1.0), "move", evaluations=1))
    outcome = run(solver, None, max_iter=max_iter)
    assert outcome.status is Status.MAX_ITER
    assert len(outcome.history) == 1 + max_iter
    assert solver.made == max_iter == solver.max_iter
    solver.settles = lambda: Status.CONVERGED
    assert run(solver, None, max_iter=max_iter).status is Status.CONVERGED


@pytest.mark.parametrize(("budget", "steps"), [(10, 3), (9, 2), (3, 0), (4, 1)])
def test_a_step_is_begun_while_what_it_may_take_is_left(budget, steps):
    class Tight(Scripted):
        @property
        def budget(self):
            return budget

    solver = Tight(Step(at(-1.0), "rejected", evaluations=3, moved=False))
    outcome = run(solver, None, max_iter=100)
    assert solver.made == steps
    assert outcome.status is Status.MAX_ITER
    assert len(outcome.history) == 1


def test_the_budget_of_a_solver_is_thirty_evaluations_for_each_move_and_one_to_begin():
    class Plain(AbstractSolver):
        def step(self):
            return None

    solver = Plain(None, 1e-6)
    assert (solver.trials, solver.max_iter, solver.budget) == (30, 100, 3031)
    solver.max_iter = 1
    assert solver.budget == 61
    assert solver.settles() is None
    assert not solver.is_near


@pytest.mark.parametrize(
    ("here", "expected"),
    [
        (at(0.0, vanishes=True, stationarity=0.0), Status.VANISHED),
        (at(0.0, stationarity=1e-6), Status.CONVERGED),
        (at(0.0, stationarity=1.01e-6), None),
    ],
)
def test_what_a_gradient_says(here, expected):
    solver = Scripted()
    solver._point = here
    assert solver._first_order() is expected


def test_notes_are_of_moves_after_which_it_goes_on():
    steps = [
        Step(at(-1.0), "a"),
        Step(at(-1.0), "b", moved=False),
        Step(at(-2.0), "c"),
        Step(at(-3.0), "d", status=Status.CONVERGED),
    ]
    noted = []
    run(
        Scripted(*steps),
        None,
        max_iter=9,
        note=lambda solver, step, history: noted.append((step.kind, len(history))),
    )
    assert noted == [("start", 1), ("a", 2), ("c", 3)]


def test_the_point_is_the_one_the_solver_knows_as_best():
    solver = Scripted(Step(at(-1.0), "a", status=Status.STALLED))
    solver.best = lambda visited: at(-7.0)
    assert run(solver, None, max_iter=3).point.cost == -7.0


def test_an_earlier_attempt_is_counted_on():
    record = Record("newton", -1.0, 0.1, 0.2, 0.3, 100.0, 11, 12, 13)
    tally = _Tally((record,))
    found = tally.add(Step(at(-2.0, 0.2), "a", evaluations=2, products=3), at(-1.0, 0.1))
    assert tally.history == [record, found]
    assert (found.evaluations, found.hessian_products, found.iterations) == (13, 15, 14)
    assert 100.0 <= found.seconds < 160.0
    assert found.angle == pytest.approx(np.sin(0.1))
    assert tally.add(Step(at(-2.0), "b", evaluations=5, moved=False), at(-1.0)) is None
    assert tally.evaluations == 18
    saved = SavedRun("stage", "start", None, {"W": [[1.0]]}, ())
    assert isinstance(saved.W, np.ndarray)


@pytest.mark.parametrize(("cost", "norm"), [(np.nan, 1.0), (np.inf, 1.0), (1.0, np.inf)])
def test_a_start_that_is_no_number_is_refused(cost, norm):
    with pytest.raises(ValueError, match="not finite at the start"):
        require_finite(at(cost, norm=norm))
    assert require_finite(at(1.0)).cost == 1.0


# Newton steps: against the model written out --------------------------------------------------


class Quadratic:
    """``H`` and a diagonal preconditioner, on the manifold of no directions."""

    def __init__(self, H, M):
        self.H, self.M, self.products = H, M[:, None], 0

    def apply(self, p):
        self.products += 1
        return self.H @ p

    def precondition(self, r):
        return r / self.M

    def horizontal(self, Z):
        return Z


M = np.array([1.0, 2.0, 4.0, 8.0, 3.0])
ROTATED = orthonormal(5, 5, seed=1)
G = np.array([[1.0], [-2.0], [0.5], [3.0], [1.0]])


def length_of(Z):
    return np.sqrt(np.vdot(Z, M[:, None] * Z))


def promised(H, Z):
    return -(np.vdot(G, Z) + 0.5 * np.vdot(Z, H @ Z))


def stepped(values, radius, forcing):
    H = (ROTATED * values) @ ROTATED.T
    hessian = Quadratic(H, M)
    return H, hessian, newton_step(hessian, G, radius, forcing)


def test_inside_it_is_newtons_step():
    H, hessian, step = stepped(np.arange(1.0, 6.0), 100.0, 1e-13)
    np.testing.assert_allclose(step.Z, -np.linalg.solve(H, G), atol=1e-10)
    assert step.predicted == pytest.approx(promised(H, step.Z), rel=1e-12)
    assert step.length == pytest.approx(length_of(step.Z), rel=1e-12)
    assert not step.at_boundary
    assert 5 <= hessian.products <= 7


def test_where_nothing_is_left_it_ends():
    hessian = Quadratic(np.eye(5), np.ones(5))
    step = newton_step(hessian, G, 100.0, 0.0)
    np.testing.assert_array_equal(step.Z, -G)
    assert hessian.products == 1


def test_it_is_no_more_exact_than_asked_for():
    """The gradient left, in the norm of the preconditioner's inverse, beside the first one."""
    exact = {}
    for forcing in (0.9, 0.5, 0.2, 0.1, 1e-2, 1e-3, 1e-8):
        H, hessian, step = stepped(np.array([1.0, 3.0, 9.0, 20.0, 60.0]), 1e6, forcing)
        r = G + H @ step.Z
        left = np.sqrt(np.vdot(r, r / M[:, None]) / np.vdot(G, G / M[:, None]))
        assert left <= forcing
        exact[hessian.products] = left
        assert step.predicted == pytest.approx(promised(H, step.Z), rel=1e-10)
    for products, left in exact.items():  # and not less so
        assert all(other < left for more, other in exact.items() if more > products)
    assert len(exact) >= 3
    assert exact[min(exact)] > 0.5


@pytest.mark.parametrize("radius", [0.01, 0.3, 1.0, 2.0])
@pytest.mark.parametrize("values", [np.arange(1.0, 6.0), np.array([-1.0, 1.0, 2.0, 3.0, 4.0])])
def test_at_the_boundary_its_length_is_the_radius(values, radius):
    H, _, step = stepped(values, radius, 1e-10)
    assert step.at_boundary
    assert step.length == radius
    assert length_of(step.Z) == pytest.approx(radius, rel=1e-12)
    assert step.predicted == pytest.approx(promised(H, step.Z), rel=1e-11)
    along = -G / M[:, None]
    first = along * (radius / length_of(along))
    assert step.predicted >= promised(H, first) - 1e-12  # at least that of the first direction


def test_without_any_bend_the_boundary_is_the_answer():
    _, hessian, step = stepped(np.zeros(5), 2.0, 0.1)
    along = -G / M[:, None]
    np.testing.assert_allclose(step.Z, along * (2.0 / length_of(along)), rtol=1e-12)
    assert (step.at_boundary, hessian.products) == (True, 1)


def test_where_the_hessian_is_no_number_there_is_no_step():
    _, _, step = stepped(np.full(5, np.nan), 2.0, 0.1)
    assert not step.Z.any()
    assert np.isnan(step.predicted)
    assert (step.length, step.at_boundary) == (0.0, False)


def test_a_hundred_products_at_most():
    hessian = Quadratic(np.diag(np.geomspace(1e-6, 1e6, 300)), np.ones(300))
    step = newton_step(hessian, np.ones((300, 1)), 1e30, 1e-14)
    assert hessian.products == 100
    assert not step.at_boundary


def test_one_pass_of_the_driver_on_a_real_objective():
    objective = Objective(np.eye(4), Dense(np.diag([5.0, 3.0, 2.0, 1.0])), Linear())

    class Still(AbstractSolver):
        def step(self):
            return Step(self._point, "done", status=self._first_order(), moved=False)

    outcome = run(Still(objective, 1e-6), np.eye(4)[:, :1], max_iter=1)
    assert (outcome.status, len(outcome.history)) == (Status.CONVERGED, 1)
    assert outcome.history[0].evaluations == 1
