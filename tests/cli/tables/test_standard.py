"""TableEncoder(scale=True): numbers are standardised, columns of 0 and 1 are not."""

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from hsiclearn._cli.tables import TableEncoder, as_table
from hsiclearn._cli.tables.encoder import mean_and_scale

FRAME = pd.DataFrame(
    {
        "size": [1.5, 2.0, 3.0, 2.5],
        "same": [0.1, 0.1, 0.1, 0.1],
        "colour": ["red", "blue", "red", "green"],
        "paid": [True, False, True, True],
    }
)


def test_numbers_are_standardised_and_indicators_are_not():
    encoder = TableEncoder(scale=True).fit(FRAME)
    X = encoder.transform(FRAME)
    assert np.allclose(X[:, 0], StandardScaler().fit_transform(FRAME[["size"]])[:, 0])
    assert X[:, 1].tolist() == [0.0] * 4
    assert np.array_equal(X[:, 2:], TableEncoder().fit_transform(FRAME)[:, 2:])
    assert np.isnan(encoder.mean_).tolist() == [False, False, True, True, True]
    assert encoder.scale_[1] == 1.0


def test_ordinal_places_are_standardised():
    X = TableEncoder("ordinal", scale=True).fit_transform(FRAME)
    assert np.allclose([X[:, 2].mean(), X[:, 2].std()], [0.0, 1.0])


def test_new_rows_are_measured_by_those_of_fit():
    encoder = TableEncoder(scale=True).fit(FRAME)
    later = encoder.transform(
        FRAME.assign(size=[encoder.mean_[0] + encoder.scale_[0]] * 4, same=1.1)
    )
    assert np.allclose(later[:, :2], 1.0)


def test_filled_values_count():
    gaps = pd.concat([FRAME] * 2).assign(size=[np.nan, 2.0, 5.0, 1.0, 2.0, 5.0, 1.0, 2.0])
    encoder = TableEncoder(impute=True, scale=True).fit(gaps)
    assert encoder.mean_[0] == 2.5
    assert np.allclose(encoder.transform(gaps)[:, 0].std(), 1.0)


def test_without_scale_nothing_is_measured():
    assert np.isnan(TableEncoder().fit(FRAME).mean_).all()


def test_what_was_given_is_left_alone():
    X = np.array([[1.0, 4.0], [2.0, 3.0], [0.0, 1.0]])
    before = X.copy()
    TableEncoder(scale=True).fit_transform(as_table(X))
    assert np.array_equal(X, before)


def test_large_and_nearly_constant_columns_are_measured():
    assert mean_and_scale(np.array([-1e300, 1e300])) == (0.0, 1e300)
    assert mean_and_scale(np.array([0.1 + 0.2, 0.3, 0.3]))[1] == 1.0
    assert mean_and_scale(np.zeros(3)) == (0.0, 1.0)
