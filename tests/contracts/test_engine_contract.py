"""What every engine promises: the sums of ``naive.py``, whatever the schedule."""

from functools import cache, partial

import numpy as np
import pytest

import naive
from hsiclearn._engines import (
    DenseEngine,
    TiledEngine,
    engine_names,
    plan_engine,
    single_threaded_blas,
)
from hsiclearn._rows import as_rows
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Polynomial
from naive import assert_close
from registry import ENGINES, GAMMAS, KERNELS, TILE_SIZES, Q, V, W, X, Z, frozen, orthonormal

RTOL = 1e-12

# Every kernel on two Gammas and every Gamma on two kernels, on every engine.
CASES = sorted(
    {(k, g) for k in KERNELS for g in ("classes-unsorted", "dense")}
    | {(k, g) for k in ("gaussian", "sum-mixed-signed") for g in GAMMAS}
)


@cache
def expected(kernel_name, gamma_name):
    """What an engine should return, from the written-out sums."""
    return naive.everything(X, GAMMAS[gamma_name][1], KERNELS[kernel_name], W, V, Z)


def answers(engine, W, V, Z):
    """All an engine can be asked, as arrays."""
    total, matrix = engine.contract(W)
    total_beside, gradient = engine.total_and_gradient(W)
    return {
        "total": np.array(engine.total(W)),
        "total of contract": np.array(total),
        "total beside the gradient": np.array(total_beside),
        "gradient": gradient,
        "contract": matrix,
        "apply": engine.apply(W, V),
        "apply along Z": engine.apply(W, V, Z),
        "multiply": engine.multiply(W, Z),
        "multiply along Z": engine.multiply(W, W, Z),
        "hessian_blocks": engine.hessian_blocks(W),
    }


# Two threads give the bytes of one, below: once is enough here.
SCHEDULES = [name for name in ENGINES if not name.endswith("-2") or name == "tiled-7-2"]


@pytest.mark.parametrize("engine_name", SCHEDULES)
@pytest.mark.parametrize(("kernel_name", "gamma_name"), CASES)
def test_equals_the_written_out_sums(engine_name, kernel_name, gamma_name):
    engine = ENGINES[engine_name](X, GAMMAS[gamma_name][0], KERNELS[kernel_name])
    right, ours = expected(kernel_name, gamma_name), answers(engine, W, V, Z)
    assert_close(ours["total"], right["total"], RTOL, right["size"])
    for name in ("total of contract", "total beside the gradient"):
        assert_close(ours[name], right["total"], RTOL, right["size"])
    for name in (
        "contract",
        "apply",
        "apply along Z",
        "multiply",
        "multiply along Z",
        "gradient",
        "hessian_blocks",
    ):
        # Where f'' is 0 the answer is 0 exactly; elsewhere 1e-12 of the largest entry.
        assert_close(ours[name], right[name], RTOL)


@pytest.mark.parametrize("engine_name", ENGINES)
@pytest.mark.parametrize("kernel_name", ["gaussian", "polynomial", "relative-gaussian"])
@pytest.mark.parametrize("q", [1, 3, 4])
def test_any_number_of_directions(engine_name, kernel_name, q):
    """Also a frame that is not orthonormal, and as many directions as features."""
    gamma, dense = GAMMAS["classes-weighted"]
    kernel = KERNELS[kernel_name]
    frame = frozen(0.5 * np.random.default_rng(q).standard_normal((4, q)))
    along = frozen(np.random.default_rng(q + 10).standard_normal((4, q)))
    ours = answers(ENGINES[engine_name](X, gamma, kernel), frame, V, along)
    assert_close(ours["contract"], naive.contract(X, dense, kernel, frame), RTOL)
    assert_close(ours["apply along Z"], naive.apply(X, dense, kernel, frame, V, along), RTOL)
    assert_close(ours["hessian_blocks"], naive.hessian_blocks(X, dense, kernel, frame), RTOL)


@pytest.mark.parametrize("engine_name", ENGINES)
@pytest.mark.parametrize("kernel_name", ["gaussian", "polynomial", "sum-mixed"])
def test_the_operations_agree_with_each_other(engine_name, kernel_name):
    """``X' apply(W, X)`` is the contraction; ``X' apply(W, XW, Z)`` is what the blocks hold."""
    engine = ENGINES[engine_name](X, GAMMAS["sum-signed"][0], KERNELS[kernel_name])
    _, matrix = engine.contract(W)
    assert_close(X.T @ engine.apply(W, X), matrix, RTOL)
    assert_close(matrix, matrix.T, RTOL)
    M = engine.hessian_blocks(W)
    product = np.einsum("abij,jb->ia", M, Z)
    assert_close(X.T @ engine.apply(W, X @ W, Z), product, RTOL)
    for a in range(Q):
        for b in range(Q):
            assert_close(M[b, a], M[a, b].T, RTOL)


@pytest.mark.parametrize("engine_name", ENGINES)
def test_same_input_same_bytes(engine_name):
    for kernel_name in ("gaussian", "sum-mixed-signed"):
        build = partial(ENGINES[engine_name], X, GAMMAS["sum-psd"][0], KERNELS[kernel_name])
        engine = build()
        first, again, anew = (answers(e, W, V, Z) for e in (engine, engine, build()))
        for name, array in first.items():
            assert array.tobytes() == again[name].tobytes() == anew[name].tobytes(), name


