"""StabilityDisplay: the angles and loadings of the resamples."""

import numpy as np
import pytest

from hsiclearn.inspection import Stability, bootstrap_stability
from hsiclearn.plotting import StabilityDisplay

RNG = np.random.default_rng(0)
STABILITY = Stability(
    np.sort(RNG.uniform(0, 40, (21, 2)), axis=1), RNG.standard_normal((21, 2, 18))
)


def test_every_resample_is_counted_and_the_median_is_marked():
    ax = StabilityDisplay(STABILITY).plot().ax_[0]
    assert ax.patches[0].get_data().values.sum() == 21
    rug, median = ax.lines
    np.testing.assert_array_equal(rug.get_xdata(), STABILITY.angles[:, -1])
    assert median.get_xdata()[0] == STABILITY.typical_angle
    assert ax.get_title() == f"21 resamples, median {STABILITY.typical_angle:.1f} degrees"
    assert min(ax.get_yticks()) >= 0


def test_loadings_are_means_with_a_whisker_of_one_deviation():
    display = StabilityDisplay(STABILITY).plot()
    dots, _, bars = display.ax_[1].containers[1].lines
    mean = STABILITY.components.mean(axis=0)[1, display.features_]
    spread = STABILITY.loading_spread[1, display.features_]
    np.testing.assert_allclose(dots.get_xdata(), mean)
    ends = np.array(bars[0].get_segments())[:, :, 0]
    np.testing.assert_allclose(ends, np.stack([mean - spread, mean + spread], axis=1))


def test_fifteen_features_are_shown_and_the_rest_counted():
    display = StabilityDisplay(STABILITY).plot()
    assert display.features_.size == 15
    assert [text.get_text() for text in display.ax_[1].texts] == ["and 3 more features"]


@pytest.mark.parametrize("angle", [0.0, 90.0])
def test_one_resample_at_either_end_is_drawn(angle):
    stability = Stability(np.full((1, 1), angle), np.ones((1, 1, 2)))
    ax = StabilityDisplay(stability).plot().ax_[0]
    assert ax.patches[0].get_data().values.sum() == 1
    assert ax.get_xlim()[1] <= 90.0


def test_of_an_estimator_it_is_the_bootstrap_with_its_names(table, supervised):
    settings = {"n_resamples": 3, "refit": "whole", "random_state": 5}
    display = StabilityDisplay.from_estimator(supervised, *table, **settings)
    expected = bootstrap_stability(supervised, *table, **settings)
    np.testing.assert_array_equal(display.stability.angles, expected.angles)
    assert display.feature_names == list(table[0].columns)
