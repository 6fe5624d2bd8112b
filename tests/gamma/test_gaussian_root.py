"""A root of a Gaussian kernel, against the kernel."""

import numpy as np
import pytest

from hsiclearn.gamma.gaussian_root import gaussian_root

S = 0.3
rng = np.random.default_rng(0)
POINTS = {
    "dense": rng.uniform(-3, 3, 400),
    "dense and long": np.sort(rng.uniform(0, 60, 3000)),
    "few along a long line": rng.uniform(0, 40, 60),
    "two heaps and points far off": np.concatenate(
        [rng.normal(0, 1, 200), rng.normal(50, 0.1, 90), [1e3, 1e8, -1e5]]
    ),
    "equal": np.full(20, 1.5),
    "one": np.array([2.0]),
}


@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
def test_it_is_a_root(points):
    F = gaussian_root(points, S)
    K = np.exp(-(np.subtract.outer(points, points) ** 2) / (2 * S**2))
    np.testing.assert_allclose(F @ F.T, K, atol=1e-12)


@pytest.mark.parametrize("name", ["dense and long", "few along a long line"])
def test_it_has_no_more_columns_than_points_or_than_steps_along_the_line(name):
    points = POINTS[name]
    steps = (np.ptp(points) / S + 2 * 5.7) / 0.4 + 2
    assert gaussian_root(points, S).shape[1] <= min(points.size, steps)


def test_a_point_at_infinity_has_no_kernel():
    F = gaussian_root(np.array([0.0, np.inf, 0.1]), S)
    np.testing.assert_array_equal(F[1], 0.0)
    assert F[0] @ F[2] == pytest.approx(np.exp(-0.5 * (0.1 / S) ** 2))


def test_nothing_has_an_empty_root():
    assert gaussian_root(np.array([np.inf]), S).shape == (1, 0)


@pytest.mark.parametrize("name", ["dense", "two heaps and points far off", "equal", "one"])
def test_no_column_is_rounding(name):
    """Columns are orthogonal within a heap, and as long as the roots of eigenvalues."""
    points = POINTS[name] if name != "two heaps and points far off" else POINTS[name][:200]
    sizes = np.sum(gaussian_root(points, S) ** 2, axis=0)
    assert sizes.min() > 0.9e-15 * sizes.max()
    assert gaussian_root(np.full(20, 1.5), S).shape == (20, 1)
