"""Limits: a few rows far off do not squash the others, and are told."""

import numpy as np
import pytest

from hsiclearn.plotting import ProjectionDisplay
from hsiclearn.plotting._density import clipped, opening_range


@pytest.mark.parametrize("draw", ["standard_normal", "uniform", "standard_exponential"])
def test_ordinary_rows_are_all_in_view(draw):
    for seed in range(20):
        values = getattr(np.random.default_rng(seed), draw)(size=500)
        assert opening_range(values) is None


def test_two_rows_far_off_do_not_squash_the_others():
    Z = np.random.default_rng(0).standard_normal((300, 2))
    Z[:2, 1] = 50.0, 80.0
    low, high = opening_range(Z[:, 1])
    assert (low, high) == (Z[2:, 1].min(), Z[2:, 1].max())  # no emptier than the rows are
    inside, n_outside = clipped(Z)
    assert n_outside == 2
    np.testing.assert_array_equal(inside[2:], Z[2:])
    np.testing.assert_array_equal(inside[:2, 1], high)


def test_values_that_are_mostly_the_same_keep_their_range():
    assert opening_range(np.r_[np.zeros(99), 5.0]) is None
    assert opening_range(np.zeros(3)) is None


@pytest.mark.parametrize("components", [(0, 1), (0,), "pairs"])
def test_a_picture_says_how_many_rows_stand_at_its_edge(components):
    Z = np.random.default_rng(0).standard_normal((300, 3))
    Z[:2, 0] = 500.0
    display = ProjectionDisplay(Z, components=components).plot()
    first = display.ax_.flat[0] if components == "pairs" else display.ax_
    assert display.n_outside_ == 2
    assert first.get_xlim()[1] < 10.0
    title = display.figure_.get_suptitle() if components == "pairs" else first.get_title("left")
    assert title == "2 rows lie beyond the edge"
    whole = ProjectionDisplay(Z, components=components, limits="all").plot()
    assert whole.n_outside_ == 0
    first = whole.ax_.flat[0] if components == "pairs" else whole.ax_
    assert first.get_xlim()[1] >= 500.0


def test_names_and_limits_are_checked():
    Z = np.zeros((4, 2))
    with pytest.raises(ValueError, match=r"`limits` must be 'auto' or 'all'\. Got"):
        ProjectionDisplay(Z, limits="some")
    with pytest.raises(ValueError, match=r"each of the 2 components\. Got 1"):
        ProjectionDisplay(Z, axis_names=["a"])
    display = ProjectionDisplay(Z, axis_names=["a", "b"]).plot()
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("a", "b")
