"""Neighbours by a tree and by all pairs are the same."""

import numpy as np
import pytest

from hsiclearn._alternation.neighbors import nearest_rows


@pytest.mark.parametrize("d", [1, 6, 7, 30])
def test_against_all_distances(d):
    Z = np.random.default_rng(d).standard_normal((60, d))
    squares = np.sum((Z[:, None] - Z) ** 2, axis=2)
    np.fill_diagonal(squares, -1.0)
    expected = np.argsort(squares, axis=1)[:, 1:6].T
    np.testing.assert_array_equal(nearest_rows(Z, 5), expected)
