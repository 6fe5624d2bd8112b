"""What a checkpoint is known by, and what is believed of it, by hand."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Objective, Status
from hsiclearn._result import PROBES, Record, digest_of, digest_of_values
from hsiclearn._solvers import Settings, checkpoint
from hsiclearn._solvers._base import SavedRun, check_same_cost
from hsiclearn._solvers.problem import Problem, as_generator
from hsiclearn.exceptions import CheckpointError
from hsiclearn.gamma import Dense
from hsiclearn.kernels import Gaussian, Linear

W = np.eye(4, 2)


def history(*costs):
    return tuple(Record("newton", cost, 0.0, 0.0, 0.0, 0.0, 1, 0, 1) for cost in costs)


def test_a_kernel_is_known_by_its_name_and_four_values():
    """``exp(-b/2)`` at 0, 0.1, 1 and 3; files of earlier versions hold the same text."""
    text = checkpoint._kernel(2 * Gaussian(1.0) + Linear())
    gaussian = "2.0 * Gaussian(bandwidth=1.0) [1 0.951229 0.606531 0.22313]"
    assert text == f"{gaussian} + 1.0 * Linear() [0 0.1 1 3]"


def test_a_fingerprint_is_the_one_of_earlier_versions():
    problem = Problem(np.eye(6, 3), Dense(np.eye(6)), Linear(), 2, "dense")
    found = checkpoint.fingerprint_of(problem, Settings(), as_generator(0))
    rest = {k: v for k, v in found.items() if k not in ("X", "gamma")}
    assert rest == {
        "kernel": "1.0 * Linear() [0 0.1 1 3]",
        "n_components": "2",
        "engine": "dense",
        "init": "phi-zero",
        "random_state": rest["random_state"],
        "solver": "'spectral'",
        "n_init": "1",
        "tol": "1e-06",
        "max_iter": "100",
    }
    V = np.random.default_rng(0).standard_normal((6, PROBES))
    assert found["X"] == f"6 x 3, {digest_of(problem.objective.rows)}"
    assert found["gamma"] == f"6 x 6, {digest_of_values(V.T @ V)}"  # of Gamma = I
    assert checkpoint._short_hash(b"") == "e3b0c44298fc1c14"  # how sha256 of nothing begins
    assert checkpoint._init(np.zeros((0, 2))) == "array (0, 2), e3b0c44298fc1c14"


@pytest.mark.parametrize(
    ("costs", "found", "passes"),
    [
        ((-100.0, -100.0), -100.0 + 0.9e-4, True),  # a millionth of the cost
        ((-100.0, -100.0), -100.0 + 1.2e-4, False),
        ((-100.0, -100.0), -100.0 - 1.2e-4, False),
        ((-100.0, 0.0), 0.9e-7, True),  # what ends near 0 is by where it began
        ((-100.0, 0.0), 1.1e-7, False),
        ((0.0, -100.0), -100.0 + 0.9e-4, True),
    ],
)
def test_the_cost_is_the_one_of_before_up_to_another_machines_rounding(costs, found, passes):
    point = SimpleNamespace(cost=found)
    if passes:
        check_same_cost(point, history(*costs))
    else:
        with pytest.raises(CheckpointError, match=f"the checkpoint says {costs[-1]:g}"):
            check_same_cost(point, history(*costs))


@pytest.mark.parametrize(
    ("status", "gradient", "passes"),
    [
        (Status.CONVERGED, 2e-6, True),  # twice the tolerance: another machine rounds
        (Status.CONVERGED, 2.1e-6, False),
        (Status.CONVERGED, np.nan, False),
        (Status.MAX_ITER, 1.0, True),
    ],
)
def test_who_converged_has_a_small_gradient(status, gradient, passes):
    point = SimpleNamespace(cost=-1.0, stationarity=gradient)
    asked = []
    here = SimpleNamespace(point=lambda W: point)
    objective = SimpleNamespace(point=here.point, held_at=lambda at: asked.append(at) or here)
    for state in ({"W": W}, {"W": W, "anchor": 2.0 * W}):
        saved = SavedRun("stage", "start", status, state, history(-1.0))
        if passes:
            run = checkpoint.ended_run(saved, status, objective, 1e-6)
            assert (run.point, run.status, run.start) == (point, status, "start")
        else:
            with pytest.raises(CheckpointError, match="tol=1e-06 at most"):
                checkpoint.ended_run(saved, status, objective, 1e-6)
    np.testing.assert_array_equal(asked, [2.0 * W])


@pytest.mark.parametrize(
    ("state", "error"),
    [
        ({"W": W * (1.0 + 0.3e-8)}, None),
        ({"W": W * (1.0 + 0.4e-8)}, ValueError),  # |W'W - I| is 1.1e-8
        ({"W": np.full((4, 2), np.nan)}, ValueError),
        ({"W": np.eye(2)}, None),
        ({"W": np.eye(2, 3)}, ValueError),
        ({"W": np.ones(1)}, ValueError),
        ({"W": W.astype(np.float32)}, ValueError),
        ({}, ValueError),
        ({"W": W, "radius": "far"}, TypeError),
        ({"W": W, "radius": 1.5, "newton": True, "anchor": W}, None),
    ],
)
def test_an_iterate_is_a_basis_and_numbers(state, error):
    if error is None:
        checkpoint._check_run(state, history(-1.0))
        with pytest.raises(ValueError, match="without iterates"):
            checkpoint._check_run(state, ())
    else:
        with pytest.raises(error):
            checkpoint._check_run(state, history(-1.0))


def test_what_ended_is_kept_with_its_anchor():
    objective = Objective(np.eye(4), Dense(np.eye(4)), Linear(), "dense")
    point = objective.point(W)
    assert list(checkpoint.ended_state(SimpleNamespace(point=point))) == ["W"]
    held = SimpleNamespace(W=W, objective=SimpleNamespace(anchor=2.0 * W))
    assert list(checkpoint.ended_state(SimpleNamespace(point=held))) == ["W", "anchor"]


@pytest.mark.parametrize(
    ("changes", "right"),
    [
        ({}, True),
        ({"cost": np.inf}, False),
        ({"cost": np.nan}, False),
        ({"seconds": -1e-9}, False),
        ({"seconds": np.inf}, False),
        ({"seconds": np.nan}, False),
        ({"evaluations": -1}, False),
        ({"hessian_products": -1}, False),
        ({"iterations": -1}, False),
        ({"evaluations": 0, "iterations": 0, "seconds": 1e9}, True),
        ({"gradient": np.nan, "eigengap": np.inf}, True),
    ],
)
def test_a_history_has_costs_and_counts(changes, right):
    past = (*history(-1.0), replace(history(-2.0)[0], **changes))
    if right:
        checkpoint._check_history(past)
    else:
        with pytest.raises(ValueError, match="finite costs, and counts"):
            checkpoint._check_history(past)


def test_a_run_is_written_as_its_numbers_and_its_arrays():
    saved = SavedRun("rows", "here", Status.MAX_ITER, {"W": W, "radius": 0.5}, history(-1.0))
    header = checkpoint._header_of(saved)
    assert (header["stage"], header["start"], header["status"]) == ("rows", "here", "MAX_ITER")
    assert header["numbers"] == {"radius": 0.5}
    assert header["arrays"] == ["W"]
    again = checkpoint._run_from(header, 3, {"3.W": W})
    assert again.status is Status.MAX_ITER
    assert again.history == saved.history
    assert again.state["radius"] == 0.5
    assert again.W is W
    assert checkpoint._run_from(header | {"status": None}, 3, {"3.W": W}).status is None
    with pytest.raises(KeyError):
        checkpoint._run_from(header, 2, {"3.W": W})
    assert checkpoint._word(3) == "something else"
    assert checkpoint._word("text") == "text"
