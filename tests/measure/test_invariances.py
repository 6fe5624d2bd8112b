"""What HSIC and CKA do not depend on."""

import numpy as np
import pytest

from hsiclearn import cka, hsic, hsic_estimate, hsic_test
from measure.direct import related

ENGINES = ("dense", "tiled", "nystrom")
X, Y = related(150, 3)
Q = np.linalg.qr(np.random.default_rng(5).standard_normal((3, 3)))[0]
ORDER = np.random.default_rng(6).permutation(150)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize("measure", [hsic, cka])
def test_sides_units_rotations_and_orders_do_not_matter(measure, estimator, engine):
    settings = {"estimator": estimator, "engine": engine}
    value = measure(X, Y, **settings)
    loose = 1e-5 if engine == "nystrom" else 1e-10  # landmarks are other rows
    assert measure(Y, X, **settings) == pytest.approx(value, rel=1e-12)
    assert measure(X + 5.0, Y - 3.0, **settings) == pytest.approx(value, rel=loose)
    assert measure(X @ Q, Y, **settings) == pytest.approx(value, rel=loose)
    assert measure(1e3 * X, 1e-3 * Y, **settings) == pytest.approx(value, rel=loose)
    assert measure(X[ORDER], Y[ORDER], **settings) == pytest.approx(value, rel=loose)


@pytest.mark.parametrize("engine", ENGINES)
def test_signs_and_ranges(engine):
    rng = np.random.default_rng(0)
    for _ in range(10):
        A, B = rng.standard_normal((40, 2)), rng.standard_normal((40, 1))
        assert hsic(A, B, engine=engine) >= 0
        assert 0 <= cka(A, B, engine=engine) <= 1
    assert cka(X, X, engine=engine) == pytest.approx(1.0, rel=1e-12)
    assert cka(X, X, engine=engine, estimator="unbiased") == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize("engine", [*ENGINES, "block"])
def test_same_input_same_bytes(engine, estimator):
    if engine == "block":
        estimator = "unbiased"
    A, B = related(2500, 2)
    settings = {"engine": engine, "estimator": estimator, "block_size": 100, "random_state": 4}
    first, second = (hsic_estimate(A, B, **settings) for _ in range(2))
    assert first == second
    if engine != "tiled":
        settings |= {"method": "permutation", "n_permutations": 5}
    first, second = (hsic_test(A[:600], B[:600], **settings) for _ in range(2))
    assert (first.statistic, first.pvalue) == (second.statistic, second.pvalue)


def test_the_input_is_left_alone():
    A, B = X.copy(), Y.copy()
    for engine in ENGINES:
        hsic(A, B, engine=engine)
        K = A @ A.T
        before = K.copy()
        if engine != "nystrom":
            hsic(K, B, kernel_x="precomputed", engine=engine)
        np.testing.assert_array_equal(K, before)
    np.testing.assert_array_equal(A, X)
    np.testing.assert_array_equal(B, Y)


def test_float32_is_taken_as_it_is():
    assert hsic(X.astype("float32"), Y) == pytest.approx(hsic(X, Y), rel=1e-5)
