"""Rows of E on a device: in pieces, whatever the cells."""

import array_api_strict
import numpy as np
import pytest

from foreign_arrays import make
from hsiclearn.gamma.pieces import PiecesPart, in_pieces

RNG = np.random.default_rng(0)
UNEVEN = np.repeat(np.arange(40), RNG.integers(0, 300, 40))
CELLS = {
    "one": None,
    "few": RNG.integers(0, 3, 5000),
    "uneven": RNG.permutation(UNEVEN),
    "each its own": RNG.permutation(50),
    "some missing": np.array([7, 2, 7, 7]),
}


@pytest.mark.parametrize("name", CELLS)
def test_every_row_stands_in_a_piece_of_its_cell(name):
    cells = CELLS[name]
    n = 300 if cells is None else cells.size
    layout = in_pieces(cells, n)
    np.testing.assert_array_equal(np.sort(layout.index[layout.is_row]), np.arange(n))
    if cells is not None:
        of_rows = np.repeat(layout.cells, layout.length)
        np.testing.assert_array_equal(cells[layout.index[layout.is_row]], of_rows[layout.is_row])
        assert np.all(np.diff(layout.cells.astype(int)) >= 0)
    assert layout.index.size <= max(1.25 * n, layout.length * np.unique(cells).size + n)


def test_few_cells_have_long_pieces():
    assert in_pieces(RNG.integers(0, 10, 200_000), 200_000).length >= 1024


