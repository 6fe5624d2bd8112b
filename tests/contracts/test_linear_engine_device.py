"""Engines in linear time on arrays of other libraries: the sums of numpy, where the rows are."""

from functools import cache

import numpy as np
import pytest

from foreign_arrays import LIBRARIES, make
from hsiclearn._engines import FeatureEngine, NystromEngine
from hsiclearn._rows import DeviceRows, as_rows
from hsiclearn.gamma import ClassTable, GaussianColumn, GaussianColumns, LowRank, pieces
from hsiclearn.kernels import Cauchy, Gaussian, Linear, Polynomial, RelativeGaussian, Squared
from naive import assert_close
from registry import GAMMAS, KERNELS, LINEAR_ENGINES, WITH_FACTORS, V, W, X, Z, frozen, orthonormal

pytestmark = pytest.mark.usefixtures("tensors_stay")

CASES = sorted(
    {
        ("nystrom", k, "classes-unsorted")
        for k in (
            "cauchy",
            "polynomial",
            "negated-squared",
            "multiquadratic",
            "sum-with-row-scales",
        )
    }
    | {("nystrom", k, g) for k in ("gaussian", "sum-mixed-signed") for g in WITH_FACTORS}
    | {("features", k, g) for k in ("polynomial", "squared") for g in ("column", "sum-signed")}
)


def answers(engine, W, V, Z):
    """All sums that an engine is asked for."""
    total, matrix = engine.contract(W)
    same, gradient = engine.total_and_gradient(W)
    found = {"total": engine.total(W), "of contract": total, "of gradient": same}
    found |= {"contract": matrix, "gradient": gradient, "multiply": engine.multiply(W, Z)}
    found |= {"apply": engine.apply(W, V), "at zero": np.stack(engine.at_zero(0))}
    found |= {"products at zero": np.stack(engine.at_zero(0, Z))}
    found |= {"error": engine.error(W, np.linalg.norm(matrix)).relative}
    coarse = {"blocks": engine.hessian_blocks(W), "along Z": engine.multiply(W, W, Z)}
    coarse |= {"apply along Z": engine.apply(W, V, Z)}
    return found, coarse


def assert_same(ours, right, rtol, coarse_rtol):
    for mine, theirs, allowed in zip(ours, right, (rtol, coarse_rtol), strict=True):
        size = max(np.abs(value).max() for value in theirs.values()) / 100
        for name, value in theirs.items():
            assert_close(mine[name], value, allowed, max(np.abs(value).max(), size))


@cache
def sums_of_numpy(engine_name, kernel_name, gamma_name):
    engine = LINEAR_ENGINES[engine_name](X, GAMMAS[gamma_name][0], KERNELS[kernel_name])
    return answers(engine, W, V, Z)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(("engine_name", "kernel_name", "gamma_name"), CASES)
def test_sums_are_those_of_numpy(library, engine_name, kernel_name, gamma_name):
    rows = as_rows(make(library, X))
    engine = LINEAR_ENGINES[engine_name](rows, GAMMAS[gamma_name][0], KERNELS[kernel_name])
    right = sums_of_numpy(engine_name, kernel_name, gamma_name)
    # Landmarks on all rows at 1e-14: rounding times the conditioning, as between any two orders.
    rtol = 1e-12 if engine_name == "features" else 1e-8
    assert_same(answers(engine, W, V, Z), right, rtol, 100 * rtol)


# Rows in several chunks, of several pieces each ---------------------------------------------------

N = 6000
MANY = frozen(np.random.default_rng(0).standard_normal((N, 5)) @ np.diag([3, 1, 1, 1, 0.5]))
CODES = frozen(np.digitize(MANY[:, 0] + MANY[:, 1] ** 2, [-2, 0, 0.1, 3]))
FRAME, OTHER = orthonormal(5, 2, seed=3), orthonormal(5, 2, seed=4)
FEW = frozen(np.random.default_rng(1).standard_normal((N, 2)))

