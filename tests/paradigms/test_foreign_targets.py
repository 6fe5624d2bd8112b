"""Targets of other libraries are read as those of numpy."""

import numpy as np
import pytest

from foreign_arrays import LIBRARIES, make
from hsiclearn._paradigms import kind_of_target, read_target
from hsiclearn.exceptions import DegenerateDataError

_rng = np.random.default_rng(0)
TARGETS = {
    "codes": _rng.integers(0, 4, 60),
    "with gaps, below zero": np.array([7, -3, 100])[_rng.integers(0, 3, 60)],
    "unsigned": _rng.integers(0, 3, 60).astype(np.uint8),
    "a column of a matrix": _rng.integers(0, 4, (60, 1)),
    "booleans": _rng.random(60) < 0.4,
    "many integers": np.arange(60),
    "floats": _rng.standard_normal(60),
    "single precision": _rng.standard_normal((60, 2)).astype(np.float32),
    "multilabel": _rng.integers(0, 2, (60, 3)),
}

both_libraries = pytest.mark.parametrize("library", LIBRARIES)


@pytest.mark.parametrize("name", TARGETS)
@both_libraries
def test_it_is_read_as_that_of_numpy(library, name):
    y = TARGETS[name]
    found = make(library, y)
    assert kind_of_target(found) == kind_of_target(y)
    ours, theirs = read_target(found), read_target(y)
    assert ours.kind == theirs.kind
    np.testing.assert_array_equal(ours.values, theirs.values)
    if theirs.classes is not None:
        np.testing.assert_array_equal(ours.classes, theirs.classes)
        assert ours.classes.dtype == theirs.classes.dtype


@both_libraries
def test_whole_numbers_come_as_numbers_of_classes_in_32_bits(library):
    read = read_target(make(library, TARGETS["with gaps, below zero"]), class_weight="balanced")
    assert read.values.dtype == np.int32
    assert read.classes.tolist() == [-3, 7, 100]
    expected = read_target(TARGETS["with gaps, below zero"], class_weight="balanced").weights
    np.testing.assert_array_equal(read.weights, expected)


@both_libraries
def test_the_kind_asked_for(library):
    codes = TARGETS["codes"]
    real = read_target(make(library, codes), "real").values
    np.testing.assert_array_equal(real, codes[:, None].astype(float))
    classes = read_target(make(library, codes.astype(float)), "classes")
    assert classes.classes.dtype == np.float64
    kernel = read_target(make(library, np.eye(5)), "precomputed").kernel
    np.testing.assert_array_equal(kernel, np.eye(5))


@both_libraries
def test_errors(library):
    with pytest.raises(DegenerateDataError, match=r"Got 1 class, \[1\], in 9 rows"):
        read_target(make(library, np.ones(9, int)), "classes")
    with pytest.raises(ValueError, match="60 different labels in 60 rows: too many for classes"):
        read_target(make(library, TARGETS["many integers"]), "classes")
    with pytest.raises(ValueError, match="cannot tell what y is: 2 columns of dtype int64"):
        read_target(make(library, np.arange(8).reshape(4, 2)))
