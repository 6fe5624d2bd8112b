"""Eigenvectors of an operator that has moved: right, in few products, and not misled."""

import numpy as np
import pytest

from hsiclearn._arrays import thin_product
from hsiclearn._linalg.eigen import start_block
from hsiclearn._linalg.warm import _factored, _off, moved_top
from naive import assert_close
from registry import orthonormal, symmetric

N, K = 320, 3
VECTORS = orthonormal(N, N, seed=1)
VALUES = np.concatenate([[1.0, 0.97, 0.93], 0.8 * 0.97 ** np.arange(N - K)])
A = (VECTORS * VALUES) @ VECTORS.T


def moved(guess, atol=1e-6, max_products=60):
    """What is found from a guess, and the number of products."""
    widths = []

    def apply(V):
        widths.append(V.shape[1])
        return A @ V

    return moved_top(apply, start_block(N, K + 2, guess), K, atol, max_products), len(widths)


@pytest.mark.parametrize("distance", [0.0, 1e-3, 0.1])
def test_from_a_guess_nearby(distance):
    noise = np.random.default_rng(0).standard_normal((N, K + 1))
    found, products = moved(np.linalg.qr(VECTORS[:, : K + 1] + distance * noise / 18)[0])
    assert found.values.shape == (K + 1,)
    assert_close(found.values[:K], VALUES[:K], 1e-10)
    assert found.values[K] == pytest.approx(VALUES[K], abs=1e-5)
    residual = A @ found.vectors[:, :K] - found.vectors[:, :K] * found.values[:K]
    assert np.linalg.norm(residual, axis=0).max() <= 1.1e-6
    assert_close(found.vectors.T @ found.vectors, np.eye(K + 1), 1e-10)
    assert products <= {0.0: 8, 1e-3: 16, 0.1: 24}[distance]


def test_eigenvectors_that_are_no_longer_the_largest_do_not_pass():
    """An exact guess has no residual, whatever its place in the spectrum."""
    found, _ = moved(VECTORS[:, [0, 1, 3, 4]])
    assert_close(found.values[:K], VALUES[:K], 1e-8)


def test_the_space_is_cut_back_and_grows_on():
    """Many more products than it has room for, with nothing lost."""
    found, products = moved(orthonormal(N, K + 1, seed=5), atol=1e-9)
    assert products > 8
    assert_close(found.values[:K], VALUES[:K], 1e-12)


def test_it_says_so_where_products_do_not_suffice():
    assert moved(orthonormal(N, K + 1, seed=5), atol=1e-9, max_products=3)[0] is None


@pytest.mark.parametrize("columns", [1, 2, 4, 12, 13])
def test_a_thin_product_is_the_product(columns):
    B = symmetric(1100, seed=3)
    V = orthonormal(1100, columns, seed=columns)
    assert_close(thin_product(B, V), B @ V, 1e-12)
    assert_close(thin_product(B[:, :7], V[:7]), B[:, :7] @ V[:7], 1e-12)


@pytest.mark.parametrize("columns", [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 3, 8]], ids=str)
@pytest.mark.parametrize("rest", [0.0, 1.0])
def test_a_guess_along_the_axes_is_exact_to_the_last_bit(columns, rest):
    """Nothing is left of it to go on with; what is found must not count a vector twice."""
    values = np.r_[5.0, 4.0, 3.0, 2.0, np.full(216, rest)]
    start = start_block(220, 5, np.eye(220)[:, columns])
    found = moved_top(lambda V: values[:, None] * V, start, 3, 1e-8, 40)
    assert_close(found.values, values[:4], 1e-9)
    assert_close(found.vectors.T @ found.vectors, np.eye(4), 1e-9)


@pytest.mark.parametrize("shrink", [1.0, 1e-4, 1e-7, 1e-12, 0.0])
def test_a_block_is_its_basis_times_its_lengths(shrink):
    """By Cholesky, and by QR where columns have all but converged."""
    R = np.random.default_rng(2).standard_normal((50, 3)) * np.array([1.0, 1.0, shrink])
    Q, root = _factored(R)
    assert_close(Q @ root, R, 1e-12)
    assert_close(Q.T @ Q, np.eye(3), 1e-13 if shrink < 1e-6 else 1e-7)
    if shrink > 1e-6:  # by Cholesky: lengths are positive
        assert (np.diag(root) > 0.0).all()
    B = orthonormal(50, 4, seed=3)
    off = _off(B, Q)
    assert np.abs(B.T @ off).max() <= 1e-8
    assert_close(off.T @ off, np.eye(3), 1e-8)
    assert np.abs(B.T @ _off(B, B[:, :2] + 1e-9 * off[:, :2])).max() <= 1e-8


def test_never_before_the_third_product():
    found, products = moved(VECTORS[:, : K + 1], atol=10.0)
    assert products == 3
    assert found.vectors.shape == (N, K + 1)
    assert moved(VECTORS[:, : K + 1], atol=10.0, max_products=2)[0] is None


def test_the_one_more_is_as_exact_as_the_square_of_its_residual():
    """``sqrt(atol |A|)`` for its residual, of which its value is off by the square."""
    for atol in (1e-4, 1e-6):
        found, _ = moved(orthonormal(N, K + 1, seed=5), atol=atol)
        residuals = np.linalg.norm(A @ found.vectors - found.vectors * found.values, axis=0)
        assert residuals[:K].max() <= 1.1 * atol
        assert residuals[K] <= 1.1 * np.sqrt(atol)
        assert abs(found.values[K] - VALUES[K]) <= 10.0 * atol


def test_from_the_fourth_product_on_every_other_block_is_looked_at():
    counts = {moved(orthonormal(N, K + 1, seed=5), atol=10.0**-e)[1] for e in np.arange(1, 9, 0.5)}
    assert {count for count in counts if count > 4 and count % 2} == set()
    assert len(counts) >= 5
