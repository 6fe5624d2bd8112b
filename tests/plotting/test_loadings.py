"""LoadingsDisplay: what is drawn is the loadings, in the order of their shares."""

from itertools import pairwise

import numpy as np
import pytest

from hsiclearn.inspection import Stability, feature_shares
from hsiclearn.plotting import LoadingsDisplay

LOADINGS = np.array([[0.1, -0.9, 0.0, 0.4], [0.2, 0.0, 0.8, -0.5]])
ORDER = [1, 2, 3, 0]  # by the larger of the two shares


def widths(ax):
    return [bar.get_width() for bar in ax.patches]


def tick_names(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_bars_are_the_loadings_by_falling_share():
    display = LoadingsDisplay(LOADINGS, feature_names=list("abcd")).plot()
    assert display.features_.tolist() == ORDER
    for ax, row in zip(display.ax_, LOADINGS, strict=True):
        assert widths(ax) == row[ORDER].tolist()
    assert tick_names(display.ax_[0]) == ["b", "c", "d", "a"]
    bottom, top = display.ax_[0].get_ylim()
    assert bottom > top  # the first is on top


def test_both_signs_have_their_colour_and_panels_their_limits_in_common():
    display = LoadingsDisplay(LOADINGS).plot()
    colours = {bar.get_width() > 0: bar.get_facecolor() for bar in display.ax_[0].patches[:3:2]}
    assert len(set(colours.values())) == 2
    assert display.ax_[0].get_xlim() == display.ax_[1].get_xlim()


def test_what_is_left_out_is_counted():
    display = LoadingsDisplay(LOADINGS, max_features=3).plot()
    assert len(display.ax_[0].patches) == 3
    assert [text.get_text() for text in display.ax_[0].texts] == ["and 1 more feature"]


def test_a_spread_makes_error_bars():
    spread = np.full((2, 4), 0.25)
    display = LoadingsDisplay(LOADINGS, spread=spread).plot()
    segments = display.ax_[1].containers[0].lines[2][0].get_segments()
    np.testing.assert_allclose(segments[0][:, 0], [0.0 - 0.25, 0.0 + 0.25])
    assert display.ax_[0].get_xlim()[1] > 1.15


def test_one_component_is_one_axes():
    assert widths(LoadingsDisplay(LOADINGS[:1]).plot().ax_) == [-0.9, 0.4, 0.1, 0.0]


def test_a_heat_map_has_a_row_per_feature_and_symmetric_limits():
    display = LoadingsDisplay(LOADINGS, kind="heatmap").plot()
    image = display.ax_.images[0]
    np.testing.assert_array_equal(image.get_array(), LOADINGS[:, ORDER].T)
    assert image.get_clim() == (-0.9, 0.9)
    assert len(display.ax_.texts) == 8


def test_of_two_hundred_features_a_heat_map_has_no_text_and_few_names():
    loadings = np.random.default_rng(0).standard_normal((2, 200))
    display = LoadingsDisplay(loadings, kind="heatmap", max_features=None).plot()
    assert display.ax_.images[0].get_array().shape == (200, 2)
    assert len(display.ax_.texts) == 0
    assert len(display.ax_.get_yticks()) == 40
    assert tick_names(display.ax_)[1] == f"x{display.features_[5]}"


def test_of_two_hundred_features_every_bar_has_its_name_in_a_figure_of_its_own():
    loadings = np.random.default_rng(0).standard_normal((1, 200))
    ax = LoadingsDisplay(loadings, max_features=None).plot().ax_
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert len(boxes) == 200
    assert all(above.y0 >= below.y0 + 7 for above, below in pairwise(boxes))
    assert ax.figure.get_figheight() < 32


def test_of_many_components_six_have_bars():
    assert LoadingsDisplay(np.eye(8)).plot().ax_.shape == (6,)


def test_with_rows_loadings_are_on_a_standardised_scale(table, supervised):
    step, names = supervised[-1], list(table[0].columns)
    plain = LoadingsDisplay.from_estimator(supervised)
    np.testing.assert_array_equal(plain.loadings, step.components_)
    assert plain.feature_names == names
    scaled = LoadingsDisplay.from_estimator(supervised, table[0] / 7.0)
    seen = supervised[:-1].transform(table[0] / 7.0)
    np.testing.assert_allclose(scaled.loadings, step.components_ * seen.std(axis=0))
    squares = scaled.loadings**2
    shares = squares / squares.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shares, feature_shares(supervised, table[0] / 7.0))


def test_the_spread_of_a_bootstrap_is_scaled_alike(table, supervised):
    components = np.random.default_rng(0).standard_normal((6, 2, 5))
    stability = Stability(np.zeros((6, 2)), components)
    display = LoadingsDisplay.from_estimator(supervised, table[0] * 3.0, stability=stability)
    deviation = supervised[:-1].transform(table[0] * 3.0).std(axis=0)
    np.testing.assert_allclose(display.spread, components.std(axis=0) * deviation)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "pie"}, r"one of \['bar', 'heatmap'\]. Got 'pie'"),
        ({"spread": np.zeros((1, 4))}, r"shape of the loadings, \(2, 4\). Got \(1, 4\)"),
        ({"max_features": 0}, r"None or at least 1. Got 0"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        LoadingsDisplay(LOADINGS, **settings)
