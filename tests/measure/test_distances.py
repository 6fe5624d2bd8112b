"""Kernels of distances, beside dcor."""

import numpy as np
import pytest

from hsiclearn import cka, hsic
from measure.direct import related


def uncompiled(*_, **__):
    """What stands in for numba's decorators: the functions as they are written."""
    return lambda function: function


def test_distances_give_the_distance_covariance(monkeypatch):
    """By dcor's functions as they are written: its import would compile them, for 10 to 30 s."""
    import numba

    monkeypatch.setattr(numba, "njit", uncompiled)
    monkeypatch.setattr(numba, "guvectorize", uncompiled)
    import dcor

    X, Y = related()
    scale = (len(X) / (len(X) - 1)) ** 2
    for columns in (1, 2):
        x, y = X[:, :columns], np.round(Y[:, :columns], 1)  # with ties
        expected = {
            ("biased", hsic): scale * dcor.distance_covariance_sqr(x, y),
            ("biased", cka): dcor.distance_correlation_sqr(x, y),
            ("unbiased", hsic): dcor.u_distance_covariance_sqr(x, y),
            ("unbiased", cka): dcor.u_distance_correlation_sqr(x, y),
        }
        for engine in ("dense", "tiled"):
            settings = {"kernel_x": "distance", "kernel_y": "distance", "engine": engine}
            for (estimator, measure), value in expected.items():
                ours = measure(x, y, estimator=estimator, **settings)
                assert ours == pytest.approx(value, rel=1e-10), (columns, engine, estimator)
