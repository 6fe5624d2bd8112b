"""The bandwidths that are tried."""

import numpy as np
import pytest

from hsiclearn._selection import SCALES, bandwidth_grid


@pytest.mark.parametrize(("q", "d"), [(1, 1), (1, 9), (2, 50), (5, 5)])
def test_every_scale_times_the_median_distance_in_q_of_d_dimensions(q, d):
    grid = bandwidth_grid(3.0, q, d)
    np.testing.assert_allclose(grid, 3.0 * np.sqrt(q / d) * np.array(SCALES), rtol=1e-14)


def test_from_smooth_to_fine_in_whatever_order_scales_are_given():
    assert bandwidth_grid(1.0, 1, 1, scales=(0.5, 2.0, 1.0)) == (2.0, 1.0, 0.5)
    assert list(SCALES) == sorted(SCALES, reverse=True)


def test_the_grid_has_the_unit_of_the_rows():
    metres, millimetres = bandwidth_grid(4.0, 2, 7), bandwidth_grid(4000.0, 2, 7)
    np.testing.assert_allclose(millimetres, 1000.0 * np.array(metres), rtol=1e-14)
