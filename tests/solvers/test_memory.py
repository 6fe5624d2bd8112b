"""What L-BFGS remembers: the inverse Hessian of BFGS, and the gradient of a quadratic."""

import numpy as np
import pytest

from hsiclearn._solvers.memory import Memory, backtracked
from naive import assert_close

RNG = np.random.default_rng(0)
D = 6
A = np.diag(np.arange(1.0, D + 1.0)) + 0.1
NOWHERE = np.zeros((D, 0))  # the manifold of no directions is all of space


def filled(n_steps):
    """A memory after steps on the quadratic ``x'Ax / 2``, and the pairs it was told."""
    memory, pairs = Memory(), []
    for _ in range(n_steps):
        s = RNG.standard_normal((D, 1))
        pairs.append((s, A @ s))
        memory.move_to(NOWHERE, s, np.zeros((D, 1)), A @ s)
    return memory, pairs


@pytest.mark.parametrize("n_steps", [1, 3, 8])
def test_the_direction_is_that_of_the_matrix_written_out(n_steps):
    """``H <- (I - r s y') H (I - r y s') + r s s'``, ``r = 1/y's``, from ``H = (s'y / y'y) I``."""
    memory, pairs = filled(n_steps)
    gradient = RNG.standard_normal((D, 1))
    s, y = pairs[-1]
    H = float(np.vdot(s, y) / np.vdot(y, y)) * np.eye(D)
    for s, y in pairs:
        r = 1.0 / float(np.vdot(s, y))
        left = np.eye(D) - r * s @ y.T
        H = left @ H @ left.T + r * s @ s.T
    assert_close(memory.direction(gradient), -H @ gradient, 1e-12)


def test_only_the_last_ten_steps_count():
    memory, pairs = filled(14)
    late = Memory()
    for s, y in pairs[-10:]:
        late.move_to(NOWHERE, s, np.zeros((D, 1)), y)
    gradient = RNG.standard_normal((D, 1))
    np.testing.assert_array_equal(memory.direction(gradient), late.direction(gradient))


def test_a_step_along_which_the_slope_falls_is_not_remembered():
    memory = Memory()
    s = RNG.standard_normal((D, 1))
    memory.move_to(NOWHERE, s, np.zeros((D, 1)), -s)
    assert not memory


def test_what_is_remembered_is_tangent_where_it_was_carried_to():
    W = np.linalg.qr(RNG.standard_normal((D, 2)))[0]
    memory = Memory()
    s = RNG.standard_normal((D, 2))
    memory.move_to(W, s, np.zeros((D, 2)), A @ s - W @ (W.T @ A @ s))
    gradient = RNG.standard_normal((D, 2))
    gradient -= W @ (W.T @ gradient)
    assert np.abs(W.T @ memory.direction(gradient)).max() <= 1e-12


def test_a_line_search_goes_to_the_bottom_of_the_parabola_within_reason():
    """``-t + 2 t^2`` is lowest at 1/4; a bottom too near or too far is not believed."""
    assert backtracked(-1.0, 1.0, 1.0) == pytest.approx(0.25)
    assert backtracked(-1.0, 1.0, 1e6) == 0.1
    assert backtracked(-1.0, 1.0, -0.9) == 0.5
    assert backtracked(-1.0, 1.0, np.inf) == 0.1


def test_any_first_guess_of_the_hessian_is_scaled_by_the_last_pair():
    """``H = (s'y / y'M^-1 y) M^-1`` to begin with."""
    memory, pairs = filled(3)
    M = np.arange(2.0, D + 2.0)[:, None]
    gradient = RNG.standard_normal((D, 1))
    s, y = pairs[-1]
    H = float(np.vdot(s, y) / np.vdot(y, y / M)) * np.diag(1.0 / M[:, 0])
    for s, y in pairs:
        r = 1.0 / float(np.vdot(s, y))
        left = np.eye(D) - r * s @ y.T
        H = left @ H @ left.T + r * s @ s.T
    assert_close(memory.direction(gradient, lambda V: V / M), -H @ gradient, 1e-12)
    empty = Memory()
    assert_close(empty.direction(gradient, lambda V: V / M), -gradient / M, 0.0)
    memory.clear()
    assert not memory


def test_pairs_are_carried_by_projection_and_dropped_where_they_no_longer_bend():
    E = np.eye(D)
    memory = Memory()
    memory.move_to(NOWHERE, E[:, [0]] + E[:, [1]], E[:, [3]], 2 * E[:, [0]] - E[:, [1]] + E[:, [3]])
    memory.move_to(NOWHERE, E[:, [2]], 0 * E[:, [2]], 3 * E[:, [2]])
    [(s, y), _] = memory._pairs
    assert_close(s, E[:, [0]] + E[:, [1]], 0.0)
    assert_close(y, 2 * E[:, [0]] - E[:, [1]], 0.0)
    memory.move_to(E[:, [4]], E[:, [5]] + E[:, [4]], E[:, [4]], 2 * E[:, [5]])
    assert len(memory._pairs) == 3
    assert_close(memory._pairs[2][0], E[:, [5]], 0.0)
    assert_close(memory._pairs[2][1], 2 * E[:, [5]], 0.0)
    memory.move_to(E[:, [0]], E[:, [5]], 0 * E[:, [5]], -E[:, [5]])
    assert_close(np.hstack([s for s, _ in memory._pairs]), E[:, [2, 5]], 0.0)


@pytest.mark.parametrize(("cosine", "kept"), [(0.9e-10, False), (1.1e-10, True)])
def test_a_pair_must_bend_by_more_than_rounding(cosine, kept):
    s, memory = np.eye(D)[:, [0]], Memory()
    memory.move_to(NOWHERE, 3.0 * s, 0.0 * s, 5.0 * (cosine * s + np.eye(D)[:, [1]]))
    assert bool(memory) is kept


@pytest.mark.parametrize(("bend", "found"), [(5.0, 0.2), (1.0, 0.25), (100.0, 0.05), (0.0, 0.05)])
def test_the_bottom_of_a_parabola_of_any_length(bend, found):
    """``-2 t + bend t^2`` after a step of one half; where it does not bend, as near as may be."""
    assert backtracked(-2.0, 0.5, -1.0 + 0.25 * bend) == pytest.approx(found)
    assert backtracked(-2.0, 0.5, -3.0) == pytest.approx(0.05)
