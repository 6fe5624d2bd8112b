"""How often a column is selected again."""

import numpy as np
import pytest

from hsiclearn import SupervisedHSIC, UnsupervisedHSIC
from hsiclearn.datasets import make_planted
from hsiclearn.inspection import bootstrap_stability, selection_frequencies

X, y, _ = make_planted("ring", 120, 8, n_noise=5, random_state=0)


def test_true_columns_are_chosen_nearly_always_and_noise_is_not():
    model = SupervisedHSIC(2, n_features_to_select=3, bandwidth=1.0).fit(X, y)
    found = selection_frequencies(model, X, y, n_resamples=4)
    assert found.sum() == pytest.approx(3.0)
    assert found[:3].min() >= 0.75
    assert found[3:].max() <= 0.5
    np.testing.assert_array_equal(found, selection_frequencies(model, X, y, n_resamples=4))


def test_it_needs_a_selection():
    model = SupervisedHSIC(2, bandwidth=1.0).fit(X, y)
    with pytest.raises(TypeError, match="n_features_to_select"):
        selection_frequencies(model, X, y)
    with pytest.raises(TypeError, match="UnsupervisedHSIC"):
        selection_frequencies(UnsupervisedHSIC(2, init="identity").fit(X), X, y)


def test_bad_numbers_are_refused():
    model = SupervisedHSIC(2, n_features_to_select=3, bandwidth=1.0).fit(X, y)
    with pytest.raises(ValueError, match="n_resamples"):
        selection_frequencies(model, X, y, n_resamples=0)
    with pytest.raises(ValueError, match="an entry for each"):
        selection_frequencies(model, X, y[:-1])


@pytest.mark.long
def test_stability_of_a_selection_chooses_columns_again_but_no_count():
    model = SupervisedHSIC(2, n_features_to_select="auto", bandwidth=1.0).fit(X, y)
    found = bootstrap_stability(model, X, y, n_resamples=2)
    counts = np.count_nonzero(found.components.any(axis=1), axis=1)
    assert counts.tolist() == [model.n_features_selected_] * 2
