"""When a sample of the rows no longer stands for all of them in Newton steps."""

from types import SimpleNamespace

import pytest

from hsiclearn._solvers.rough_newton import RoughCurvature


def still_serves(ratio, left, gain=0.0, *, at_boundary=False, is_pairwise=False):
    """After a step from a cost of -100 and a gradient of 1."""
    rough = RoughCurvature(SimpleNamespace(has_stand_in=True, is_pairwise=is_pairwise))
    here = SimpleNamespace(cost=-100.0, stationarity=1.0)
    trial = SimpleNamespace(cost=-100.0 - gain, stationarity=left)
    rough.judge(here, trial, ratio, at_boundary)
    return rough.serves


@pytest.mark.parametrize(
    ("step", "serves"),
    [
        ({"ratio": 0.25, "left": 0.1}, True),
        ({"ratio": 0.24, "left": 0.1}, False),  # the model was wrong
        ({"ratio": 1.0, "left": 0.11}, False),  # a better Hessian might leave less
        ({"ratio": 1.0, "left": 0.11, "at_boundary": True}, True),  # or the radius is to blame
        ({"ratio": 1.0, "left": 0.11, "gain": 1e-3}, False),
        ({"ratio": 1.0, "left": 0.11, "gain": 1.01e-3, "is_pairwise": True}, True),
        ({"ratio": 1.0, "left": 0.11, "gain": 0.99e-3, "is_pairwise": True}, False),
    ],
)
def test_it_serves_while_steps_keep_what_a_hessian_promises(step, serves):
    assert still_serves(**step) == serves


def test_once_given_up_it_does_not_come_back():
    rough = RoughCurvature(SimpleNamespace(has_stand_in=False, is_pairwise=False))
    point = SimpleNamespace(cost=-1.0, stationarity=0.0, hessian="of all rows")
    rough.judge(point, point, 1.0, True)
    assert not rough.serves
    assert rough.hessian_at(point) == "of all rows"


def test_the_hessian_is_that_of_the_rows_that_stand_in():
    few = SimpleNamespace(hessian="of some rows")
    rough = RoughCurvature(SimpleNamespace(has_stand_in=True, stand_in="some", is_pairwise=False))
    point = SimpleNamespace(bent_as=lambda objective: few if objective == "some" else None)
    assert rough.hessian_at(point) == "of some rows"
