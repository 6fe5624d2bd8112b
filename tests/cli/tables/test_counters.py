"""Columns that number the rows are found, whatever their type; measurements are not."""

import numpy as np
import pandas as pd
import pytest

from hsiclearn._cli.tables import as_table, row_counters

N = 12
COUNTERS = {
    "from 1": np.arange(1, N + 1),
    "from 0, real": np.arange(float(N)),
    "years": np.arange(1990, 1990 + N),
    "down": np.arange(N, 0, -1),
    "below 0": np.arange(-5, N - 5),
    "text": [str(i) for i in range(1, N + 1)],
    "zeros in front": [f"{i:03}" for i in range(1, N + 1)],
}
FEATURES = {
    "steps of two": np.arange(0, 2 * N, 2),
    "halves": np.arange(N) + 0.5,
    "shuffled": np.roll(np.arange(N), 1),
    "a gap": [1.0, 2.0, np.nan, *range(4, N + 1)],
    "infinite": [np.inf] * N,
    "constant": [3] * N,
    "other text": [f"n{i}" for i in range(N)],
    "booleans": [i % 2 == 0 for i in range(N)],
    "dates": [f"2020-01-{i + 1:02}" for i in range(N)],
}


@pytest.mark.parametrize("name", COUNTERS)
def test_a_column_that_numbers_the_rows_is_found(name):
    frame = pd.DataFrame({"x": np.arange(N) ** 2, "c": COUNTERS[name]})
    assert row_counters(as_table(frame)) == ["c"]
    assert row_counters(as_table(frame[:9])) == []  # too few rows to tell


@pytest.mark.parametrize("name", FEATURES)
def test_other_columns_are_let_alone(name):
    assert row_counters(as_table(pd.DataFrame({"c": FEATURES[name]}))) == []
