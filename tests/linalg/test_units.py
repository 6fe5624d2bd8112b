"""Units near one, by powers of two."""

import numpy as np
import pytest

from hsiclearn._linalg import in_units_near_one, units_near_one


@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1e-3, 1.0, 1e160, 1e308])
def test_digits_stay_and_the_largest_entry_is_near_one(unit):
    A = unit * np.array([[1.0, -0.3], [0.25, 0.0]])
    scaled = in_units_near_one(A)
    assert np.all(np.max(np.abs(scaled), axis=0) >= 0.5)
    assert np.all(np.max(np.abs(scaled), axis=0) < 1.0)
    nonzero = A != 0.0
    assert np.all(np.frexp(scaled)[0][nonzero] == np.frexp(A)[0][nonzero])


def test_a_column_of_zeros_stays():
    assert np.all(in_units_near_one(np.zeros((3, 2))) == 0.0)


def test_units_of_several_tables_are_near_one_in_the_largest():
    A, B = np.array([[3.0, 0.1], [-2.0, 0.1]]), np.array([[1.0, -70.0]])
    bring = units_near_one(A, B)
    np.testing.assert_array_equal(bring(A), A / [4.0, 128.0])
    np.testing.assert_array_equal(bring(B), B / [4.0, 128.0])
    np.testing.assert_array_equal(units_near_one(np.array([[0.75], [-0.125]]))(A), A)
