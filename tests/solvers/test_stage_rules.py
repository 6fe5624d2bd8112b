"""The rules of the stages, by hand: how exact an engine has to be, what a sample is to tell."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Status
from hsiclearn._result import EngineError
from hsiclearn._solvers import Run
from hsiclearn._solvers.problem import Settings, engine_tolerance
from hsiclearn._solvers.stages import _factor_missing, _steps_between, lowest, made_exact

TOL = 1e-6
SETTINGS = Settings(tol=TOL)


def error(angle, relative, rounding=0.0):
    return EngineError(relative=relative, angle=angle, rounding=rounding)


@pytest.mark.parametrize(
    ("angle", "relative", "factor"),
    [
        (0.99e-2, 1.0, 1.0),  # 1e4 tol turns nobody
        (1.01e-2, 1.0, 0.3 / 1.01),
        (0.1, 1.0, 0.03),
        (1.0, 0.99e-4, 1.0),  # an error of 100 tol is small whatever the angle
        (1.0, 1.01e-4, 0.003),
        (1e4, 1.0, 1e-4),  # no more than so much at once
    ],
)
def test_how_many_times_as_exact_an_engine_has_to_be(angle, relative, factor):
    assert _factor_missing(error(angle, relative), TOL) == pytest.approx(factor, rel=1e-12)
    rounded = error(angle, relative + 1.0, rounding=1.0)  # which no engine removes
    assert _factor_missing(rounded, TOL) == pytest.approx(factor, rel=1e-9)


class Engines:
    """Objectives with the errors given, each the refinement of the one before; then all pairs."""

    def __init__(self, errors, twin=None):
        self.asked, self._errors, self._twin = [], errors, twin
        self.engine_error = lambda point: errors[0]

    def refined(self, W, factor):
        self.asked.append(factor)
        if len(self._errors) < 2:
            return None
        finer = Engines(self._errors[1:], self._twin)
        finer.asked = self.asked
        return finer

    def exact_twin(self, patience):
        self.asked.append(patience)
        return self._twin


def refine(engines, status=Status.CONVERGED):
    """What is made of a run, and what the stages were asked to run."""

    def as_run(objective, status=Status.CONVERGED):
        return Run(SimpleNamespace(objective=objective, W=np.eye(2)), status, (), "here")

    ran = []

    def run(objective, starts, tol, *, is_near):
        [(name, _)] = starts
        ran.append((objective, name, tol, is_near))
        return [as_run(objective)]

    made = made_exact(as_run(engines, status), SimpleNamespace(run=run), SETTINGS)
    return *made, ran


def test_an_engine_that_is_exact_enough_is_left_alone():
    engines = Engines([error(1e-3, 1.0)])
    run, found, ran = refine(engines)
    assert (run.point.objective, found, ran, engines.asked) == (engines, error(1e-3, 1.0), [], [])


def test_an_engine_is_refined_until_it_is_exact_enough():
    engines = Engines([error(1.0, 1.0), error(0.1, 1.0), error(1e-3, 1.0)])
    run, found, ran = refine(engines)
    assert run.status is Status.CONVERGED
    assert found == error(1e-3, 1.0)
    assert engines.asked == pytest.approx([0.003, 0.03])
    assert [(name, tol, near) for _, name, tol, near in ran] == [("here", TOL, True)] * 2


def test_after_three_refinements_all_pairs_are_visited():
    exact = Engines([error(0.0, 0.0)])
    engines = Engines([error(1.0, 1.0)] * 9, exact)
    run, _, ran = refine(engines)
    assert run.point.objective is exact
    assert engines.asked == pytest.approx([0.003, 0.003, 0.003, 60.0])
    assert len(ran) == 4


def test_an_answer_that_cannot_be_made_exact_says_so():
    engines = Engines([error(1.0, 1.0)])
    run, found, ran = refine(engines)
    assert run.status is Status.COARSE
    assert found == error(1.0, 1.0)
    assert engines.asked == pytest.approx([0.003, 60.0])
    assert ran == []


@pytest.mark.parametrize(("approximation", "asked"), [(2e-12, [0.3]), (0.5e-12, [])])
def test_a_stalled_run_is_refined_unless_it_is_rounding(approximation, asked):
    engines = Engines([error(0.0, approximation), error(0.0, 0.0)])
    _, _, ran = refine(engines, Status.STALLED)
    assert engines.asked == asked
    assert len(ran) == len(asked)


def test_a_run_that_did_not_converge_is_not_refined():
    engines = Engines([error(1.0, 0.9e-12), error(0.0, 0.0)])
    assert refine(engines, Status.MAX_ITER)[0].status is Status.MAX_ITER
    assert engines.asked == []


def test_a_sample_has_a_quarter_of_the_rows_of_the_next_where_pairs_are_visited():
    """Down to twice the first sample."""
    sizes = [
        _steps_between(SimpleNamespace(n_samples=n, is_pairwise=True))
        for n in (160_000, 160_004, 700_000, 10_000_000)
    ]
    assert sizes == [[], [40_001], [43_750, 175_000], [156_250, 625_000, 2_500_000]]
    assert _steps_between(SimpleNamespace(n_samples=700_000, is_pairwise=False)) == []


def test_the_run_of_lowest_cost_is_the_best():
    runs = [Run(SimpleNamespace(cost=c), Status.CONVERGED, ()) for c in (2.0, -3.0, 1.0)]
    assert lowest(runs) is runs[1]


def test_kernel_values_are_ten_tolerances_exact_within_reason():
    assert engine_tolerance(1e-6) == pytest.approx(1e-5)
    assert engine_tolerance(1.1e-5) == 1e-4
    assert engine_tolerance(0.9e-14) == 1e-13
    assert engine_tolerance(1.1e-14) == pytest.approx(1.1e-13)
