"""Gammas of columns that are elsewhere, in parts: the same as of arrays, and no row too many."""

import numpy as np
import pytest

from hsiclearn._columns import AbstractColumn
from hsiclearn.gamma import ClassTable, GaussianColumn, GaussianColumns, LowRank, Weighted, cells
from naive import assert_close

N = 60
RNG = np.random.default_rng(31)
Y = RNG.standard_normal((N, 2))
V = RNG.uniform(0.5, 3.0, N)
CODES = np.concatenate([RNG.integers(0, 3, 50), np.full(10, 4)])  # some parts lack the last ones
FAR = np.concatenate([Y[:57, 0], [1e4, 2e4, -1e4]])
ROWS, COLS = slice(5, 25), slice(18, 60)


class Parts(AbstractColumn):
    """An array that may only be asked for by rows, and summed up part by part."""

    name, is_sparse, public = "parts", False, None

    def __init__(self, values, cuts=(7, 30)):
        self._values, self._cuts = values, [0, *cuts, len(values)]
        self.shape, self.dtype = values.shape, values.dtype

    def __getitem__(self, rows):
        return self._values[rows]

    def _places(self):
        return [slice(i, j) for i, j in zip(self._cuts[:-1], self._cuts[1:], strict=True)]

    def fold(self, task, merge, name):
        first, *rest = (task(place, self._values[place]) for place in self._places())
        for answer in rest:
            first = merge(first, answer)
        return first

    def map(self, make, *others, is_kept=True):
        made = [make(self[p], *(other[p] for other in others)) for p in self._places()]
        return Parts(np.concatenate(made), self._cuts[1:-1])

    def kept(self):
        return self


MADE = {
    "classes": lambda put: ClassTable.centered(put(CODES)),
    "weighted classes": lambda put: Weighted(
        ClassTable.centered(put(CODES), row_weights=put(V)), put(V)
    ),
    "low rank": lambda put: LowRank.centered(put(Y)),
    "weighted low rank": lambda put: Weighted(LowRank.centered(put(Y), put(V)), put(V)),
    "column": lambda put: GaussianColumn(put(Y[:, 0]), 0.8, n_nodes=4),
    "column with far rows": lambda put: GaussianColumn(put(FAR), 0.8, n_nodes=9, light=1e-9),
    "weighted column": lambda put: Weighted(
        GaussianColumn(put(FAR), 0.8, light=1e-2, weights=put(0.3 * V)), put(0.3 * V)
    ),
    "columns": lambda put: GaussianColumns(put(Y), 0.9, rtol=1e-4),
    "weighted columns": lambda put: Weighted(
        GaussianColumns(put(Y), 0.9, rtol=1e-4, weights=put(V)), put(V)
    ),
}


@pytest.fixture(params=MADE)
def both(request, monkeypatch):
    monkeypatch.setattr(cells, "_NODE", 5.0)
    return MADE[request.param](Parts), MADE[request.param](np.asarray)


def test_tiles_and_chosen_rows(both):
    there, here = both
    assert_close(there.tile(ROWS, COLS), here.tile(ROWS, COLS), 1e-10)
    assert "_row_means" not in there.unweighted.__dict__  # which are of all rows
    index = np.array([40, 3, 12, 59, 7])
    assert_close(there.take(index).to_dense(), here.take(index).to_dense(), 1e-10)
    assert_close(there.centered_on(index).to_dense(), here.centered_on(index).to_dense(), 1e-10)
    assert there.n_samples == here.n_samples == N
    assert there.scaled(2.0).tile(ROWS, COLS)[3, 4] == pytest.approx(
        2.0 * here.tile(ROWS, COLS)[3, 4]
    )


def test_sums_over_rows_of_a_chunk(both):
    C, B = RNG.standard_normal((20, 3)), RNG.standard_normal((20, 2))
    parts = [gamma.row_factor().part(ROWS) for gamma in both]
    sums = [np.zeros((part.slots.size, 3, 2)) for part in parts]
    for part, out in zip(parts, sums, strict=True):
        part.gather(out, slice(None), C, B)
    assert_close(*sums, 1e-10)
    sizes = [part.sizes(slice(None)) for part in parts]
    np.testing.assert_allclose(*sizes, rtol=1e-8, atol=1e-10)
    cores = [(g.row_factor().roots, g.row_factor().signs) for g in both]
    assert_close(*((roots * signs) @ roots.T for roots, signs in cores), 1e-8)


def test_declarations(both):
    there, here = both
    assert there.is_psd == here.is_psd
    if there.row_weights is None or isinstance(there.unweighted, ClassTable | LowRank):
        assert there.is_centered == here.is_centered
    base = there.unweighted
    if isinstance(base, GaussianColumn):  # by weights that are elsewhere: the very same ones
        assert base.is_centered_by(base.weights)
        assert not base.is_centered_by(Parts(V))


def test_a_factor_that_is_not_centred_says_so():
    assert LowRank.centered(Parts(Y)).is_centered
    assert not LowRank(Parts(Y)).is_centered
    assert LowRank.centered(Parts(Y), Parts(V)).is_centered_by(Parts(V))
    assert not LowRank.centered(Parts(Y)).is_centered_by(Parts(V))
    assert ClassTable.centered(Parts(CODES)).is_centered
    assert not ClassTable.centered(Parts(CODES)).is_centered_by(Parts(V))


def test_what_is_made_of_all_rows_goes_there_made():
    gamma = GaussianColumn(Parts(Y[:, 0]), 0.8)
    assert "_means" in gamma.__getstate__()
    assert "_means" not in GaussianColumn(Y[:, 0], 0.8).__getstate__()
