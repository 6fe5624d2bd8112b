"""What a Gamma refuses, and how it says so."""

import re

import numpy as np
import pytest

from hsiclearn.gamma import ClassTable, Dense, LowRank, as_gamma

SKEW = np.array([[1.0, 2.0], [3.0, 1.0]])
ASYMMETRIC = "must be symmetric. Entry (0, 1) is 2 but entry (1, 0) is 3."


@pytest.mark.parametrize("build", [Dense, Dense.centered, as_gamma])
def test_dense_must_be_symmetric(build):
    with pytest.raises(ValueError, match=re.escape("`gamma` " + ASYMMETRIC)):
        build(SKEW)


def test_table_must_be_symmetric():
    with pytest.raises(ValueError, match=re.escape("`table` " + ASYMMETRIC)):
        ClassTable([0, 1], SKEW)


def test_asymmetry_by_rounding_is_forgiven():
    matrix = np.array([[1.0, 2.0], [2.0 + 1e-15, 1.0]])
    assert Dense(matrix).n_samples == 2


@pytest.mark.parametrize("build", [Dense, Dense.centered])
def test_dense_must_be_square(build):
    with pytest.raises(ValueError, match=re.escape("`gamma` must be square. Got shape (2, 3).")):
        build(np.ones((2, 3)))


@pytest.mark.parametrize(
    ("build", "name"),
    [
        (Dense, "gamma"),
        (Dense.centered, "gamma"),
        (LowRank, "U"),
        (LowRank.centered, "U"),
        (lambda table: ClassTable([0, 1], table), "table"),
    ],
)
class TestMatrices:
    @pytest.mark.parametrize("bad", [np.nan, np.inf])
    def test_must_be_finite(self, build, name, bad):
        message = f"`{name}` must be finite. 1 entries are NaN or infinite."
        with pytest.raises(ValueError, match=re.escape(message)):
            build([[1.0, 0.0], [0.0, bad]])

    def test_must_be_real(self, build, name):
        message = f"`{name}` must be a real matrix. Got dtype complex128, shape (2, 2)."
        with pytest.raises(ValueError, match=re.escape(message)):
            build(np.eye(2) * 1j)

    def test_must_be_a_matrix(self, build, name):
        message = f"`{name}` must be a real matrix. Got dtype float64, shape (2,)."
        with pytest.raises(ValueError, match=re.escape(message)):
            build(np.ones(2))


@pytest.mark.parametrize(("codes", "low", "high"), [([0, 1, 2], 0, 2), ([-1, 0, 1], -1, 1)])
def test_codes_must_be_rows_of_the_table(codes, low, high):
    message = f"`codes` must lie in 0 .. 1, the rows of `table`. Got values from {low} to {high}."
    with pytest.raises(ValueError, match=re.escape(message)):
        ClassTable(codes, np.eye(2))


@pytest.mark.parametrize(
    ("codes", "seen"),
    [([0.0, 1.0], "dtype float64, shape (2,)"), ([[0, 1]], "dtype int64, shape (1, 2)")],
)
def test_codes_must_be_a_vector_of_integers(codes, seen):
    message = f"`codes` must be a vector of integers. Got {seen}."
    with pytest.raises(ValueError, match=re.escape(message)):
        ClassTable(codes, np.eye(2))


@pytest.mark.parametrize("s", [[1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]]])
def test_one_weight_per_column(s):
    message = (
        f"`s` must hold one finite weight per column of `U`, shape (2,). Got shape {np.shape(s)}."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        LowRank(np.ones((4, 2)), s)


def test_weights_must_be_finite():
    with pytest.raises(ValueError, match="`s` must hold one finite weight"):
        LowRank(np.ones((4, 2)), [1.0, np.nan])


def test_terms_of_a_sum_must_have_the_same_rows():
    message = "The terms of a sum must have the same number of rows. Got [3, 4]."
    with pytest.raises(ValueError, match=re.escape(message)):
        Dense(np.eye(3)) + LowRank(np.ones((4, 1)))
    with pytest.raises(ValueError, match=re.escape(message)):
        Dense(np.eye(3)) - LowRank(np.ones((4, 1)))


@pytest.mark.parametrize("factor", [True, "2", None, 1j])
def test_only_numbers_multiply(factor):
    with pytest.raises(TypeError):
        Dense(np.eye(3)) * factor
    with pytest.raises(TypeError):
        factor * Dense(np.eye(3))


def test_only_gammas_add():
    with pytest.raises(TypeError):
        Dense(np.eye(3)) + 1.0


def test_labels_are_not_codes():
    with pytest.raises(ValueError, match="return_inverse=True"):
        ClassTable.centered(np.array(["a", "b"]))
