"""``Gamma = E core E'`` row by row: every factor against the columns it can be written out as."""

import pickle

import array_api_strict
import numpy as np
import pytest
from scipy import sparse

from foreign_arrays import make
from hsiclearn.gamma import (
    ClassTable,
    GaussianColumn,
    GaussianColumns,
    LowRank,
    Weighted,
    cells,
    row_factor,
)
from hsiclearn.gamma.repeated_factor import RepeatedFactor
from hsiclearn.gamma.row_factor import runs_of
from naive import assert_close

N = 90
RNG = np.random.default_rng(7)
Y = RNG.standard_normal((N, 2))
V = np.round(RNG.uniform(0.0, 3.0, N), 1)
CODES = RNG.permutation(np.repeat([0, 1, 3, 4], [30, 25, 20, 15]))  # nobody is of class 2
TABLE = (A := RNG.standard_normal((5, 5))) + A.T
BASES = {
    "classes": ClassTable(CODES, TABLE),
    "cells": GaussianColumn(Y[:, 0], 0.9, n_nodes=3),
    "components": GaussianColumns(Y, 1.1, rtol=1e-4),
    "low rank": LowRank(Y @ RNG.standard_normal((2, 3)), [2.0, -1.0, 0.5]),
}
WEIGHTED = {f"weighted {name}": Weighted(base, V) for name, base in BASES.items()}
OTHERS = {
    "weighted by weights": Weighted(GaussianColumns(Y, 1.1, rtol=1e-4, weights=V + 0.1), V + 0.1),
    "cells by weights": Weighted(GaussianColumn(Y[:, 0], 0.9, n_nodes=3, weights=V + 0.1), V + 0.1),
}
ALL = BASES | WEIGHTED | OTHERS
CHUNK = slice(20, 80)
HOST = array_api_strict.Device("CPU_DEVICE")


@pytest.fixture(params=ALL)
def gamma(request, monkeypatch):
    monkeypatch.setattr(cells, "_NODE", 1.0)  # cells of several nodes, of so few rows
    return ALL[request.param]


def test_cells_have_nodes_here(monkeypatch):
    monkeypatch.setattr(cells, "_NODE", 1.0)
    widths = np.diff(GaussianColumn(Y[:, 0], 0.9, n_nodes=3)._grid.first)
    assert {1, 3} <= set(widths)


def test_written_out_it_is_gamma(gamma):
    """``U diag(s) U'``, ``U = E roots``; E itself is what it does to one row at a time."""
    factor = gamma.row_factor()
    U, s = factor.as_columns()
    assert U.shape == (N, s.size)
    assert factor.roots.shape[0] == factor.n_slots
    assert_close((U * s) @ U.T, gamma.apply(np.eye(N)), 1e-11)
    np.testing.assert_array_equal(s, factor.signs)


def directions(D, k, factor):
    C, B = RNG.standard_normal((N, D)), RNG.standard_normal((N, k))
    return C, B, RNG.standard_normal((factor.signs.size, D, k))


