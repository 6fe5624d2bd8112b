"""A column cut into cells: which, with how many nodes, and where each row stands."""

import array_api_strict
import numpy as np
import pytest

from foreign_arrays import make
from hsiclearn.gamma import cells
from hsiclearn.gamma.light_cells import light_cells
from naive import assert_close

HOST = array_api_strict.Device("CPU_DEVICE")


def grid_of(y, bandwidth=1.0, n_nodes=3, light=0.0, weights=None):
    return cells.cells_of(np.asarray(y, dtype=float), bandwidth, n_nodes, light, weights)


@pytest.fixture
def costs(monkeypatch):
    """What a node costs, in products of a row and a share."""

    def put(node, share=0.0):
        monkeypatch.setattr(cells, "_NODE", node)
        monkeypatch.setattr(cells, "_NODE_SHARE", share)

    return put


def test_a_wide_cell_has_the_nodes_of_the_table():
    assert [cells.nodes_of_a_wide_cell(m) for m in (3, 4, 5, 6, 8)] == [6, 7, 9, 10, 13]


@pytest.mark.parametrize("m", [2, 3, 5])
def test_lagrange_polynomials(m):
    """One at their own node, none at the others; together they are any polynomial below m."""
    assert_close(cells.lagrange(cells.gauss(m), m), np.eye(m), 1e-14)
    t = np.linspace(-1.0, 1.0, 9)
    for power in range(m):
        assert_close(cells.lagrange(t, m) @ cells.gauss(m) ** power, t**power, 1e-14)


def test_a_narrow_cell_of_many_values(costs):
    """A fifth of a bandwidth, its nodes those of Gauss, each row where it stands in it."""
    costs(0.0)
    y = np.concatenate([np.linspace(0.01, 0.19, 7), np.linspace(0.41, 0.59, 8)])
    grid = grid_of(y)
    np.testing.assert_array_equal(grid.cells, np.repeat([0, 1], [7, 8]))
    np.testing.assert_array_equal(grid.first, [0, 3, 6])
    np.testing.assert_allclose(grid.nodes[:3], 0.1 + 0.1 * cells.gauss(3))
    np.testing.assert_allclose(grid.nodes[3:], 0.5 + 0.1 * cells.gauss(3))
    place = np.concatenate([y[:7] - 0.1, y[7:] - 0.5]) / 0.1
    np.testing.assert_allclose(grid.place, place, atol=1e-12)
    assert grid.n_entries == 3.0


def test_a_wide_cell(costs):
    """A bandwidth long, from a multiple of it on, where a node costs more than a row."""
    costs(1e6)
    y = np.linspace(2.05, 2.95, 40)
    grid = grid_of(y)
    np.testing.assert_array_equal(grid.first, [0, 6])
    np.testing.assert_allclose(grid.nodes, 2.5 + 0.5 * cells.gauss(6))
    np.testing.assert_allclose(grid.place, 2.0 * (y - 2.0) - 1.0)
    assert grid.n_entries == 6.0


def test_which_cells_become_one_is_a_matter_of_price(costs):
    """Five cells of 10 rows and 3 nodes, ``5 * 3 (10 + node)``, or one: ``6 (50 + node)``."""
    y = np.concatenate([k / 5 + np.linspace(0.01, 0.19, 10) for k in range(5)])
    node = 150 / 9
    for price, n_nodes in ((0.99 * node, [3] * 5), (1.01 * node, [6])):
        costs(price)
        np.testing.assert_array_equal(np.diff(grid_of(y).first), n_nodes)
        costs(0.0, price / y.size)  # as a share of the rows
        np.testing.assert_array_equal(np.diff(grid_of(y).first), n_nodes)


@pytest.mark.parametrize(("count", "widths"), [(3, [1, 1, 1, 3]), (4, [3, 3])])
def test_as_many_values_as_nodes_are_their_own_nodes(costs, count, widths):
    """Beside a cell of many, so that no wide one would do."""
    costs(0.0)
    values = np.linspace(0.02, 0.18, count)
    grid = grid_of([*np.tile(values, 5), *np.linspace(0.41, 0.59, 25)])
    np.testing.assert_array_equal(np.diff(grid.first), widths)
    if count == 3:
        np.testing.assert_array_equal(grid.nodes[:3], values)
        np.testing.assert_array_equal(grid.cells[:15], np.tile([0, 1, 2], 5))
        assert grid.n_entries == (15 * 1 + 25 * 3) / 40


