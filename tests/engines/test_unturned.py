"""Rows in other coordinates: sums over rows as they are stored, turned at the end."""

import numpy as np
import pytest
from scipy import sparse

from hsiclearn._engines import NystromEngine
from hsiclearn._rows import TurnedRows, as_rows
from hsiclearn._rows.turned import UnturnedRows
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Polynomial, RelativeGaussian
from registry import orthonormal

N, D = 300, 5
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, D)) @ RNG.standard_normal((D, D)) + 3.0
CODES = (X[:, 0] + RNG.standard_normal(N) > 3.0).astype(int)
B = np.eye(D) + 0.3 * RNG.standard_normal((D, D))
W, Z = orthonormal(D, 2, seed=1), orthonormal(D, 2, seed=2)
SHIFT = RNG.standard_normal(D)


def turned(shift=None):
    rows = TurnedRows(as_rows(X), B)
    return rows if shift is None else rows.moved(shift)


@pytest.mark.parametrize("shift", [None, SHIFT], ids=["as it is", "moved"])
@pytest.mark.parametrize("gamma", [ClassTable.centered(CODES), ClassTable(CODES, np.eye(2))])
@pytest.mark.parametrize(
    ("kernel", "digits"),
    # Row scales make an indefinite matrix of landmarks, and its root loses digits.
    [(Gaussian(2.0), 1e-8), (Polynomial(3), 1e-8), (RelativeGaussian(3), 1e-6)],
)
def test_an_engine_on_turned_rows_is_one_on_the_product(shift, gamma, kernel, digits):
    written = X @ B - (0.0 if shift is None else shift)
    ours = NystromEngine(turned(shift), gamma, kernel, rtol=1e-10)
    theirs = NystromEngine(written, gamma, kernel, rtol=1e-10)
    assert isinstance(ours._rows, UnturnedRows)

    def same(a, b):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=digits * np.abs(b).max())

    same(ours.total(W), theirs.total(W))
    for a, b in zip(ours.contract(W), theirs.contract(W), strict=True):
        same(a, b)
    for a, b in zip(ours.total_and_gradient(W), theirs.total_and_gradient(W), strict=True):
        same(a, b)
    same(ours.multiply(W, Z), theirs.multiply(W, Z))
    same(ours.multiply(W, W, Z), theirs.multiply(W, W, Z))
    V = RNG.standard_normal((N, 2))
    same(ours.apply(W, V), theirs.apply(W, V))
    same(ours.hessian_blocks(W), theirs.hessian_blocks(W))
    for V in (None, Z):
        for a, b in zip(ours.at_zero(0, V), theirs.at_zero(0, V), strict=True):
            same(a, b)
    error, other = ours.error(W, 1.0), theirs.error(W, 1.0)
    assert error.guaranteed == other.guaranteed
    assert error.relative == pytest.approx(other.relative, rel=1e-3)


def test_unturned_rows_are_the_same_table():
    rows, index = turned(SHIFT).unturned(), np.array([0, 7, N - 1])
    written = X @ B - SHIFT
    np.testing.assert_allclose(rows.take(index), written[index])
    np.testing.assert_allclose(rows.subset(index).take(np.arange(3)), written[index])
    np.testing.assert_allclose(rows @ W, written @ W)
    np.testing.assert_allclose(rows.transpose_times(written[:, :1]), written.T @ written[:, :1])
    np.testing.assert_allclose(rows.gram(), written.T @ written)
    np.testing.assert_allclose(rows.mean(), written.mean(axis=0))
    np.testing.assert_allclose(rows.moved(SHIFT).take(index), written[index] - SHIFT)
    np.testing.assert_allclose(
        np.concatenate([rows.whole(block) for _, block in rows.chunks(64)]), written
    )


@pytest.mark.parametrize(
    "rows",
    [
        TurnedRows(as_rows(X), np.diag([1e6, 1.0, 1.0, 1.0, 1.0])),  # sums would lose digits
        TurnedRows(as_rows(X.astype(np.float32)), np.diag([9.0, 1.0, 1.0, 1.0, 1.0])),
        TurnedRows(as_rows(sparse.csr_array(X)), B),  # has no origin to be moved
        TurnedRows(as_rows(X), B[:, :3]),
    ],
    ids=["nearly singular", "single precision", "sparse", "fewer columns"],
)
def test_others_are_turned_row_by_row(rows):
    assert rows.unturned() is rows
