"""The Frobenius norm, also where squares leave the range of floating point."""

import numpy as np
import pytest

from hsiclearn._linalg import safe_norm


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200, 1e-154, 1e154])
def test_norm_at_any_scale(scale):
    A = np.arange(1.0, 7.0).reshape(2, 3)
    assert safe_norm(scale * A) == pytest.approx(scale * np.sqrt(91.0), rel=1e-14, abs=0.0)


def test_norm_of_nothing():
    assert safe_norm(np.zeros((3, 2))) == 0.0


@pytest.mark.parametrize("scale", [1e-130, 1e-3, 1.0, 1e130])
def test_norms_of_usual_size_are_the_root_of_a_sum_to_the_last_bit(scale):
    for A in scale * np.random.default_rng(0).standard_normal((20, 3, 2)):
        assert safe_norm(A) == float(np.sqrt(np.sum(A * A)))


def test_the_norm_of_what_is_no_number():
    assert np.isnan(safe_norm(np.array([[1.0, np.nan]])))
