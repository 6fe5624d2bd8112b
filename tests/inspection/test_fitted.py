"""Standard deviations of columns: in one pass, and without a copy of the table."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from hsiclearn.inspection.fitted import deviations

N = 100_000  # rows of 30 columns: three blocks


@pytest.fixture(scope="module")
def rows():
    X = np.random.default_rng(0).standard_normal((N, 30), dtype=np.float32)
    X[: N // 2] += 50.0  # blocks have unlike means
    X[:, 0] = 7.0
    X[X < -1.0] = 0.0
    return X


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
def test_blocks_add_up_to_the_whole(rows, make):
    expected = rows.astype(np.float64).std(axis=0)
    np.testing.assert_allclose(deviations(make(rows)), expected, rtol=1e-10, atol=1e-10)


def test_a_table_of_a_narrower_type_is_not_copied(rows):
    deviations(rows[:10])
    tracemalloc.start()
    deviations(rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.6 * 2**20 * 8  # a block in double precision, and its deviations