@pytest.mark.parametrize(("D", "k"), [(4, 2), (2, 5), (3, 3)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sums_over_rows_and_back(gamma, D, k, dtype):
    """Gathered by slots and spread again, in two tiles of a chunk, also from sparse columns."""
    factor = gamma.row_factor()
    (U, _), (C, B, by_root) = factor.as_columns(), directions(D, k, factor)
    C, rtol = C.astype(dtype), 1e-12 if dtype is np.float64 else 1e-5
    part = factor.part(CHUNK)
    place = np.arange(N)[CHUNK]
    place = place if part.order is None else place[part.order]
    sums = np.zeros((part.slots.size, D, k))
    thin = np.zeros_like(sums)
    T, spread = np.einsum("sr,rdk->sdk", factor.roots, by_root), np.empty((place.size, k))
    for tile in (slice(0, 25), slice(25, place.size)):
        rows = place[tile]
        part.gather(sums, tile, C[rows], B[rows])
        part.gather(thin, tile, C[rows], sparse.csr_array(B[rows]))
        spread[tile] = part.scatter(tile, C[rows], T)
    found = np.einsum("sr,sdk->rdk", factor.roots[part.slots], sums)
    assert_close(found, np.einsum("ir,id,ik->rdk", U[CHUNK], C[CHUNK], B[CHUNK]), rtol)
    assert_close(thin, sums, rtol)
    assert_close(spread, np.einsum("ir,id,rdk->ik", U[place], C[place], by_root), 10 * rtol)
    if gamma.row_weights is not None:
        assert isinstance(factor, RepeatedFactor)


def sizes_of(gamma):
    """``(sum_k |s_k| U_ik^2)^1/2``; of a definite kernel ``Gamma_ii^1/2``."""
    base, v = gamma.unweighted, 1.0 if gamma.row_weights is None else gamma.row_weights
    U, s = base.row_factor().as_columns()
    if isinstance(base, GaussianColumn):
        return v * np.sqrt(np.diag(base.to_dense()))
    return v * np.sqrt(U**2 @ np.abs(s))


def test_sizes_bound_the_entries(gamma):
    part = gamma.row_factor().part(CHUNK)
    place = np.arange(N)[CHUNK]
    place = place if part.order is None else place[part.order]
    atol = 3e-2 if isinstance(gamma.unweighted, GaussianColumn) else 1e-12  # k is interpolated
    tile = slice(5, 40)
    np.testing.assert_allclose(part.sizes(tile), sizes_of(gamma)[place][tile], atol=atol)


def numbers(array):
    return np.asarray(array.to_device(HOST))


@pytest.mark.parametrize("small", [2**22, 0])
def test_the_same_on_a_device(gamma, small, monkeypatch):
    """By products with 0 and 1, or by differences of running sums; two tiles of pieces."""
    monkeypatch.setattr("hsiclearn.gamma.pieces._SMALL", small)
    factor, here = gamma.row_factor(), gamma.row_factor().part(CHUNK)
    (U, _), (C, B, by_root) = factor.as_columns(), directions(3, 2, factor)
    block = make("strict", C[CHUNK])
    part = factor.part_beside(CHUNK, block)
    assert part.rows == CHUNK
    T, n = np.einsum("sr,rdk->sdk", factor.roots, by_root), C[CHUNK].shape[0]
    sums, spread, sizes = make("strict", np.zeros(T.shape)), np.empty((n, 2)), np.empty(n)
    for tile in part.tiles(24):
        index, is_row = numbers(part.index[tile]), part.is_row(tile)
        c, b = (make("strict", values[CHUNK][index]) for values in (C, B))
        part.gather(sums, tile, c, b)
        spread[index[is_row]] = numbers(part.scatter(tile, c, make("strict", T)))[is_row]
        sizes[index[is_row]] = numbers(part.sizes(tile))[is_row]
    found = np.einsum("sr,sdk->rdk", factor.roots, numbers(sums))
    assert_close(found, np.einsum("ir,id,ik->rdk", U[CHUNK], C[CHUNK], B[CHUNK]), 1e-12)
    assert_close(spread, np.einsum("ir,id,rdk->ik", U[CHUNK], C[CHUNK], by_root), 1e-12)
    order = np.arange(n) if here.order is None else here.order
    np.testing.assert_allclose(sizes[order], here.sizes(slice(None)), atol=1e-12)


def test_parts_on_a_device_are_kept_until_chunks_are_cut_anew():
    factor = BASES["classes"].row_factor()
    first, second = (make("strict", Y[rows]) for rows in (slice(0, 40), slice(40, 90)))
    parts = [factor.part_beside(slice(0, 40), first), factor.part_beside(slice(40, 90), second)]
    assert factor.part_beside(slice(0, 40), first) is parts[0]
    assert factor.part_beside(slice(40, 90), second) is parts[1]
    longer = make("strict", Y[:60])
    again = factor.part_beside(slice(0, 60), longer)
    assert again.rows == slice(0, 60)
    assert list(factor._parts) == [0]  # the other one is of rows that this one has, too
    host = longer.to_device(HOST)
    assert factor.part_beside(slice(0, 60), host) is not again  # it is not where these are


@pytest.mark.parametrize("name", ["classes", "low rank", "weighted classes", "weighted low rank"])
def test_what_travels_has_no_parts(name):
    factor = ALL[name].row_factor()
    factor.part_beside(slice(0, N), make("strict", Y))
    there = pickle.loads(pickle.dumps(factor))
    for ours, theirs in zip(factor.as_columns(), there.as_columns(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert factor._parts
    assert not there._parts


def test_what_travels_has_its_core_made():
    """And nothing of what it is made of: that may be all rows."""
    state = BASES["cells"].row_factor().__getstate__()
    assert state["_make_core"] is None
    np.testing.assert_array_equal(state["_core"][1], BASES["cells"].row_factor().signs)


@pytest.mark.parametrize("name", ["classes", "weighted classes"])
def test_sums_by_class_ask_rows_in_the_order_of_classes(name):
    index = np.array([50, 3, 17, 3, 80])
    order = ALL[name].row_factor().order(index)
    np.testing.assert_array_equal(order, np.argsort(CODES[index], kind="stable"))
    np.testing.assert_array_equal(
        BASES["cells"].row_factor().order(index),
        np.argsort(BASES["cells"]._grid.cells[index], kind="stable"),
    )
    assert BASES["low rank"].row_factor().order(index) is None


def test_what_a_product_with_one_costs():
    """Entries of a row of E: one of classes, all slots of columns, the nodes of a cell."""
    for name, entries in (("classes", 1.0), ("low rank", 3.0)):
        assert ALL[name].row_factor().n_entries == entries
        assert ALL[f"weighted {name}"].row_factor().n_entries == entries
    components = ALL["components"].row_factor()
    assert components.n_entries == components.n_slots == ALL["components"].rank + 2
    one, cell = BASES["classes"].row_factor(), BASES["cells"].row_factor()
    assert (one.chunk_bytes, cell.chunk_bytes) == (1_600_000, 6_000_000)
    assert RepeatedFactor(cell, V).chunk_bytes == cell.chunk_bytes
    assert RepeatedFactor(cell, V).n_entries == cell.n_entries


def test_nothing_of_a_table_that_is_rounding():
    table = np.outer([1.0, 1.0, 0.0], [1.0, 1.0, 0.0])
    factor = ClassTable(np.array([0, 1, 2]), table).row_factor()
    np.testing.assert_allclose(factor.signs, [2.0])
    assert factor.roots.shape == (3, 1)
    assert factor.n_slots == 3
    tiny = ClassTable(np.array([0, 1, 2]), 1e-30 * table).row_factor()
    np.testing.assert_allclose(tiny.signs, [2e-30])


def test_runs_of_sorted_rows():
    assert runs_of(np.array([0, 0, 2, 5, 5])) == [
        (0, slice(0, 2)),
        (2, slice(2, 3)),
        (5, slice(3, 5)),
    ]
    assert runs_of(np.array([4])) == [(4, slice(0, 1))]


@pytest.mark.parametrize(("width", "size"), [(0, 65_536), (1, 65_536), (100, 655), (10**6, 64)])
def test_rows_at_a_time_fit_a_cache(width, size):
    """65,536 numbers, but 64 rows at least."""
    n = 2 * size + 1
    found = list(row_factor._few(n, width))
    assert found == [slice(0, size), slice(size, 2 * size), slice(2 * size, 3 * size)]