@pytest.mark.parametrize(
    ("rows", "others", "widths"),
    [(740, 0, [6]), (760, 0, [3] * 5), (29_500, 8e6, [6]), (30_500, 8e6, [3] * 5)],
)
def test_a_node_costs_250_rows_or_an_800th_of_all(rows, others, widths):
    """A wide cell where there are fewer rows than three such prices."""
    y = np.concatenate([k / 5 + np.linspace(0.01, 0.19, 10) for k in range(5)])
    weights = np.full(50, rows / 50)
    if others:  # in a cell of one value, far off
        y, weights = np.append(y, 100.0), np.append(weights, others)
        widths = [*widths, 1]
    np.testing.assert_array_equal(np.diff(grid_of(y, weights=weights).first), widths)


def test_price_of_a_cell():
    """Its rows times their shares and its nodes; of no more values than nodes one share each."""
    found = cells._price(np.array([10.0, 10.0, 10.0]), np.array([2, 3, 4]), 3, 100.0)
    np.testing.assert_array_equal(found, [210.0, 310.0, 330.0])


def test_entries_of_a_row_are_a_mean_over_rows(costs):
    """Eight rows with three nodes, two with one."""
    costs(0.0)
    y = np.concatenate([np.linspace(0.01, 0.19, 8), [5.0, 5.0]])
    assert grid_of(y).n_entries == (8 * 3 + 2 * 1) / 10
    weighted = grid_of(y, weights=np.array([1.0] * 8 + [4, 2]))
    assert weighted.n_entries == pytest.approx((8 * 3 + 6) / 14)


LIGHT = np.concatenate([np.linspace(0.01, 0.19, 200), [2.22, 2.22, 2.26], [9.0, 9.1, 20.0]])


def test_light_cells_have_one_node_and_far_ones_share_one_at_infinity(costs):
    """Rows of a light cell stand at their mean, by weight; what is far is near nothing."""
    costs(0.0)
    for weights in (None, np.where(LIGHT == 2.26, 2.0, 1.0)):
        grid = grid_of(LIGHT, light=2e-2, weights=weights)
        mean = (2 * 2.22 + 2.26) / 3 if weights is None else (2 * 2.22 + 2 * 2.26) / 4
        assert np.isinf(grid.nodes[-1])
        nodes = grid.nodes[grid.first[grid.cells]]
        np.testing.assert_allclose(nodes[200:203], mean)
        assert np.isinf(nodes[203:]).all()
        assert np.diff(grid.first)[-1] == 1
        assert grid.cells[-1] == grid.first.size - 2
        np.testing.assert_array_equal(grid.shares(slice(200, 206)), [[1.0, 0.0, 0.0]] * 6)


def test_shares_of_rows_sum_to_one_and_come_from_seeds(costs):
    """On a device they are made of a place and a number of nodes."""
    costs(20.0)
    y = np.random.default_rng(3).standard_normal(300)
    grid = grid_of(y, 0.8, 4)
    assert set(np.diff(grid.first)) == {1, 4, 7}
    shares = grid.shares(slice(10, 250))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-13)
    own = np.diff(grid.first)[grid.cells[10:250]]
    for m in (1, 4, 7):
        expected = np.zeros((np.count_nonzero(own == m), 7))
        expected[:, :m] = 1.0 if m == 1 else cells.lagrange(grid.place[10:250][own == m], m)
        np.testing.assert_array_equal(shares[own == m], expected)
    grown = grid.grown(make("strict", grid.seeds(slice(10, 250))))
    assert_close(np.asarray(grown.to_device(HOST)), shares, 1e-13)
    # E itself: sums over its rows of powers of the nodes are those of the rows.
    near = np.array(
        [
            grid.nodes[i:j] @ s[: j - i]
            for s, i, j in zip(
                shares,
                grid.first[grid.cells[10:250]],
                grid.first[grid.cells[10:250] + 1],
                strict=True,
            )
        ]
    )
    np.testing.assert_allclose(near, y[10:250], atol=1e-12)


def test_cells_are_numbered_in_the_smallest_type(costs):
    costs(0.0)
    assert grid_of(np.arange(100.0)).cells.dtype == np.uint8
    assert grid_of(np.arange(300.0)).cells.dtype == np.uint16


def test_a_value_between_those_that_are_there_stands_in_the_cell_before():
    grid = cells._grid(cells._tally(np.array([0.1, 1.1, 2.1]), 0.2), 1.0, 3, 0.0)
    np.testing.assert_array_equal(
        grid.cells_at(np.array([0.1, 0.15, 1.1, 2.1, 7.0])), [0, 0, 1, 2, 2]
    )


