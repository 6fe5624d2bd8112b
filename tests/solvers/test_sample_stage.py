"""The stage on a sample, by hand: which rows, which start is kept, and how exact sums become."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Objective, Status
from hsiclearn._result import EngineError
from hsiclearn._solvers import Run, stages
from hsiclearn._solvers.problem import Settings
from hsiclearn._solvers.rough import rough_descent
from hsiclearn._solvers.stages import by_gradients, on_a_sample
from hsiclearn.gamma import Dense
from hsiclearn.kernels import Linear
from registry import orthonormal

D = 50
NOISE = np.sqrt(D / 20_000)
FIRST, BETTER = np.eye(D, 1), np.eye(D)[:, 1:2]


class Rows:
    """An objective of so many rows, of which the figures are written down."""

    is_in_linear_time = True
    n_features = D

    def __init__(self, n, log, *, gradient=1.0, cost=-1.0, found=-2.0, **more):
        self.n_samples, self.log = n, log
        self.gradient, self.cost, self.found = gradient, cost, found
        self.is_pairwise = more.get("is_pairwise", False)
        self.has_stand_in = more.get("has_stand_in", False)
        self.error = more.get("error", EngineError())
        self.more = more

    def subset(self, index):
        assert (np.diff(index) > 0).all()
        self.log.append(("subset", self.n_samples, len(index)))
        return Rows(len(index), self.log, gradient=self.gradient, **self.more)

    def point(self, W):
        self.log.append(("point", self.n_samples, "first" if W is FIRST else "better"))
        cost = self.cost if W is FIRST else self.found
        return SimpleNamespace(cost=cost, stationarity=self.gradient, W=W, objective=self)

    def engine_error(self, point):
        return self.error

    def sharpened(self, factor):
        self.log.append(("sharpened", factor))
        return self


class Stages:
    def __init__(self, log):
        self.log = log

    def run(self, objective, starts, tol, *, is_near=False):
        names = [name for name, _ in starts]
        self.log.append(("run", objective.n_samples, names, tol, is_near))
        point = SimpleNamespace(W=BETTER, objective=objective, cost=-2.0)
        return [Run(point, Status.CONVERGED, (), names[0])]


def staged(monkeypatch, n=80_001, starts=1, tol=1e-6, is_near=False, solver="spectral", **more):
    log = []
    objective = Rows(n, log, **more)

    def corrects(objective, W, tol):
        log.append(("corrected", objective.n_samples, tol))
        return 2.0 * W, more.get("corrected_cost", -5.0)

    monkeypatch.setattr(stages, "corrected", corrects)
    given = [("first", FIRST), ("other", BETTER)][:starts]
    settings = Settings(tol=tol, is_near=is_near, solver=solver)
    rng = np.random.default_rng(0)
    _, found = on_a_sample(objective, given, Stages(log), settings, rng)
    return log, ("kept" if found is given else found)


def test_few_rows_and_other_solvers_need_no_sample(monkeypatch):
    assert staged(monkeypatch, 80_000) == ([], "kept")
    assert staged(monkeypatch, solver="stiefel") == ([], "kept")
    monkeypatch.setattr(Rows, "is_in_linear_time", False)
    assert staged(monkeypatch) == ([], "kept")


def test_a_start_of_which_nothing_is_known_is_looked_at_by_all_rows(monkeypatch):
    log, found = staged(monkeypatch)
    assert log == [
        ("subset", 80_001, 20_000),
        ("point", 80_001, "first"),
        ("run", 20_000, ["first"], pytest.approx(0.1 * NOISE), False),
        ("sharpened", 1.0),
        ("point", 80_001, "better"),
    ]
    assert found == [("first", BETTER)]


@pytest.mark.parametrize(("share", "kept"), [(0.19, True), (0.2, True), (0.21, False)])
def test_a_start_with_no_more_gradient_than_a_sample_makes_is_kept(share, kept, monkeypatch):
    log, found = staged(monkeypatch, gradient=share * NOISE)
    assert (found == "kept") is kept
    assert len(log) == (2 if kept else 5)
    log, found = staged(monkeypatch, gradient=share * NOISE, is_near=True)
    assert (found == "kept") is kept
    whole = [what for what in log if what[:2] == ("point", 80_001)]
    assert len(whole) == (1 if kept else 0)  # one that is far has something to learn
    assert log[1][:2] == ("point", 20_000)


def test_the_first_start_is_kept_where_all_rows_say_so(monkeypatch):
    assert staged(monkeypatch, cost=-3.0, found=-2.0)[1] == "kept"
    assert staged(monkeypatch, cost=-2.0, found=-2.0)[1] != "kept"
    assert staged(monkeypatch, cost=-9.0, found=-2.0, starts=2)[1] != "kept"  # nobody looked
    assert staged(monkeypatch, cost=-9.0, found=-2.0, is_pairwise=True)[1] != "kept"


def test_a_tolerance_that_a_sample_cannot_mean_is_wider(monkeypatch):
    log, _ = staged(monkeypatch, tol=0.09 * NOISE)
    assert log[2][3] == pytest.approx(0.1 * NOISE)
    log, _ = staged(monkeypatch, tol=0.11 * NOISE)
    assert log[2][3] == pytest.approx(0.11 * NOISE)


def test_where_pairs_are_visited_samples_grow(monkeypatch):
    log, found = staged(monkeypatch, 700_000, is_pairwise=True, has_stand_in=True)
    sizes = [20_000, 43_750, 175_000]
    tols = [pytest.approx(0.1 * np.sqrt(D / n)) for n in sizes]
    assert [what for what in log if what[0] == "run"] == [
        ("run", sizes[0], ["first"], tols[0], False),
        ("run", sizes[1], ["first"], tols[1], True),
        ("run", sizes[2], ["first"], tols[2], True),
    ]
    corrected = [what for what in log if what[0] == "corrected"]
    assert corrected == [("corrected", n, t) for n, t in zip(sizes[1:], tols[1:], strict=True)] + [
        ("corrected", 700_000, 1e-6)
    ]
    assert found[0][0] == "first"
    np.testing.assert_array_equal(found[0][1], 2.0 * BETTER)


def test_gradients_of_all_rows_correct_what_a_sample_found(monkeypatch):
    monkeypatch.setattr(stages, "cheap_look", lambda *_: stages.Look(-1.0, 1.0))
    for cost, kept in ((-0.9, True), (-1.0, False)):
        log, found = staged(monkeypatch, has_stand_in=True, cost=-1.0, corrected_cost=cost)
        assert (found == "kept") is kept
        assert ("corrected", 80_001, 1e-6) in log
    exact = EngineError(relative=1.0, angle=0.1)
    log, _ = staged(monkeypatch, error=exact)
    assert ("sharpened", pytest.approx(0.03)) in log


def test_a_start_that_is_near_is_looked_at_by_gradients(monkeypatch):
    asked = []
    look = stages.Look(-1.0, 0.0)
    monkeypatch.setattr(stages, "cheap_look", lambda *given: asked.append(given) or look)
    objective = Rows(10, [], has_stand_in=True)
    near = Settings(is_near=True, tol=1e-3)
    assert stages._looked_at(objective, FIRST, near) is look
    assert asked == [(objective, FIRST, 1e-3)]
    assert stages._looked_at(objective, FIRST, Settings()) == (-1.0, 1.0)
    assert stages._looked_at(Rows(10, []), FIRST, near) == (-1.0, 1.0)
    assert len(asked) == 1


# Gradients alone, where Phi is large -------------------------------------------------------------


@pytest.mark.parametrize(
    ("d", "n", "changes", "used"),
    [
        (301, 4, {}, True),
        (300, 4, {}, False),
        (301, 4, {"is_near": False}, False),
        (301, 4, {"solver": "stiefel"}, False),
    ],
)
def test_gradients_lead_nearer_where_phi_is_large(d, n, changes, used, monkeypatch):
    asked = []

    def spy(objective, W, **settings):
        asked.append((objective.engine, settings))
        return rough_descent(objective, W, **settings)

    monkeypatch.setattr(stages, "rough_descent", spy)
    X = np.random.default_rng(0).standard_normal((n, d))
    objective = Objective(X, Dense(np.eye(n)), Linear(), "tiled")
    starts = [("here", orthonormal(d, 1, seed=0))]
    settings = Settings(**({"is_near": True, "tol": 1e-3} | changes))
    found = by_gradients(objective, starts, settings)
    assert (found is starts) is not used
    assert asked == ([("dense", {"gain": 1e-4, "max_iter": 300})] if used else [])
    if used:
        assert found[0][0] == "here"
        assert objective.cost(found[0][1]) < objective.cost(starts[0][1])
    monkeypatch.setattr(stages, "_FEW_PAIRS", n - 1)
    assert by_gradients(objective, starts, settings) is starts
    monkeypatch.setattr(stages, "_FEW_PAIRS", n)
    assert (by_gradients(objective, starts, settings) is starts) is not used
