"""When a search in a Krylov space ends: how many products it takes, and of how many columns."""

import numpy as np
import pytest

from hsiclearn._linalg import DenseSymmetric
from hsiclearn._linalg.krylov import block_krylov, restarted_krylov
from registry import orthonormal, symmetric

N = 320
CROWDED = symmetric(N, seed=2) / np.sqrt(N)


class Counted:
    def __init__(self, A):
        self.A, self.widths = A, []

    def __call__(self, V):
        self.widths.append(V.shape[1])
        return self.A @ V


@pytest.mark.parametrize("least", [1, 2, 5])
def test_a_start_that_is_stationary_is_looked_beyond(least):
    """No residual proves that it is the lowest: so many products are made all the same."""
    product = Counted(np.diag(np.arange(float(N))))
    restarted_krylov(
        product, np.eye(N, 2), n_exact=2, atol=1e-9, min_products=least, max_products=20
    )
    assert product.widths == [2] * least


def test_a_search_that_is_cut_off_makes_so_many_products():
    product = Counted(CROWDED)
    restarted_krylov(product, orthonormal(N, 2, seed=0), n_exact=2, atol=0.0, max_products=9)
    assert product.widths == [2] * 9


@pytest.mark.parametrize(("columns", "blocks"), [(4, 16), (40, 8)])
def test_blocks_end_at_sixteen_or_where_they_fill_the_space(columns, blocks):
    product = Counted(CROWDED)
    start = orthonormal(N, columns, seed=0)
    assert block_krylov(product, start, n_exact=4, atol=0.0) is None
    assert product.widths == [columns] * blocks


def test_residuals_are_looked_at_after_every_third_block():
    Q = orthonormal(N, N, seed=1)
    product = Counted((Q * np.arange(1.0, N + 1.0)) @ Q.T)
    found = block_krylov(product, Q[:, :2], n_exact=2, atol=1e-9)
    assert product.widths == [2] * 3
    np.testing.assert_allclose(found.values, [1.0, 2.0], atol=1e-9)


@pytest.mark.parametrize(("k", "size"), [(1, 21), (21, 21), (30, 30)])
def test_of_a_large_array_as_many_eigenvalues_as_a_choice_looks_at(k, size):
    assert DenseSymmetric(CROWDED).lowest(k).values.shape == (size,)
    assert DenseSymmetric(CROWDED[:50, :50]).lowest(k).values.shape == (50,)
