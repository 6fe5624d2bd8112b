"""What engines in linear time promise: the written-out sums, to the accuracy they state."""

from functools import cache

import numpy as np
import pytest
from scipy import sparse

import naive
from hsiclearn._engines import FeatureEngine, NystromEngine, TiledEngine
from hsiclearn._rows import as_rows
from hsiclearn.gamma import ClassTable, LowRank
from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    InverseMultiquadratic,
    Multiquadratic,
    RationalQuadratic,
)
from naive import assert_close
from registry import (
    GAMMAS,
    KERNELS,
    LINEAR_ENGINES,
    POLYNOMIALS,
    WITH_FACTORS,
    V,
    W,
    X,
    Z,
    frozen,
    orthonormal,
)

CASES = sorted(
    {("nystrom", k, g) for k in KERNELS for g in ("classes-unsorted", "low-rank-signed")}
    | {("nystrom", k, g) for k in ("gaussian", "sum-mixed-signed") for g in WITH_FACTORS}
    | {("features", k, g) for k in POLYNOMIALS for g in WITH_FACTORS}
)


@cache
def expected(kernel_name, gamma_name):
    return naive.everything(X, GAMMAS[gamma_name][1], KERNELS[kernel_name], W, V, Z)


def answers(engine):
    total, matrix = engine.contract(W)
    return {
        "total": np.array(engine.total(W)),
        "total of contract": np.array(total),
        "contract": matrix,
        "apply": engine.apply(W, V),
        "apply along Z": engine.apply(W, V, Z),
        "multiply": engine.multiply(W, Z),
        "multiply along Z": engine.multiply(W, W, Z),
        "hessian_blocks": engine.hessian_blocks(W),
    }


def tolerance(engine_name, kernel):
    """Rounding for finite features; for landmarks on all rows, rounding times the conditioning.

    f of a kernel that is not definite, and one with row scales, lose half the digits.
    """
    if engine_name == "features":
        return 1e-11
    definite = all(0 not in t.definite for _, t in kernel.terms if t.coefficients is None)
    return 1e-8 if definite else 1e-5


@pytest.mark.parametrize(("engine_name", "kernel_name", "gamma_name"), CASES)
def test_equals_the_written_out_sums(engine_name, kernel_name, gamma_name):
    kernel = KERNELS[kernel_name]
    engine = LINEAR_ENGINES[engine_name](X, GAMMAS[gamma_name][0], kernel)
    right, ours = expected(kernel_name, gamma_name), answers(engine)
    rtol = tolerance(engine_name, kernel)
    assert_close(ours["total"], right["total"], rtol, right["size"])
    assert_close(ours["total of contract"], right["total"], rtol, right["size"])
    for name in (
        "contract",
        "apply",
        "apply along Z",
        "multiply",
        "multiply along Z",
        "hessian_blocks",
    ):
        assert_close(ours[name], right[name], rtol, np.abs(right[name]).max() + right["size"] / 100)


@pytest.mark.parametrize("gamma_name", WITH_FACTORS)
def test_forms_at_zero(gamma_name):
    """Where the kernel is constant only Gamma is left."""
    gamma, dense = GAMMAS[gamma_name]
    XSX, XDX = NystromEngine(X, gamma, Gaussian()).at_zero(0)
    scale = np.abs(X.T @ np.abs(dense) @ np.abs(X)).max()
    assert_close(XSX, X.T @ dense @ X, 1e-12, scale)
    assert_close(XDX, X.T @ (dense.sum(axis=1)[:, None] * X), 1e-12, scale)


# Rows from anywhere -------------------------------------------------------------------------------

MANY = frozen(np.random.default_rng(0).standard_normal((5000, 6)) @ np.diag([3, 1, 1, 1, 1, 0.5]))
CODES = frozen((MANY[:, 0] > 0).astype(int) + (np.abs(MANY[:, 1]) > 1))
FRAME = orthonormal(6, 2, seed=3)


def every_source():
    yield "array", MANY
    yield "fortran", np.asfortranarray(MANY)
    yield "stream", lambda: (MANY[i : i + 700] for i in range(0, 5000, 700))
    yield "sparse", sparse.csr_matrix(MANY)
    yield "sparse array", sparse.csr_array(MANY)
    yield (
        "sparse stream",
        lambda: (sparse.csr_array(MANY[i : i + 999]) for i in range(0, 5000, 999)),
    )


SIDES = {"classes": ClassTable.centered(CODES), "real": LowRank.centered(MANY[:, :2])}


def sums_of(table, side, *, moved):
    """Total, contraction, blocks of the Hessian and product."""
    rows = as_rows(table)
    rows = rows.centered(np.arange(6.0)) if moved else rows
    engine = NystromEngine(rows, SIDES[side], Gaussian(3.0))
    return (
        engine.total(FRAME),
        engine.contract(FRAME)[1],
        engine.hessian_blocks(FRAME),
        engine.multiply(FRAME, FRAME),
    )


@cache
def sums_of_the_array(side, *, moved):
    return sums_of(MANY, side, moved=moved)


@pytest.mark.parametrize(("name", "source"), list(every_source()))
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("moved", [False, True])
def test_rows_from_anywhere_give_the_same_sums(name, source, side, moved):
    ours = sums_of(source, side, moved=moved)
    right = sums_of_the_array(side, moved=moved)
    assert ours[0] == pytest.approx(right[0], rel=1e-9)
    for i, rtol in ((1, 1e-9), (2, 1e-4), (3, 1e-9)):
        assert_close(ours[i], right[i], rtol)