@pytest.mark.parametrize("weights", [None, np.array([1.0, 2.0, 0.5, 0.0, 3.0, 1.0])])
def test_what_a_column_holds_cell_by_cell(weights):
    y = np.array([0.3, 0.1, 0.3, 0.9, -0.2, 0.1])
    tally = cells._tally(y, 0.5, weights)
    np.testing.assert_array_equal(tally.counts, [1, 2, 1])
    np.testing.assert_array_equal(tally.values, [-0.2, 0.1, 0.3, 0.9])
    v = np.ones(6) if weights is None else weights
    rows = [v[4], v[[0, 1, 2, 5]].sum(), max(v[3], 1e-9)]  # what weighs nothing needs a place
    np.testing.assert_allclose(tally.rows, rows)
    np.testing.assert_allclose(
        tally.sums, [v[4] * y[4], v[[0, 1, 2, 5]] @ y[[0, 1, 2, 5]], rows[2] * 0.9]
    )


def test_of_a_cell_no_more_values_are_told_apart_than_any_may_have_nodes():
    values = np.concatenate([np.linspace(0.0, 0.9, 70), [1.5], np.linspace(2.0, 2.9, 64)])
    counts, few = cells._few_of_each(values, np.array([70, 1, 64]))
    np.testing.assert_array_equal(counts, [64, 1, 64])
    np.testing.assert_array_equal(few, np.concatenate([values[:64], values[70:]]))
    assert cells.nodes_of_a_wide_cell(10) < cells._MOST


def test_cells_begin_at_multiples_of_their_width():
    values = np.array([-0.31, -0.1, 0.0, 0.29, 0.3, 0.95])
    np.testing.assert_array_equal(cells._starts_of_cells(values, 0.3), [0, 1, 2, 4, 5])


def test_weights_that_are_shares_cut_as_the_rows_they_are_worth(costs):
    """Of equal shares the same cells as of no weights."""
    costs(20.0)
    y = np.random.default_rng(1).standard_normal(400)
    plain, shares = grid_of(y, 0.7), grid_of(y, 0.7, weights=np.full(400, 1e-3))
    np.testing.assert_array_equal(plain.first, shares.first)
    np.testing.assert_allclose(plain.nodes, shares.nodes)
    assert plain.n_entries == pytest.approx(shares.n_entries)


def test_a_light_cell_is_no_part_of_a_wide_one(costs):
    costs(1e6)
    y = np.concatenate([np.linspace(0.01, 0.39, 2000), [0.85]])  # two cells, and a row apart
    whole, apart = grid_of(y), grid_of(y, light=1e-3)
    np.testing.assert_array_equal(np.diff(whole.first), [6])
    np.testing.assert_array_equal(np.diff(apart.first), [6, 1])
    assert apart.nodes[-1] == 0.85


def test_light_shares_by_hand():
    """Cells 0.2 wide at 0, 1 and 9: rows 4, 2 and 3 with reach 2.6; shares 20, 10 and 6 of 36."""
    middles, counts = np.array([0.1, 1.1, 9.1]), np.array([4, 2, 3])
    for light, expected in (
        (0.0, [False] * 3),
        (6 / 36 - 1e-9, [False] * 3),
        (6 / 36, [False, False, True]),
        (16 / 36, [False, True, True]),
        (1.0, [True] * 3),
    ):
        found = light_cells(middles, counts, 1.0, 0.2, light)
        np.testing.assert_array_equal(found.is_light, expected)
        assert not found.is_far.any()
    assert light_cells(middles, np.array([40, 2, 1]), 1.0, 0.2, 0.5).is_far.tolist() == [0, 0, 1]


@pytest.mark.parametrize(("apart", "is_seen"), [(2.599, True), (2.601, False)])
def test_reach_is_two_and_a_half_bandwidths_and_half_a_cell(apart, is_seen):
    """Rows 1 and 1 that do not see each other have no pairs at all: then both are far."""
    found = light_cells(np.array([0.1, 0.1 + apart]), np.array([1, 1]), 1.0, 0.2, 0.1)
    assert found.is_far.tolist() == [not is_seen] * 2


def test_a_hundredth_of_the_light_is_far():
    """Two cells of which the lighter has a share of about 1e-4 of the pairs."""
    middles, counts = np.array([0.0, 50.0]), np.array([1000, 11])
    share = 11 * 10 / (1000 * 999 + 11 * 10)
    for light, is_far in ((99 * share, False), (101 * share, True)):
        found = light_cells(middles, counts, 1.0, 0.2, light)
        assert found.is_light.tolist() == [False, True]
        assert found.is_far.tolist() == [False, is_far]
