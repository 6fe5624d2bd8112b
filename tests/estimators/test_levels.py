"""Clusters that are only the levels of a discrete column are called so; others are not."""

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import StandardScaler

from hsiclearn import UnsupervisedHSIC
from hsiclearn._estimators._levels import levels_behind
from hsiclearn.exceptions import DependenceWarning

rng = np.random.default_rng(0)
N = 150
CODES = rng.integers(0, 3, N)
NOISE = rng.standard_normal((N, 3))
NAMES = "abcdef"


def scaled(*columns):
    return StandardScaler().fit_transform(np.column_stack(columns))


def cluster(column, d):
    """Three clusters along one direction, sought from a column."""
    return UnsupervisedHSIC(3, 1, kernel="gaussian", bandwidth=0.3, init=np.eye(d)[[column]])


def plane(d, first, second):
    return np.eye(d)[:, [first, second]]


def test_a_fit_names_the_column_and_the_remedy():
    table = pd.DataFrame(scaled(NOISE, 2007 + CODES, np.ones(N)), columns=[*"abc", "year", "one"])
    message = r"only the levels of 'year': 3 .* leave it out \(in the command: --drop\)"
    with pytest.warns(DependenceWarning, match=message) as record:
        model = cluster(4, 5).fit(table[["one", *"abc", "year"]])
    assert record[0].filename == __file__
    assert (model.levels_.columns, model.levels_.names) == ((4,), ("year",))
    assert model.levels_.score == 1.0


def test_without_names_columns_are_numbered():
    with pytest.warns(DependenceWarning, match="levels of 'column 3'"):
        cluster(3, 4).fit(scaled(NOISE, CODES))


def test_levels_may_be_grouped():
    """Two clusters of five levels are a function of the column as well."""
    level = rng.integers(0, 5, N)
    X = scaled(NOISE, level)
    found = levels_behind(X, (level > 1).astype(int), plane(4, 3, 0), NAMES)
    assert (found.columns, found.n_levels) == ((3,), 5)


def test_a_category_in_indicator_columns_is_found_whole():
    X = scaled(NOISE, np.eye(3)[CODES])
    W = np.linalg.qr(np.eye(6)[:, 3:] @ [[1.0, 1.0], [-1.0, 1.0], [0.0, -2.0]])[0]
    found = levels_behind(X, CODES, W, NAMES)
    assert (found.columns, found.n_levels, found.score) == ((3, 4, 5), 3, 1.0)


@pytest.mark.parametrize(
    "case", ["continuous", "shows elsewhere", "other clusters", "nothing else"]
)
def test_no_false_alarm(case):
    carrier = CODES + 0.01 * NOISE[:, 0]
    X, labels = {
        "continuous": (scaled(NOISE, carrier), CODES),
        "shows elsewhere": (scaled(carrier, NOISE[:, :2], CODES), CODES),
        "other clusters": (scaled(NOISE, CODES), (NOISE[:, 0] > 0).astype(int)),
        "nothing else": (scaled(CODES, CODES), CODES),
    }[case]
    assert levels_behind(X, labels, plane(X.shape[1], -1, 0), NAMES) is None


def test_few_rows_have_few_levels_by_chance():
    X = scaled(NOISE, CODES)[:12]
    assert levels_behind(X, CODES[:12], plane(4, 3, 0), NAMES) is None
