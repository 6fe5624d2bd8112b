"""Engines on rows of Dask: to the digit what they are on rows in memory."""

import dask.array as da
import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._rows import as_rows
from hsiclearn.gamma import ClassTable, GaussianColumn, GaussianColumns, LowRank
from hsiclearn.kernels import Gaussian, Linear, Multiquadratic, Polynomial, RelativeGaussian

N, D, Q = 500, 4, 2
rng = np.random.default_rng(0)
X = rng.standard_normal((N, D)) + np.array([0.0, 5.0, 0.0, 0.0])
CODES = rng.integers(0, 3, N)
Y = np.column_stack([X[:, 0] + 0.5 * rng.standard_normal(N), rng.standard_t(2.0, N)])
W = np.linalg.qr(rng.standard_normal((D, Q)))[0]
V, Z = rng.standard_normal((D, 3)), rng.standard_normal((D, Q))
TABLE = np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
GAMMAS = {
    "classes": (CODES, ClassTable.centered),
    "not centred": (
        CODES,
        lambda codes: ClassTable(codes, np.array([[2.0, 1, 0], [1, 1, 0], [0, 0, 3]])),
    ),
    "one column": (Y[:, 1], lambda y: GaussianColumn(y, 0.7, light=1e-4)),
    "columns": (Y, lambda Y: GaussianColumns(Y, 0.9)),
    "low rank": (Y, LowRank.centered),
}
KERNELS = {
    "nystrom": [Gaussian(1.2), Multiquadratic(1.0)],
    "features": [Polynomial(2), Linear()],
    "tiled": [Gaussian(1.2), Polynomial(2), Gaussian(2.0) + 0.1 * Linear()],
}
CASES = [(engine, kernel) for engine, kernels in KERNELS.items() for kernel in kernels]


@pytest.fixture(scope="module")
def rows():
    return as_rows(da.from_array(X, chunks=((150, 0, 250, 100), -1)))


def assert_near(ours, theirs, rtol=1e-10):
    scale = np.max(np.abs(theirs))
    np.testing.assert_allclose(ours, theirs, atol=rtol * max(scale, 1e-300), rtol=0.0)


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize(("engine", "kernel"), CASES, ids=str)
def test_all_derivatives(rows, engine, kernel, gamma):
    values, make = GAMMAS[gamma]
    theirs = Objective(X, make(values), kernel, engine)
    column = rows.beside(da.from_array(values, chunks=(300, *values.shape[1:])), "y")
    ours = Objective(rows, make(column), kernel, engine)
    assert (ours.engine, ours.gamma.is_centered) == (theirs.engine, theirs.gamma.is_centered)
    assert "3 chunks of Dask's" in ours.engine_reason
    one, other = ours.point(W), theirs.point(W)
    assert_near(one.cost, other.cost)
    assert_near(one.phi, other.phi)
    assert_near(ours.cost(W), theirs.cost(W))
    assert_near(ours.cost_and_gradient(W)[1], theirs.cost_and_gradient(W)[1])
    assert_near(ours.phi_at_zero, theirs.phi_at_zero)
    # Engines in linear time may round a Hessian to single precision.
    rtol = 1e-10 if engine == "tiled" else 1e-5
    assert_near(ours.hessian_vector(W, Z), theirs.hessian_vector(W, Z), rtol)
    assert_near(ours.hessian_blocks(W), theirs.hessian_blocks(W), rtol)


@pytest.mark.parametrize("engine", ["nystrom", "features"])
def test_the_error_is_that_of_rows_in_memory(rows, engine):
    kernel = Gaussian(1.2) if engine == "nystrom" else Polynomial(3)
    column = rows.beside(da.from_array(CODES, chunks=300), "y")
    errors = []
    for table, codes in ((rows, column), (X, CODES)):
        objective = Objective(table, ClassTable.centered(codes), kernel, engine)
        errors.append(objective.engine_error(objective.point(W)))
    ours, theirs = errors
    assert ours.guaranteed == theirs.guaranteed
    assert ours.n_features == theirs.n_features
    if engine == "nystrom":
        assert ours.relative == pytest.approx(theirs.relative, rel=1e-6)
    else:  # rows that cannot be centred: a bound by sums, which is not below that of all pairs
        assert theirs.relative <= ours.relative <= 10.0 * theirs.relative


def test_what_has_a_scale_for_each_row_needs_all_rows(rows):
    column = rows.beside(da.from_array(CODES, chunks=300), "y")
    for engine in ("tiled", "nystrom"):
        with pytest.raises(ValueError, match="Rows of Dask take a kernel without scales"):
            Objective(rows, ClassTable.centered(column), RelativeGaussian(7), engine)


@pytest.mark.parametrize("engine", ["tiled", "nystrom"])
def test_products_with_a_number_for_each_row(rows, engine):
    """Those who ask for them have few rows: what they get is in the order of these."""
    column = rows.beside(da.from_array(CODES, chunks=300), "y")
    objectives = (
        Objective(table, ClassTable.centered(codes), Gaussian(1.0), engine)
        for table, codes in ((rows, column), (X, CODES))
    )
    ours, theirs = (o._engine for o in objectives)
    assert_near(ours.apply(W, X), theirs.apply(W, X))
    rtol = 1e-10 if engine == "tiled" else 1e-5
    assert_near(ours.apply(W, X, Z), theirs.apply(W, X, Z), rtol)
