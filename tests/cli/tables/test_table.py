"""The table itself, its columns that number rows, and tables from arrays and frames."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from hsiclearn._cli.tables import Column, Table, TableError, as_table, row_counters

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


def small():
    return as_table(pd.DataFrame({"age": [3, 1, 2], "town": ["Ulm", None, "Bonn"]}))


def test_columns_are_found_by_name():
    table = small()
    assert (len(table), table.shape, table.names) == (3, (3, 2), ("age", "town"))
    assert table.select(["town"]).names == ("town",)
    assert table.drop(["town"]).names == ("age",)
    assert "town" in table


def test_an_unknown_name_brings_the_nearest():
    with pytest.raises(TableError, match="Did you mean 'town'"):
        small().drop(["twon"])
    with pytest.raises(TableError, match="There are 'age', 'town'"):
        small().column("price")


def test_names_must_differ():
    with pytest.raises(TableError, match="More than one is called 'a'"):
        Table([Column.of_texts("a", ["x"]), Column.of_texts("a", ["y"])])


def test_lengths_must_agree():
    with pytest.raises(TableError, match="from 1 to 2"):
        Table([Column.of_texts("a", ["x"]), Column.of_texts("b", ["y", "z"])])


def test_taking_rows_forgets_categories_without_any():
    town = small().take(np.array([False, True, True])).column("town")
    assert town.categories == ("Bonn",)
    assert town.values.tolist() == [None, "Bonn"]


def test_numbers_become_labels_without_a_point():
    column = Column.of_numbers("n", np.array([2.0, np.nan, 1.5, 2.0]))
    assert column.as_categories().values.tolist() == ["2", None, "1.5", "2"]
    assert Column.of_numbers("b", np.array([True])).as_categories().categories == ("true",)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_of_either_library_are_taken(frame):
    table = as_table(
        frame({"i": [1, 2], "f": [0.5, float("nan")], "b": [True, False], "t": ["x", None]})
    )
    assert [column.kind for column in table.columns] == ["integer", "real", "boolean", "text"]
    assert [int(column.missing.sum()) for column in table.columns] == [0, 1, 0, 1]


def test_pandas_extension_types_are_taken():
    frame = pd.DataFrame(
        {
            "i": pd.array([1, None], dtype="Int64"),
            "c": pd.Categorical(["x", "y"]),
            "d": pd.to_datetime(["2020-01-01", None]),
            "o": np.array([1, 2.5], dtype=object),
        }
    )
    table = as_table(frame)
    assert [column.kind for column in table.columns] == ["integer", "text", "date", "real"]
    assert [int(column.missing.sum()) for column in table.columns] == [1, 0, 1, 0]


def test_decimals_are_numbers():
    column = as_table(pd.DataFrame({"d": [Decimal("1.5"), None, Decimal("sNaN")]})).columns[0]
    assert column.kind == "real"
    assert column.missing.tolist() == [False, True, True]
    assert as_table(pl.DataFrame({"d": [Decimal("1.5")]}))["d"].tolist() == [1.5]


def test_a_sparse_matrix_is_no_table():
    with pytest.raises(TableError, match="toarray"):
        as_table(sparse.eye_array(3))


def test_a_matrix_is_not_copied():
    X = np.arange(6.0).reshape(3, 2)
    assert np.shares_memory(as_table(X)["x1"], X)


def test_a_vector_is_no_table():
    with pytest.raises(TableError, match="two dimensions"):
        as_table(np.arange(3.0))


def test_a_column_is_an_array_for_whoever_wants_one():
    assert np.asarray(small().columns[0]).tolist() == [3.0, 1.0, 2.0]


@pytest.mark.parametrize("name", COUNTERS)
def test_a_column_that_numbers_the_rows_is_found(name):
    frame = pd.DataFrame({"x": np.arange(N) ** 2, "c": COUNTERS[name]})
    assert row_counters(as_table(frame)) == ["c"]
    assert row_counters(as_table(frame[:9])) == []  # too few rows to tell


@pytest.mark.parametrize("name", FEATURES)
def test_other_columns_are_let_alone(name):
    assert row_counters(as_table(pd.DataFrame({"c": FEATURES[name]}))) == []