@pytest.mark.parametrize("engine_name", ENGINES)
def test_moving_away_and_back_gives_the_same_bytes(engine_name):
    """What an engine keeps from the last W must not leak into the next one."""
    engine = ENGINES[engine_name](X, GAMMAS["dense"][0], KERNELS["gaussian"])
    here = answers(engine, W, V, Z)
    elsewhere = answers(engine, orthonormal(4, 2, seed=77), V, Z)
    back = answers(engine, W, V, Z)
    for name, array in here.items():
        assert array.tobytes() == back[name].tobytes()
        assert array.tobytes() != elsewhere[name].tobytes()


@pytest.mark.parametrize("size", TILE_SIZES)
@pytest.mark.parametrize("kernel_name", ["gaussian", "cauchy", "polynomial", "sum-mixed-signed"])
def test_threads_do_not_change_a_bit(size, kernel_name):
    gamma, kernel = GAMMAS["classes-unsorted"][0], KERNELS[kernel_name]
    one, two = (
        answers(TiledEngine(X, gamma, kernel, tile_size=size, n_threads=threads), W, V, Z)
        for threads in (1, 2)
    )
    for name, array in one.items():
        assert array.tobytes() == two[name].tobytes(), name


@pytest.fixture(scope="module")
def larger():
    """301 rows: several tiles of a size at which tiles are worth while."""
    rng = np.random.default_rng(40)
    rows, codes = frozen(rng.standard_normal((301, 12))), rng.integers(0, 4, 301)
    return rows, ClassTable.centered(codes), frozen(rng.standard_normal((301, 5)))


@pytest.mark.parametrize("kernel", [Gaussian(3.0), Polynomial(2)])
def test_tile_size_and_threads_do_not_matter_on_more_rows(larger, kernel):
    rows, gamma, many = larger
    frame, along = orthonormal(12, 3, seed=1), orthonormal(12, 3, seed=2)
    reference = answers(DenseEngine(rows, gamma, kernel), frame, many, along)
    for size in (32, 75, 100, 150, 300, 301, None):
        for threads in (1, 2, 3):
            engine = TiledEngine(rows, gamma, kernel, tile_size=size, n_threads=threads)
            for name, array in answers(engine, frame, many, along).items():
                assert_close(array, reference[name], RTOL)


def test_threads_do_not_change_a_bit_on_more_rows(larger):
    rows, gamma, many = larger
    frame, along = orthonormal(12, 3, seed=1), orthonormal(12, 3, seed=2)
    with single_threaded_blas():  # one BLAS for both, as the pool has it
        one, two, three = (
            answers(
                TiledEngine(rows, gamma, Gaussian(3.0), tile_size=48, n_threads=threads),
                frame,
                many,
                along,
            )
            for threads in (1, 2, 3)
        )
    for name, array in one.items():
        assert array.tobytes() == two[name].tobytes() == three[name].tobytes(), name


@pytest.mark.parametrize("engine_name", ENGINES)
@pytest.mark.parametrize("n", [1, 2, 8])
def test_few_rows(engine_name, n):
    gamma, dense = GAMMAS["low-rank-signed"]
    kernel = KERNELS["sum-mixed"]
    ours = answers(ENGINES[engine_name](X[:n], gamma.take(np.arange(n)), kernel), W, V[:n], Z)
    arguments = X[:n], dense[:n, :n], kernel, W
    assert_close(ours["total"], naive.total(*arguments), RTOL, naive.size_of_total(*arguments))
    assert_close(ours["contract"], naive.contract(*arguments), RTOL)
    assert_close(ours["apply"], naive.apply(*arguments, V[:n]), RTOL)


def test_memory_budget_bounds_the_tile():
    gamma = ClassTable(np.zeros(1000, dtype=int), np.eye(1))
    rows = np.zeros((1000, 1))
    sizes = [
        TiledEngine(rows, gamma, Gaussian(), memory_budget=budget, n_threads=2).tile_size
        for budget in (1, 2**20, 2**22, 2**30)
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] <= 16
    assert sizes[-1] <= 512
    for size, budget in zip(sizes[1:], (2**20, 2**22, 2**30), strict=True):
        assert 8 * 5 * 8 * size**2 <= budget


# Choosing an engine -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "built"),
    [
        ("dense", DenseEngine),
        ("tiled", TiledEngine),
        (partial(TiledEngine, tile_size=5), TiledEngine),
    ],
)
def test_an_engine_by_name_or_by_callable(asked, built):
    gamma = GAMMAS["dense"][0]
    plan = plan_engine(asked, as_rows(X), gamma, Gaussian(), Q, 1e-6)
    engine = plan.make(X, gamma, Gaussian())
    assert plan.is_linear is False
    assert type(engine) is built
    assert engine.name in engine_names()


def test_unknown_engine():
    with pytest.raises(ValueError, match=r"`engine` must be one of \['auto', .*\]. Got 'gpu'."):
        plan_engine("gpu", as_rows(X), GAMMAS["dense"][0], Gaussian(), Q, 1e-6)
