"""Fits for every bandwidth and start, as they are listed."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._engines import rough_engine
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._selection.candidates import ARRAY, PATH, Candidate, Fits, proposals
from hsiclearn._selection.ridge import responses
from hsiclearn._solvers import SpectralSolver, rough_fit, run, start_from_name
from hsiclearn.datasets import make_planted
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from naive import assert_close
from registry import orthonormal

X, y, truth = make_planted("sectors", 120, 5)
GAMMA = ClassTable.centered(y)
KERNELS = [Gaussian(b) for b in (6.0, 2.0, 0.7)]
SINGLE = 1e-5  # share of a cost that single precision may miss


class Grid:
    """Fits by the number of a kernel and the name of a start."""

    def __init__(self, table, gamma, kernels, q, init=None):
        starts = [PATH, ARRAY, "phi-zero", "second-moments", *(f"random {i}" for i in (1, 2, 3))]
        self._levels = [{one.start: one for one in level} for level in proposals(kernels, starts)]
        self._fits = Fits(table, gamma, responses(gamma), q, init)

    def fit(self, k, start):
        return self._fits.fit(self._levels[k][start])


def fits(init=None, q=2, table=X):
    return Grid(table, GAMMA, KERNELS, q, init)


def test_the_list_has_every_start_for_every_kernel_and_a_path_through_them():
    levels = proposals(KERNELS, [PATH, "second-moments"])
    assert [[one.start for one in level] for level in levels] == [[PATH, "second-moments"]] * 3
    assert [level[0].kernel for level in levels] == KERNELS
    assert [level[0].follows for level in levels] == [None, levels[0][0], levels[1][0]]
    assert all(level[1].follows is None for level in levels)
    assert [level[0].place for level in levels] == ["1 of 3", "2 of 3", "3 of 3"]


@pytest.mark.parametrize("start", [PATH, "second-moments", "random 1"])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_a_fit_is_an_orthonormal_frame_with_its_cost(start, k):
    W, cost = fits().fit(k, start)
    assert W.shape == (5, 2)
    assert_close(W.T @ W, np.eye(2), 1e-12)
    assert cost == pytest.approx(Objective(X, GAMMA, KERNELS[k]).cost(W), rel=SINGLE)


def test_the_path_begins_at_phi_zero_and_goes_on_from_each_answer():
    grid = fits()
    np.testing.assert_array_equal(grid.fit(0, PATH).W, grid.fit(0, "phi-zero").W)
    for k in (1, 2):
        objective = Objective(X, GAMMA, KERNELS[k], rough_engine)
        before = grid.fit(k - 1, PATH).W
        by_hand = rough_fit(objective, before, 1e-4)
        np.testing.assert_array_equal(grid.fit(k, PATH).W, by_hand.W)
        assert grid.fit(k, PATH).cost <= objective.cost(before)


def test_the_answer_does_not_depend_on_what_was_asked_before():
    late, early = fits(), fits()
    late.fit(0, PATH), late.fit(2, "second-moments"), late.fit(1, PATH)
    np.testing.assert_array_equal(late.fit(2, PATH).W, early.fit(2, PATH).W)
    assert late.fit(2, PATH) is late.fit(2, PATH)  # and it is fitted once


def test_random_starts_are_different_draws_and_the_same_every_time():
    noise = Grid(X, ClassTable.centered(np.arange(120) % 2), [Gaussian(0.2)], 1)
    again = Grid(X, ClassTable.centered(np.arange(120) % 2), [Gaussian(0.2)], 1)
    found = [noise.fit(0, f"random {i}").W for i in (1, 2, 3)]
    assert len({W.round(3).tobytes() for W in found}) > 1
    np.testing.assert_array_equal(found[0], again.fit(0, "random 1").W)


def test_a_given_start_is_started_from():
    solved = fits().fit(1, PATH)
    again = fits(init=solved.W).fit(1, ARRAY)
    assert sine_of_largest_angle(solved.W, again.W) <= 1e-2
    assert again.cost <= solved.cost + SINGLE * abs(solved.cost)


def test_wide_rows_are_fitted_as_well_as_by_a_solver():
    """40 rows, 90 columns: the answer is in the columns, and no worse than one found there."""
    rng = np.random.default_rng(0)
    codes = np.arange(40) % 2
    table = rng.standard_normal((40, 90)) + 2.0 * np.eye(1, 90) * codes[:, None]
    gamma, kernel = ClassTable.centered(codes), Gaussian(8.0)
    init = orthonormal(90, 2, seed=1)
    grid = Grid(table, gamma, [kernel, kernel], 2, init)
    objective = Objective(table, gamma, kernel)
    for start in (PATH, ARRAY, "second-moments"):
        W, cost = grid.fit(1, start)
        assert W.shape == (90, 2)
        assert_close(W.T @ W, np.eye(2), 1e-12)
        assert cost == pytest.approx(objective.cost(W), rel=SINGLE)
    first = start_from_name("phi-zero", objective, 2, rng)
    plain = run(SpectralSolver(objective, 1e-3), first, max_iter=15)
    assert grid.fit(0, PATH).cost == pytest.approx(plain.point.cost, rel=1e-3)


# When a gain is clear -----------------------------------------------------------------------------


def with_losses(leave_one_out, losses):
    """A candidate of which each row held out adds so much to the loss."""
    losses = np.asarray(losses, dtype=float)
    return Candidate(2, Gaussian(1.0), "path", leave_one_out, losses.sum(), losses=losses)


@pytest.mark.parametrize(
    ("loss", "gain", "scatter", "is_clear"),
    [
        (0.5, 0.011, 0.0, True),
        (0.5, 0.009, 0.0, False),  # below 2 % of the loss
        (0.1, 0.006, 0.0, True),
        (0.1, 0.004, 0.0, False),  # above 2 % of the loss, but nobody would notice
        (0.5, 0.100, 0.019, True),  # sqrt(100) * 0.019 / 2 = 0.095
        (0.5, 0.100, 0.021, False),  # below half a standard error, 0.105
    ],
)
def test_a_gain_is_clear_by_three_bounds(loss, gain, scatter, is_clear):
    signs = np.resize([1.0, -1.0], 100)
    other = with_losses(np.nan, np.full(100, loss / 100))
    better = with_losses(np.nan, np.full(100, (loss - gain) / 100) + scatter * signs)
    assert bool(better.is_clearly_below(other)) is is_clear


def test_where_next_to_nothing_is_left_nothing_more_is_asked_for():
    assert with_losses(0.001, [0.01]).leaves_something
    assert not with_losses(0.001, [0.004]).leaves_something
