"""Rows of E on a device: in pieces, whatever the cells."""

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


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("shape", [(4, 2), (2, 5)])
@pytest.mark.parametrize("cells", ["few", "uneven", "some missing"])
@pytest.mark.parametrize("tile_rows", [16, 10_000])
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
