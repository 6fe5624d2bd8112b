"""FeaturePathDisplay: shares by the number of columns, and the sets."""

import numpy as np

from hsiclearn import FeaturePath
from hsiclearn.plotting import FeaturePathDisplay

SUPPORTS = np.array([[1, 1, 1, 1], [1, 0, 1, 0], [1, 0, 0, 0]], dtype=bool)
PATH = FeaturePath(
    np.array([4, 2, 1]),
    np.array([0.5, 0.2, 0.6]),
    np.array([0.1, 0.0, 0.1]),
    SUPPORTS,
    1.0 * SUPPORTS,
)


def test_the_curve_is_the_share_explained_and_the_best_is_marked():
    display = FeaturePathDisplay.from_path(PATH)
    curve = display.ax_[0].containers[0].lines[0]
    np.testing.assert_array_equal(curve.get_xdata(), PATH.counts)
    np.testing.assert_allclose(curve.get_ydata(), PATH.explained_share)
    assert display.ax_[0].get_title() == "2 columns explain 80%"


def test_sets_have_a_dot_for_each_column_of_the_set_found_on_all_rows():
    display = FeaturePathDisplay(PATH, feature_names=list("abcd")).plot()
    assert display.features_.tolist() == [0, 2, 1, 3]
    names = [text.get_text() for text in display.ax_[1].get_yticklabels()]
    assert names == ["a", "c", "b", "d"]
    assert len(display.ax_[1].lines[0].get_xdata()) == SUPPORTS.sum()
