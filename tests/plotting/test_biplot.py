"""BiplotDisplay: rows, arrows of the main features, labels that do not collide."""

import numpy as np
import pytest

from hsiclearn.plotting import BiplotDisplay
from hsiclearn.plotting.biplot import _spread_out

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((40, 2)) * [10.0, 0.1]
LOADINGS = RNG.standard_normal((2, 12))


def test_an_arrow_shows_where_a_row_moves_if_its_feature_rises(table, supervised):
    X, y = table
    display = BiplotDisplay.from_estimator(supervised, X, y)
    here = supervised.transform(X)
    moved = np.empty((5, 2))
    for j in range(5):
        more = X.copy()
        more.iloc[:, j] += X.iloc[:, j].std(ddof=0)
        moved[j] = (supervised.transform(more) - here)[7]
    factor = display.arrows_ / moved[display.features_]
    np.testing.assert_allclose(factor, factor[0, 0])
    assert factor[0, 0] > 0
    drawn = [(text.xy, text.xyann) for text in display.ax_.texts if not text.get_text()]
    np.testing.assert_allclose([np.subtract(*ends) for ends in drawn], display.arrows_)


def test_the_longest_arrow_on_screen_fits_the_rows_also_where_axes_differ_much():
    display = BiplotDisplay(ROWS, LOADINGS, max_features=5).plot()
    np.testing.assert_allclose(
        np.ptp(display.arrows_ / LOADINGS[:, display.features_].T), 0, atol=1e-15
    )
    on_screen = display.arrows_ / (0.5 * np.ptp(ROWS, axis=0))
    assert np.linalg.norm(on_screen, axis=1).max() == pytest.approx(0.8)


def test_the_features_of_largest_share_have_arrows():
    shares = (LOADINGS**2 / (LOADINGS**2).sum(axis=1, keepdims=True)).max(axis=0)
    display = BiplotDisplay(ROWS, LOADINGS, max_features=5).plot()
    assert display.features_.tolist() == np.argsort(-shares)[:5].tolist()
    texts = [text.get_text() for text in display.ax_.texts if text.get_text()]
    assert texts == [f"x{j}" for j in display.features_]


def test_rows_and_tips_are_inside_the_axes():
    display = BiplotDisplay(ROWS, LOADINGS).plot()
    tips = ROWS.mean(axis=0) + display.arrows_
    for inside in (ROWS, tips):
        low, high = np.array([display.ax_.get_xlim(), display.ax_.get_ylim()]).T
        assert np.all((inside > low) & (inside < high))


def test_labels_on_a_side_keep_a_line_between_them():
    heights = _spread_out(np.array([0.2, 0.5, 0.5, 0.51, 0.52, 0.99]))
    assert np.diff(heights).min() >= 0.055 - 1e-12
    assert heights[0] == pytest.approx(0.2)
    assert heights.max() <= 0.97
    assert np.mean(heights[1:5]) == pytest.approx(np.mean([0.5, 0.5, 0.51, 0.52]))
    assert _spread_out(np.array([])).size == 0


def test_of_an_estimator_rows_are_projected_and_loadings_standardised(table, supervised):
    X, y = table
    display = BiplotDisplay.from_estimator(supervised, X, y, class_names=["no", "yes"])
    np.testing.assert_allclose(display.projection, supervised.transform(X))
    seen = supervised[:-1].transform(X)
    np.testing.assert_allclose(display.loadings, supervised[-1].components_ * seen.std(axis=0))
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["no", "yes"]


def test_constant_loadings_and_rows_are_drawn():
    assert np.all(BiplotDisplay(np.zeros((3, 2)), np.zeros((2, 4))).plot().arrows_ == 0.0)


def test_without_an_arrow_it_is_no_biplot():
    with pytest.raises(ValueError, match=r"`max_features` must be at least 1. Got 0"):
        BiplotDisplay(ROWS, LOADINGS, max_features=0)


def test_one_component_is_refused_with_a_remedy():
    with pytest.raises(ValueError, match=r"for one component use ProjectionDisplay"):
        BiplotDisplay(np.zeros((3, 1)), np.zeros((1, 4)))
