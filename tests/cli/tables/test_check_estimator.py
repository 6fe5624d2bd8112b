"""scikit-learn's own contract, with no exemption, and the names of columns."""

import numpy as np
import pandas as pd
import pytest
from sklearn import __version__
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from hsiclearn._cli.tables import TableEncoder, TableError, as_table

ENCODERS = [TableEncoder(), TableEncoder(impute=True, scale=True), TableEncoder("ordinal")]
FAILED = {}  # checks that cannot pass, with the reason
if tuple(map(int, __version__.split(".")[:2])) < (1, 8):
    FAILED["check_positive_only_tag_during_fit"] = "it subtracts a mean from codes of categories"
FRAME = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": ["x", "y", "y"]})


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.filterwarnings("default")
def test_check_estimator(encoder):
    results = check_estimator(encoder, on_skip=None, expected_failed_checks=FAILED)
    odd = {r["check_name"] for r in results if r["status"] != "passed"}
    # scikit-learn skips this one itself for estimators that do not declare array API support.
    assert odd <= {"check_array_api_input", *FAILED}


def test_tags_tell_what_is_taken():
    tags = get_tags(TableEncoder(impute=True)).input_tags
    assert (tags.string, tags.categorical, tags.allow_nan) == (True, True, True)
    assert not get_tags(TableEncoder()).input_tags.allow_nan


@pytest.mark.parametrize("table", [FRAME, as_table(FRAME)])
def test_names_of_columns_are_kept(table):
    encoder = TableEncoder().fit(table)
    assert encoder.feature_names_in_.tolist() == ["a", "b"]
    assert encoder.feature_names_in_.dtype == object
    assert encoder.n_features_in_ == 2
    with pytest.raises(ValueError, match="feature_names_in_"):
        encoder.get_feature_names_out(["b", "a"])


def test_names_are_forgotten_when_it_is_fitted_with_an_array():
    encoder = TableEncoder().fit(FRAME).fit(np.eye(3))
    assert not hasattr(encoder, "feature_names_in_")
    assert encoder.get_feature_names_out(["u", "v", "w"]).tolist() == ["u", "v", "w"]


@pytest.mark.parametrize("width", [1, 3])
def test_an_array_must_be_as_wide_as_in_fit(width):
    encoder = TableEncoder().fit(np.eye(2))
    with pytest.raises(TableError, match=f"X has {width} features.*expecting 2"):
        encoder.transform(np.ones((4, width)))


def test_an_array_after_a_frame_goes_by_place_with_a_warning():
    encoder = TableEncoder().fit(FRAME)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        X = encoder.transform(FRAME.to_numpy())
    assert np.array_equal(X, encoder.transform(FRAME))


def test_frames_come_out_where_they_are_asked_for():
    out = TableEncoder().set_output(transform="pandas").fit_transform(FRAME)
    assert list(out.columns) == ["a", "b=x"]