@pytest.mark.parametrize(
    ("counts", "length"),
    [
        ([10_000], 2048),
        ([1638], 256),  # 2048 places are more than 1.25 times as many
        ([1639], 2048),
        ([100, 156], 64),  # 5 pieces of 64 are 1.25 times 256
        ([100, 155], 32),
        ([1] * 50, 8),  # not shorter, however much has to be filled up
    ],
)
def test_pieces_are_as_long_as_leaves_a_quarter_to_be_filled_up(counts, length):
    cells = np.repeat(np.arange(len(counts)), counts)
    layout = in_pieces(None if len(counts) == 1 else cells, cells.size)
    assert layout.length == length
    assert layout.cells.size == sum(-(-c // length) for c in counts)


def test_a_layout_by_hand():
    layout = in_pieces(np.array([3, 1, 3, 3]), 4)
    np.testing.assert_array_equal(layout.index, [1] + [0] * 7 + [0, 2, 3] + [0] * 5)
    np.testing.assert_array_equal(layout.is_row, [1] + [0] * 7 + [1] * 3 + [0] * 5)
    np.testing.assert_array_equal(layout.cells, [1, 3])


def part_of(codes, known=None, make_shares=None, **given):
    first = np.concatenate([[0], np.cumsum([1, 3, 2])])
    block = make("strict", np.zeros((codes.size, 2)))
    return PiecesPart(slice(0, codes.size), block, codes, first, None, known, make_shares, **given)


def test_tiles_are_whole_pieces():
    part = part_of(RNG.integers(0, 3, 300))
    length, n = part.length, part.index.shape[0]
    assert part.width == 3
    for asked, pieces in ((1, 1), (2 * length, 2), (3 * length - 1, 2)):
        tiles = list(part.tiles(asked))
        assert tiles[0] == slice(0, pieces * length)
        assert tiles[-1].stop == n
        assert [a.stop for a in tiles[:-1]] == [b.start for b in tiles[1:]]


@pytest.mark.parametrize("is_kept", [True, False])
def test_shares_that_are_kept_are_made_once(is_kept):
    codes, made = RNG.integers(0, 3, 50), []

    def doubled(known):
        made.append(1)
        return 2.0 * known

    shares = RNG.standard_normal((50, 3))
    part = part_of(codes, shares, doubled, is_kept=is_kept)
    for _ in range(2):
        found = part._shares(slice(0, 8), part._is_row.dtype)
    assert len(made) == (1 if is_kept else 2)
    host = array_api_strict.Device("CPU_DEVICE")
    index, is_row = np.asarray(part.index.to_device(host))[:8], part.is_row(slice(0, 8))
    expected = 2.0 * shares[index] * is_row[:, None]
    np.testing.assert_array_equal(np.asarray(found.to_device(host)), expected)
    plain = part_of(codes, shares, is_kept=True)
    assert plain._make is None


@pytest.mark.parametrize("is_small", [True, False])
def test_sums_of_cells_are_one_product_where_that_is_small(is_small, monkeypatch):
    codes = RNG.integers(0, 3, 100)
    part = part_of(codes, np.ones((100, 3)))
    pieces = part.index.shape[0] // part.length
    monkeypatch.setattr("hsiclearn.gamma.pieces._SMALL", 6 * pieces * 3 - (not is_small))
    part._starts = None  # which only differences of running sums ask for
    sums = make("strict", RNG.standard_normal((pieces, 3, 2)))
    if is_small:
        assert part._sums_of_cells(sums, 0, pieces).shape == (6, 2)
    else:
        with pytest.raises((TypeError, AttributeError)):
            part._sums_of_cells(sums, 0, pieces)


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("shape", [(4, 2), (2, 5)])
@pytest.mark.parametrize("cells", ["few", "uneven", "some missing"])
@pytest.mark.parametrize("tile_rows", [100, 10_000])
def test_sums_are_those_of_the_matrix(width, shape, cells, tile_rows):
    """Gathered and scattered tile by tile, as E written out says."""
    codes, (D, k) = CELLS[cells], shape
    n, n_cells = codes.size, codes.max() + 1
    first = np.concatenate([[0], np.cumsum(1 + np.arange(n_cells) % width)])
    shares = RNG.standard_normal((n, width)) if width > 1 else np.ones((n, 1))
    shares *= np.arange(width) < np.diff(first)[codes][:, None]
    E = np.zeros((n, first[-1]))
    for j in range(width):
        inside = shares[:, j] != 0
        E[np.flatnonzero(inside), first[codes[inside]] + j] = shares[inside, j]
    C, V = RNG.standard_normal((n, D)), RNG.standard_normal((n, k))
    T, slots = RNG.standard_normal((first[-1], D, k)), np.arange(1.0, first[-1] + 1)
    block = make("strict", C)
    known = shares if width > 1 else None

    def sizes(part, tile, shares):
        return part.combined(tile, shares, slots) + 1.0

    part = PiecesPart(slice(0, n), block, codes, first, sizes, known)
    out, found, found_sizes = make("strict", np.zeros(T.shape)), np.zeros((n, k)), np.zeros(n)
    placed = {name: make("strict", value) for name, value in {"V": V, "T": T}.items()}
    xp = block.__array_namespace__()
    for tile in part.tiles(tile_rows):
        index = part.index[tile]
        c, v = (xp.take(values, index, axis=0) for values in (block, placed["V"]))
        part.gather(out, tile, c, v)
        values, of_tile = part.scatter(tile, c, placed["T"]), part.sizes(tile)
        is_row, host = part.is_row(tile), np.asarray(index.to_device(xp.Device("CPU_DEVICE")))
        values, of_tile = (
            np.asarray(a.to_device(xp.Device("CPU_DEVICE"))) for a in (values, of_tile)
        )
        assert not values[~is_row].any()
        assert not of_tile[~is_row].any()
        found[host[is_row]], found_sizes[host[is_row]] = values[is_row], of_tile[is_row]
    sums = np.asarray(out.to_device(xp.Device("CPU_DEVICE")))
    np.testing.assert_allclose(sums, np.einsum("is,id,ik->sdk", E, C, V), atol=1e-10)
    np.testing.assert_allclose(found, np.einsum("is,id,sdk->ik", E, C, T), atol=1e-12)
    np.testing.assert_allclose(found_sizes, E @ slots + 1.0, atol=1e-12)
