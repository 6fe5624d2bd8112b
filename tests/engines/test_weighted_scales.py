"""Kernels with a scale per row, of rows that count more or less than once."""

import numpy as np
import pytest

from hsiclearn._objective import Objective
from hsiclearn.gamma import ClassTable, Weighted
from hsiclearn.kernels import Gaussian, RelativeGaussian
from naive import assert_close
from registry import W, frozen

rng = np.random.default_rng(95)
X = frozen(rng.standard_normal((40, 4)))
V = frozen(np.append([1.0, 2.0], rng.integers(0, 4, 38)))
TABLE = np.repeat(np.arange(40), V.astype(int))
CODES = frozen(rng.integers(0, 3, 40))


@pytest.mark.parametrize("kernel", [RelativeGaussian(7), Gaussian(1.0) + RelativeGaussian(4, 1.0)])
@pytest.mark.parametrize(
    ("engine", "rtol"), [("dense", 1e-12), ("tiled", 1e-12), ("nystrom", 1e-6)]
)
def test_scales_are_those_of_repeated_rows(engine, rtol, kernel):
    weighted = Weighted(ClassTable.centered(CODES, row_weights=V), V)
    ours = Objective(X, weighted, kernel, engine)
    theirs = Objective(X[TABLE], ClassTable.centered(CODES[TABLE]), kernel, engine)
    assert ours.cost(W) == pytest.approx(theirs.cost(W), rel=rtol)
    assert_close(ours.phi(W), theirs.phi(W), rtol)
    assert_close(ours.phi(np.zeros((4, 2))), theirs.phi(np.zeros((4, 2))), rtol)