SIDES = {
    "classes": ClassTable.centered(CODES),
    "one class": ClassTable(np.zeros(N, dtype=int), np.ones((1, 1))),
    "cells": GaussianColumn(MANY[:, 0], 1.0, light=1e-2),
    "components": GaussianColumns(MANY[:, :2], 2.0),
    "weights": LowRank.centered(MANY[:, :2]),
    "sum": ClassTable.centered(CODES) + LowRank.centered(MANY[:, 1:2]),
}
OF_KERNELS = {
    "gaussian": Gaussian(2.0),
    "wide gaussian": Gaussian(20.0),  # a series
    "cauchy": Cauchy(3.0),
    "polynomial": Polynomial(3, 2.0),
    "negated squared": -Squared(),
    "sum": Gaussian(3.0) + 0.1 * Linear(),
}
SOME = sorted({("gaussian", g) for g in SIDES} | {(k, "classes") for k in OF_KERNELS})


def in_chunks(library, dtype=np.float64, table=MANY):
    """Rows on a device with memory for chunks of about a third of them."""
    return DeviceRows(make(library, table.astype(dtype)), budget=8 * 6 * table.shape[1] * N // 3)


@cache
def many_of_numpy(kernel_name, side):
    return answers(NystromEngine(MANY, SIDES[side], OF_KERNELS[kernel_name]), FRAME, FEW, OTHER)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(("kernel_name", "side"), SOME)
def test_rows_in_chunks_give_the_same_sums(library, kernel_name, side):
    engine = NystromEngine(in_chunks(library), SIDES[side], OF_KERNELS[kernel_name])
    ours = answers(engine, FRAME, FEW, OTHER)
    assert_same(ours, many_of_numpy(kernel_name, side), 1e-10, 1e-5)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("side", ["classes", "cells", "weights"])
def test_single_precision(library, side):
    rows = in_chunks(library, np.float32)
    engine = NystromEngine(rows, SIDES[side], Gaussian(2.0))
    right = many_of_numpy("gaussian", side)[0]
    assert engine.accuracy.rtol >= 1e-5
    assert_close(engine.total(FRAME), right["total"], 1e-5)
    assert_close(engine.contract(FRAME)[1], right["contract"], 1e-4)
    assert_close(engine.total_and_gradient(FRAME)[1], right["gradient"], 1e-4)


@pytest.mark.parametrize("library", LIBRARIES)
def test_rows_seen_from_elsewhere_and_turned(library):
    """A shift, fewer columns, and other coordinates, whether chunks or sums are turned."""
    B = np.diag([1.0, 2.0, 0.5]) + 0.1
    mask = np.array([True, False, True, True, False])
    gamma, frame, Z = SIDES["classes"], orthonormal(3, 2, seed=5), orthonormal(3, 2, seed=6)

    def engines(rows):
        kept = rows.keep_columns(mask)
        turned = kept.turned(B)
        for some in (kept.centered(np.arange(3.0)), turned, turned.centered(np.arange(3.0))):
            yield NystromEngine(some, gamma, Gaussian(2.0))
        yield NystromEngine(kept.turned(B * [1.0, 1.0, 1e-6]), gamma, Gaussian(2.0))

    for pair in zip(engines(in_chunks(library)), engines(as_rows(MANY)), strict=True):
        ours, right = (answers(engine, frame, FEW, Z) for engine in pair)
        assert_same(ours, right, 1e-7, 1e-4)  # rounding may choose one landmark more


@pytest.mark.parametrize("library", LIBRARIES)
def test_more_exact_and_held(library):
    """Refined, sharpened and held engines choose the same rows as landmarks."""
    wide = NystromEngine(MANY, SIDES["cells"], Gaussian(2.0), rtol=1e-4)
    theirs = NystromEngine(in_chunks(library), SIDES["cells"], Gaussian(2.0), rtol=1e-4)
    for change in (
        lambda engine: engine.refined(FRAME, 0.1),
        lambda engine: engine.sharpened(0.1),
        lambda engine: engine.held_at(FRAME),
    ):
        right, ours = change(wide), change(theirs)
        assert_close(ours.contract(OTHER)[1], right.contract(OTHER)[1], 1e-9)
        wanted, found = (engine.error(OTHER, 1.0) for engine in (right, ours))
        assert found.relative == pytest.approx(wanted.relative, rel=1e-6)
        assert found.n_features == wanted.n_features


def test_a_tensor_that_asks_for_gradients():
    """Sums write into memory, which torch does not allow on the way of a gradient."""
    X = make("torch", MANY).requires_grad_()
    ours = NystromEngine(DeviceRows(X), SIDES["classes"], Gaussian(20.0)).contract(FRAME)[1]
    assert_close(ours, many_of_numpy("wide gaussian", "classes")[0]["contract"], 1e-10)


# What crosses, and what is kept -------------------------------------------------------------------


@pytest.mark.parametrize("side", ["classes", "cells", "weights"])
def test_only_small_sums_come_to_the_host(crossed, side):
    """Sums of d x d, and samples of a fixed number of rows: nothing that grows with the rows."""
    table = np.tile(MANY, (4, 1))
    rows, gamma = in_chunks("strict", table=table), SIDES[side].take(np.tile(np.arange(N), 4))
    crossed.clear()
    engine = NystromEngine(rows, gamma, Gaussian(2.0))
    engine.contract(FRAME)
    engine.total_and_gradient(FRAME)
    engine.error(FRAME, 1.0)
    candidates = 2000 * FRAME.shape[1]
    assert crossed
    assert max(crossed) <= max(table.shape[1] ** 2, candidates) < table.shape[0]
    assert sum(crossed) <= 4 * candidates
    assert sum(crossed) < len(table)


def test_pieces_are_made_once(monkeypatch):
    """To put rows in order takes longer than a pass."""
    made, original = [], pieces.in_pieces

    def counted(cells, n):
        made.append(n)
        return original(cells, n)

    monkeypatch.setattr(pieces, "in_pieces", counted)
    engine = NystromEngine(in_chunks("strict"), SIDES["classes"], Gaussian(2.0))
    engine.contract(FRAME)
    assert sum(made) == N
    assert len(made) >= 3
    engine.contract(OTHER)
    engine.hessian_blocks(FRAME)
    assert sum(made) == N


def test_a_device_without_memory_gets_fewer_rows(monkeypatch):
    from hsiclearn._engines.linear.tiles import RowTile

    original, seen = RowTile.values, []

    def limited(tile, t, features):
        seen.append(tile.w.shape[0])
        if tile.w.shape[0] > 4000:
            raise MemoryError("out of memory")
        return original(tile, t, features)

    monkeypatch.setattr(RowTile, "values", limited)
    rows = DeviceRows(make("strict", MANY))
    ours = NystromEngine(rows, SIDES["classes"], Gaussian(2.0)).contract(FRAME)[1]
    assert max(seen) > 4000 > min(seen)
    assert_close(ours, many_of_numpy("gaussian", "classes")[0]["contract"], 1e-10)


# Bad input ----------------------------------------------------------------------------------------


def test_scales_of_many_rows_are_refused():
    """They are found among all rows, which would have to leave the device."""
    rows = as_rows(make("strict", MANY))
    with pytest.raises(ValueError, match=r"at most 5000 rows on a device.*6000.*'gaussian'"):
        NystromEngine(rows, SIDES["classes"], RelativeGaussian())


def test_features_are_for_polynomials():
    with pytest.raises(ValueError, match=r"polynomials in beta.*Gaussian.*'nystrom'"):
        FeatureEngine(as_rows(make("strict", X)), GAMMAS["low-rank"][0], Gaussian())
