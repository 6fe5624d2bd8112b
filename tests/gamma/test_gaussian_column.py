"""A real column in cells: against all pairs, at the accuracy its nodes promise."""

from functools import cache, reduce

import numpy as np
import pytest

from hsiclearn._engines.linear.engine import NystromEngine
from hsiclearn.gamma import Dense, GaussianColumn, LowRank, cells
from hsiclearn.kernels import Gaussian
from naive import assert_close
from registry import orthonormal

N = 500
TARGETS = {
    "normal": np.random.default_rng(0).standard_normal(N),
    "heavy tails": np.random.default_rng(1).standard_t(1.5, N),
    "counts": np.random.default_rng(2).poisson(40, N).astype(float),
    "two lumps": np.concatenate(
        [np.zeros(N // 2), np.random.default_rng(3).normal(1e3, 1, N // 2)]
    ),
}
BANDWIDTH = 1.3


def centred(y):
    K = np.exp(-(np.subtract.outer(y, y) ** 2) / (2 * BANDWIDTH**2))
    H = np.eye(y.size) - 1.0 / y.size
    return H @ K @ H


@pytest.fixture(params=["narrow", "wide"])
def width(request, monkeypatch):
    """Cells as where rows are many, and as where they are few."""
    monkeypatch.setattr(cells, "_NODE", 0.0 if request.param == "narrow" else 1000.0)
    monkeypatch.setattr(cells, "_NODE_SHARE", 0.0)
    return request.param


@pytest.fixture(params=TARGETS)
def name(request):
    return request.param


@pytest.fixture
def y(name, width):
    return TARGETS[name]


@pytest.mark.parametrize(("n_nodes", "error"), [(4, 1e-5), (5, 3e-7), (6, 1e-8), (8, 1e-11)])
def test_the_error_falls_with_the_nodes(y, n_nodes, error):
    gamma = GaussianColumn(y, BANDWIDTH, n_nodes=n_nodes)
    assert_close(gamma.apply(np.eye(N)), centred(y), error, scale=1.0)
    assert_close(gamma.to_dense(), centred(y), error, scale=1.0)


def test_row_sums_vanish_however_few_the_nodes(y):
    gamma = GaussianColumn(y, BANDWIDTH, n_nodes=3)
    assert np.abs(gamma.apply(np.ones((N, 1)))).max() <= 1e-12 * N


def test_values_that_repeat_are_exact():
    """A cell of no more values than nodes has one for each."""
    y = np.random.default_rng(0).integers(0, 4, N).astype(float)
    gamma = GaussianColumn(y, BANDWIDTH, n_nodes=2)
    assert_close(gamma.apply(np.eye(N)), centred(y), 1e-13)
    assert "n_slots=4" in repr(gamma)


def test_rows_far_off_have_one_node_each(width):
    y = np.concatenate([np.linspace(0, 1.29, 50), 10.0 ** np.arange(2, 12)])
    nodes = {"narrow": 5 * 5, "wide": 9}[width]
    assert GaussianColumn(y, BANDWIDTH).n_slots == nodes + 10


def test_many_rows_of_few_values_have_a_node_for_each_value():
    """15 to a bandwidth: a wide cell would have fewer nodes, and nine shares for each row."""
    y = np.random.default_rng(0).integers(0, 30, 30_000) / 15
    gamma = GaussianColumn(y, 1.0)
    assert gamma.n_slots == 30
    assert gamma.row_factor().n_entries == 1


def test_bounds_of_entries(y):
    gamma = GaussianColumn(y, BANDWIDTH)
    sizes = np.sqrt(np.diag(centred(y)))
    part = gamma.row_factor().part(slice(0, y.size))
    np.testing.assert_allclose(part.sizes(slice(None)), sizes[part.order], atol=1e-6)


def test_eigenpairs_are_those_of_the_matrix(y):
    U, s = GaussianColumn(y, BANDWIDTH, n_nodes=8).factors(5)
    np.testing.assert_allclose(U.T @ U, np.eye(5), atol=1e-9)
    np.testing.assert_allclose(s, np.linalg.eigvalsh(centred(y))[:-6:-1], rtol=1e-9)
    assert_close(centred(y) @ U, U * s, 1e-9)


@pytest.mark.parametrize("rows", [slice(0, 40), slice(100, 500, 7)])
def test_parts_of_rows(y, rows):
    index = np.arange(N)[rows]
    gamma = GaussianColumn(y, BANDWIDTH, n_nodes=8)
    assert_close(gamma.take(index).to_dense(), centred(y)[np.ix_(index, index)], 1e-10, scale=1.0)
    assert not gamma.take(index).is_centered
    assert_close(gamma.centered_on(index).to_dense(), centred(y[index]), 1e-10, scale=1.0)
    assert gamma.centered_on(index).is_centered


def sums(gamma, dtype):
    """The sum, Phi, a Hessian product and blocks, on some rows and directions."""
    X = np.random.default_rng(4).standard_normal((N, 6)).astype(dtype)
    W, Z = orthonormal(6, 2, seed=5), orthonormal(6, 2, seed=6)
    engine = NystromEngine(X, gamma, Gaussian(1.7), rtol=1e-12)
    return (
        engine.total(W),
        engine.contract(W)[1],
        engine.multiply(W, W, Z),
        engine.hessian_blocks(W),
    )


@cache
def exact_sums(name, dtype):
    """The same of all pairs, which do not depend on cells: once for both widths."""
    return sums(LowRank(*Dense(centred(TARGETS[name])).factors(N)), dtype)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sums_in_linear_time_are_those_of_all_pairs(name, y, dtype):
    """Sums, Phi, Hessian products and blocks, for rows in many chunks of cells."""
    total, phi, product, blocks = sums(GaussianColumn(y, BANDWIDTH, n_nodes=7), dtype)
    exact = exact_sums(name, dtype)
    # Second derivatives are asked for a hundred times less than the rest; see Accuracy.
    rtol, second = (1e-8, 1e-8) if dtype == np.float64 else (1e-4, 1e-2)
    assert total == pytest.approx(exact[0], rel=rtol)
    assert_close(phi, exact[1], rtol)
    assert_close(product, exact[2], second)
    assert_close(blocks, exact[3], second)


def test_the_error_of_an_engine_includes_that_of_few_nodes(y):
    """Told within a factor of three; a refinement takes finer nodes unless all are exact."""
    X, W = np.random.default_rng(4).standard_normal((N, 6)), orthonormal(6, 2, seed=5)
    coarse, exact = (
        NystromEngine(X, GaussianColumn(y, BANDWIDTH, n_nodes=m), Gaussian(1.7), rtol=1e-12)
        for m in (2, 10)
    )
    expected = exact.contract(W)[1]
    norm = np.linalg.norm(expected)
    apart = np.linalg.norm(coarse.contract(W)[1] - expected) / norm
    told = coarse.error(W, norm)
    assert apart / 3 <= told.relative <= 3 * apart + 1e-9
    assert not told.guaranteed
    assert coarse.refined(W, 0.1).gamma.n_nodes == (5 if apart > 1e-9 else 2)
    assert exact.error(W, norm).relative <= 1e-9


def test_counts_need_no_nodes_and_the_others_do():
    """So that both ends of the test above are reached."""
    columns = {name: GaussianColumn(y, BANDWIDTH, n_nodes=2) for name, y in TARGETS.items()}
    assert columns["counts"].n_slots == np.unique(TARGETS["counts"]).size
    assert columns["normal"].n_slots < 100


def test_few_rows_of_many_stand_in_wide_cells():
    """In the middle a narrow one for each fifth of a bandwidth, in the tails a wide one."""
    y = np.random.default_rng(0).standard_normal(20_000)
    grid = cells.cells_of(y, 0.5, n_nodes=4, light=0.0)
    nodes = np.diff(grid.first)[grid.cells]
    assert set(nodes[np.abs(y) < 1.5]) == {4}
    assert set(nodes) == {1, 4, 7}
    assert np.abs(y[nodes == 7]).min() > 1.5


@pytest.mark.parametrize("cuts", [[5], [100, 101, 1500], [1999]])
def test_the_tally_of_parts_is_that_of_the_whole(y, cuts):
    """Of a column that is elsewhere no value comes back but these few of each cell."""
    whole = cells._tally(y, 0.3)
    parts = [cells._tally(part, 0.3) for part in np.split(y, [c for c in cuts if c < y.size])]
    merged = reduce(lambda a, b: cells._both(a, b, 0.3), parts)
    np.testing.assert_allclose(merged.sums, whole.sums, rtol=1e-12, atol=1e-12)
    for ours, theirs in zip(merged[::2], whole[::2], strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(merged.values, whole.values)
