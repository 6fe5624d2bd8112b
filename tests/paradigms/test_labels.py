"""Labels are read in one place, by estimators, the measure and plots alike."""

import numpy as np
import pandas as pd
import pytest

from hsiclearn._paradigms import (
    missing_among,
    one_hot,
    read_labellings,
    read_labels,
    read_partial_labels,
    read_target,
)


@pytest.mark.parametrize(
    "y",
    [
        ["b", "a", "b", "c"],
        np.array(["b", "a", "b", "c"], dtype=object),
        np.array([b"b", b"a", b"b", b"c"]),
        [7, -2, 7, 9],
        [0.5, -np.inf, 0.5, np.inf],
        pd.Series(["b", "a", "b", "c"], dtype="category"),
    ],
)
def test_codes_number_the_classes_in_order(y):
    labels = read_labels(y)
    assert labels.codes.tolist() == [1, 0, 1, 2]
    assert labels.counts.tolist() == [1, 2, 1]
    assert (np.asarray(y) == labels.classes[labels.codes]).all()
    assert labels.n_unknown == 0


@pytest.mark.parametrize(
    "y",
    [
        np.array(["b", None, "a"], dtype=object),
        np.array(["b", pd.NA, "a"], dtype=object),
        np.array([2.0, np.nan, 1.0]),
        pd.Series([2, None, 1], dtype="Int64"),
        np.array(["2020-01-02", "NaT", "2020-01-01"], dtype="M8[D]"),
    ],
)
def test_missing_labels_are_unknown(y):
    labels = read_labels(y)
    assert labels.codes.tolist() == [1, -1, 0]
    assert (labels.n_unknown, labels.known.tolist()) == (1, [True, False, True])
    assert missing_among(np.asarray(y)).tolist() == [False, True, False]


@pytest.mark.parametrize(
    "y",
    [[3, -1, 0], [3.0, -1.0, 0.0], ["b", "-1", "a"], np.array([3, "-1", 0], dtype=object)],
)
def test_minus_one_is_unknown_where_labels_are_partial(y):
    assert read_partial_labels(y, 3).codes.tolist() == [1, -1, 0]
    assert read_labels(np.asarray(y, dtype=object), partial=True).n_unknown == 1
    assert -1 not in read_labels([3, -1, 0]).codes


def test_labels_that_cannot_be_ordered_are_named():
    with pytest.raises(ValueError, match=r"in `given` must be comparable.*\['int', 'str'\]"):
        read_labels(np.array([1, "a"], dtype=object), "`given`")


def test_one_hot_is_centred_among_the_rows_that_have_a_class():
    labels = read_partial_labels([0, 1, -1, 1, -1], 5)
    U = labels.centered_one_hot()
    np.testing.assert_array_equal(U[[2, 4]], 0.0)
    np.testing.assert_allclose(U.sum(axis=0), 0.0, atol=1e-15)
    np.testing.assert_allclose(U[[0, 1, 3]], one_hot([0, 1, 1], 2) - [1 / 3, 2 / 3], atol=1e-15)


def test_several_labellings_are_read_column_by_column():
    y = np.array([["a", "x"], ["b", "x"], ["a", "y"]])
    first, second = read_labellings(y, 3)
    assert (first.names, second.names) == (("a", "b"), ("x", "y"))
    assert [labels.codes.tolist() for labels in (first, second)] == [[0, 1, 0], [0, 0, 1]]


def test_a_target_keeps_what_its_kind_has():
    classes = read_target(["b", "a", "b", "a"], class_weight={"a": 1.0, "b": 3.0})
    assert (classes.kind, classes.classes.tolist()) == ("classes", ["a", "b"])
    assert classes.labels.tolist() == classes.values.tolist() == [1, 0, 1, 0]
    assert classes.weights.tolist() == [1.0, 3.0]
    real = read_target([0.5, 1.0, 2.0])
    assert (real.kind, real.values.shape, real.labels, real.classes) == ("real", (3, 1), None, None)
    kernel = read_target(np.eye(3) + np.triu(np.full((3, 3), 1e-9)), "precomputed")
    assert kernel.values is None
    np.testing.assert_array_equal(kernel.kernel, kernel.kernel.T)