def test_single_precision_rows_stay_so():
    gamma = ClassTable.centered(CODES)
    rows = as_rows(MANY.astype(np.float32))
    assert rows.dtype == np.float32
    assert all(block.dtype == np.float32 for _, block in rows.chunks())
    engine = NystromEngine(rows, gamma, Gaussian(3.0))
    exact = TiledEngine(MANY, gamma, Gaussian(3.0)).contract(FRAME)[1]
    assert_close(engine.contract(FRAME)[1], exact, 1e-4)
    assert engine.accuracy.rtol >= 1e-5  # no finer than the precision of the rows allows


def test_threads_do_not_change_a_bit(monkeypatch):
    gamma = ClassTable.centered(CODES)
    found = []
    for cores in (1, 2, 5):
        monkeypatch.setattr("hsiclearn._threads.usable_cores", lambda cores=cores: cores)
        engine = NystromEngine(MANY, gamma, Gaussian(1.0))
        found.append((engine.total(FRAME), engine.contract(FRAME)[1], engine.hessian_blocks(FRAME)))
    for other in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], other, strict=True))


def test_a_value_depends_on_W_alone():
    """Not on where the engine has been before: a checkpoint relies on it."""
    gamma = ClassTable.centered(CODES)
    fresh, travelled = (NystromEngine(MANY, gamma, Gaussian(1.0)) for _ in range(2))
    travelled.contract(orthonormal(6, 2, seed=8))
    assert np.array_equal(fresh.contract(FRAME)[1], travelled.contract(FRAME)[1])


# Accuracy -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kernel",
    [
        Gaussian,
        Cauchy,
        InverseMultiquadratic,
        RationalQuadratic,
        Multiquadratic,
        lambda s: Gaussian(s) - 0.5 * Cauchy(s),
    ],
)
@pytest.mark.parametrize("tails", [2.5, np.inf])
@pytest.mark.parametrize("share", [1.0, 0.35])
def test_the_bound_is_never_below_the_error(kernel, tails, share):
    """Fewer landmarks than rows: with all of them there would be no error."""
    rng = np.random.default_rng(5)
    table = rng.standard_normal((600, 5)) if np.isinf(tails) else rng.standard_t(tails, (600, 5))
    gamma = ClassTable.centered((table[:, 0] + table[:, 1] ** 2 > 1).astype(int))
    frame, kernel = orthonormal(5, 2, seed=6), kernel(3.0 * share)
    exact = TiledEngine(table, gamma, kernel).contract(frame)[1]
    norm = np.linalg.norm(exact)
    bounds = []
    for rtol in (1e-2, 1e-4, 1e-6):
        engine = NystromEngine(table, gamma, kernel, rtol=rtol)
        stated = engine.error(frame, norm)
        assert stated.guaranteed
        assert np.linalg.norm(engine.contract(frame)[1] - exact) <= stated.relative * norm
        bounds.append(stated.relative)
    assert bounds[0] > bounds[1] > bounds[2]


def test_row_scales_have_an_estimate_only():
    table = MANY[:1000]
    engine = NystromEngine(table, ClassTable.centered(CODES[:1000]), KERNELS["relative-gaussian"])
    assert not engine.error(FRAME, 1.0).guaranteed


def test_refinement_finds_the_tails():
    """Heavy tails at a small bandwidth: the rows a sample misses become landmarks."""
    rng = np.random.default_rng(0)
    table = rng.standard_t(2.5, (6000, 5))
    gamma = ClassTable.centered((table[:, 0] > 0).astype(int))
    frame = orthonormal(5, 2, seed=6)
    engine = NystromEngine(table, gamma, Gaussian(1.0), rtol=1e-5)
    norm = np.linalg.norm(engine.contract(frame)[1])
    before = engine.error(frame, norm)
    finer = engine.refined(frame, 0.1)
    after = finer.error(frame, norm)
    assert after.relative < 0.1 * before.relative
    assert after.n_features > before.n_features
    assert engine.error(frame, norm) == before  # the coarse one is what it was


def test_no_refinement_beyond_the_landmarks_allowed():
    gamma = ClassTable.centered(CODES)
    engine = NystromEngine(MANY, gamma, Gaussian(0.05), max_landmarks=50)
    assert engine.refined(FRAME, 0.1) is None
    assert engine.error(FRAME, np.linalg.norm(engine.contract(FRAME)[1])).n_features == 50


def test_finite_features_need_no_bound():
    engine = FeatureEngine(MANY, ClassTable.centered(CODES), KERNELS["polynomial"])
    assert engine.error(FRAME, 1.0).relative < 1e-13  # rounding
    assert engine.refined(FRAME, 0.1) is None


# Bad input ----------------------------------------------------------------------------------------


def test_a_gamma_without_factors_is_refused():
    with pytest.raises(ValueError, match=r"needs a Gamma of low rank or of classes.*'tiled'"):
        NystromEngine(X, GAMMAS["dense"][0], Gaussian())


def test_features_are_for_polynomials():
    with pytest.raises(ValueError, match=r"polynomials in beta.*Gaussian.*'nystrom'"):
        FeatureEngine(X, GAMMAS["low-rank"][0], Gaussian())
