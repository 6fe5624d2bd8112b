"""What became of a table, in words: every fact, and a few lines however many there are."""

import numpy as np
import pandas as pd

from hsiclearn._cli.tables import TableEncoder, account, summary

N = 40


def encoder(n_columns):
    gap = np.where(np.arange(N) == 3, np.nan, np.arange(N) ** 2)
    text = np.where(np.arange(N) % 9 == 0, None, np.array(["a", "b", "c"])[np.arange(N) % 3])
    days = pd.date_range("2020-01-01", periods=N).astype(str)
    columns = {}
    for j in range(n_columns):
        columns |= {f"gap{j}": gap, f"text{j}": text, f"day{j}": days}
    return TableEncoder(impute=True).fit(pd.DataFrame(columns))


def test_few_columns_are_told_one_by_one():
    lines = summary(encoder(1))
    assert lines == [
        "column 'text0' becomes 3 columns of 0 and 1; 'b', the most frequent, is where all are 0",
        "column 'day0' holds dates: it becomes days since 2020-01-01, weekday",
        "missing values were filled: 1 in 'gap0' with 400, the median",
        "blank cells are a category of their own, '(blank)': 5 in 'text0'",
    ]


def test_many_columns_take_no_more_lines():
    lines = summary(encoder(250))
    assert len(lines) == 4
    assert lines[0].startswith("250 columns of text become 750 columns of 0 and 1")
    assert lines[1].startswith("250 columns of dates become days, weekday")
    assert all(line.endswith("and 242 more") for line in lines)
    assert len(account(encoder(250))) == 4 * 250
    assert "5 blank in column 'text7' kept as the category '(blank)'" in account(encoder(8))
