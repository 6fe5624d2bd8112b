"""The Frobenius norm, also where squares leave the range of floating point."""

import numpy as np
import pytest

from hsiclearn._linalg import safe_norm


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200, 1e-154, 1e154])
def test_norm_at_any_scale(scale):
    A = np.arange(1.0, 7.0).reshape(2, 3)
    assert safe_norm(scale * A) == pytest.approx(scale * np.sqrt(91.0), rel=1e-14)


def test_norm_of_nothing():
    assert safe_norm(np.zeros((3, 2))) == 0.0
