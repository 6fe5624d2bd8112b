"""Single precision, for fits that are only compared: half the digits of the written-out sums."""

import numpy as np
import pytest

import naive
from hsiclearn._engines import DenseEngine, TiledEngine, rough_engine
from hsiclearn._engines.policy import COMPARED
from hsiclearn._objective.rounding import rounding_of_phi
from hsiclearn._rows import ArrayRows
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Linear, Multiquadratic, Polynomial
from naive import assert_close
from registry import GAMMAS, KERNELS, V, W, X, Z

BOUNDED = ["gaussian", "cauchy", "rational-quadratic", "relative-gaussian"]
DIGITS = 1e-5


@pytest.mark.parametrize("kernel_name", BOUNDED)
@pytest.mark.parametrize("gamma_name", ["classes-unsorted", "sum-psd", "dense"])
def test_as_exact_as_it_says(kernel_name, gamma_name):
    gamma, dense = GAMMAS[gamma_name]
    kernel = KERNELS[kernel_name]
    engine = DenseEngine(X, gamma, kernel, dtype=np.float32)
    right = naive.everything(X, dense, kernel, W, V, Z)
    total, gradient = engine.total_and_gradient(W)
    assert engine.noise == DIGITS
    assert_close(np.array(total), right["total"], DIGITS, right["size"])
    assert_close(gradient, right["gradient"], DIGITS)
    assert_close(engine.contract(W)[1], right["contract"], DIGITS)
    assert_close(engine.multiply(W, Z), right["multiply"], DIGITS)
    assert_close(engine.multiply(W, W, Z), right["multiply along Z"], DIGITS)
    # Four moments that nearly cancel: a digit less.
    assert_close(engine.hessian_blocks(W), right["hessian_blocks"], 10 * DIGITS)
    assert gradient.dtype == np.float64  # whoever adds up does so in full


def made(table, kernel):
    return rough_engine(table, ClassTable.centered(np.arange(len(table)) % 2), kernel)


@pytest.mark.parametrize(
    ("factor", "kernel", "dtype"),
    [
        (1.0, Gaussian(1.0), np.float32),
        (1e6, Gaussian(1e6), np.float64),  # squares leave the range
        (1e-9, Gaussian(1e-9), np.float64),
        (1.0, Linear(), np.float64),  # grows without bound
        (1.0, -Multiquadratic(1.0), np.float64),
    ],
)
def test_only_where_the_range_allows_it(factor, kernel, dtype):
    engine = made(factor * np.random.default_rng(0).standard_normal((30, 3)), kernel)
    assert isinstance(engine, DenseEngine)
    assert engine.X.dtype == dtype


def test_many_rows_are_visited_in_tiles():
    table = np.random.default_rng(0).standard_normal((COMPARED.dense + 1, 2))
    assert isinstance(made(table, Gaussian(1.0)), TiledEngine)


def test_not_where_a_row_far_out_would_drown_the_others():
    """Squared distances are differences of ``|x|^2``: of a row at 5000, off by ten bandwidths."""
    table = np.random.default_rng(0).standard_normal((50, 3))
    assert made(table, Gaussian(0.5)).X.dtype == np.float32
    table[0] = 5e3
    assert made(table, Gaussian(0.5)).X.dtype == np.float64
    assert made(table, Gaussian(500.0)).X.dtype == np.float32


def test_rounding_in_double_of_rows_in_single():
    """Squares of 1e12 and more leave single precision's range; lengths are made in double."""
    rows = ArrayRows((1e12 * np.random.default_rng(0).standard_normal((9, 2))).astype(np.float32))
    gamma = ClassTable.centered(np.arange(9) % 2)
    for kernel, at in ((Gaussian(1e12), np.zeros((2, 1))), (Polynomial(2), np.eye(2))):
        found = rounding_of_phi(rows, gamma, kernel, at)
        assert 0.0 < found < np.inf
