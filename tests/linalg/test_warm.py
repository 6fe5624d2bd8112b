"""Eigenvectors of an operator that has moved: right, in few products, and not misled."""

import numpy as np
import pytest

from hsiclearn._arrays import thin_product
from hsiclearn._linalg.eigen import start_block
from hsiclearn._linalg.warm import moved_top
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
