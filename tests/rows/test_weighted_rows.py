"""What one pass over rows with weights tells: what it tells of the table with repeated rows."""

import numpy as np
import pytest
from scipy import sparse

from foreign_arrays import make
from hsiclearn._linalg import column_weights, deviations_of
from hsiclearn._rows import (
    DeviceRows,
    as_rows,
    column_deviations,
    projected_covariance,
    shrunk_covariance,
    spread_along,
    summarise,
)

rng = np.random.default_rng(0)
X = rng.standard_normal((60, 4)) + np.array([0.0, 5.0, 0.0, 1.0])
X[rng.random((60, 4)) < 0.4] = 0.0
V = rng.integers(0, 4, 60)
OFTEN = X[np.repeat(np.arange(60), V)]
W = np.linalg.qr(rng.standard_normal((4, 2)))[0]
MAKE = {
    "dense": as_rows,
    "single": lambda X: as_rows(X.astype(np.float32)),
    "sparse": lambda X: as_rows(sparse.csr_array(X)),
    "blocks": lambda X: as_rows(lambda: iter([X[:17], X[17:]])),
    "device": lambda X: DeviceRows(make("strict", X)),
    "turned": lambda X: as_rows(sparse.csr_array(X)).turned(np.eye(4)),
}


@pytest.mark.parametrize("kind", MAKE)
def test_passes_count_copies(kind):
    rows, often, v = MAKE[kind](X), MAKE[kind](OFTEN), V.astype(float)
    mean = OFTEN.mean(axis=0)
    atol = 1e-6 if kind == "single" else 1e-12
    np.testing.assert_allclose(summarise(rows, weights=v).mean, mean, atol=atol)
    np.testing.assert_allclose(rows.mean(v), mean, atol=atol)
    pairs = [
        (column_deviations(rows, mean, v), OFTEN.std(axis=0)),
        (projected_covariance(rows, W, mean, v), W.T @ np.cov(OFTEN.T, bias=True) @ W),
        (shrunk_covariance(rows, v), shrunk_covariance(often)),
        (spread_along(rows, W, mean, weights=v).deviations, (OFTEN @ W).std(axis=0)),
    ]
    for found, expected in pairs:
        np.testing.assert_allclose(found, expected, atol=10 * atol)


def test_shares_of_a_whole_shrink_a_covariance_as_equal_rows_do():
    """Else weights that sum to 1 would be taken for a single row."""
    expected = shrunk_covariance(as_rows(X))
    np.testing.assert_allclose(
        shrunk_covariance(as_rows(X), np.full(60, 1.0 / 60)), expected, atol=1e-12
    )


def test_a_direction_is_carried_by_rows_whatever_they_weigh():
    table = rng.standard_normal((100, 2))
    table[3] = [40.0, 0.0]
    v = np.full(100, 0.5)
    v[3] = 0.25
    spread = spread_along(as_rows(table), np.eye(2), v @ table / v.sum(), weights=v)
    assert spread.carriers[0].tolist() == [3]
    assert spread.carriers[1].size == 0
    v[3] = 1e-6  # hardly there
    spread = spread_along(as_rows(table), np.eye(2), v @ table / v.sum(), weights=v)
    assert spread.carriers[0].size == 0


def test_importances_count_copies():
    v, sd = V.astype(float), deviations_of(OFTEN)
    np.testing.assert_allclose(deviations_of(X, v), sd)
    expected = column_weights(W, OFTEN @ W, sd)
    np.testing.assert_allclose(column_weights(W, X @ W, sd, v), expected)
