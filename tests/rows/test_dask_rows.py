"""Rows and columns of Dask do what those in memory do, and what travels has none of them."""

import dask
import dask.array as da
import numpy as np
import pytest
from scipy import sparse

from hsiclearn._columns import (
    AbstractColumn,
    count_codes,
    first_rows,
    fold,
    mapped,
    rows_where,
    summed,
)
from hsiclearn._engines.features import farthest_rows
from hsiclearn._rows import (
    as_rows,
    column_deviations,
    projected_covariance,
    rows_stand_out,
    shrunk_covariance,
    spread_along,
    summarise,
)
from hsiclearn._rows._dask import is_dask
from hsiclearn._rows._dask.graph import Graph
from hsiclearn._rows._dask.shipping import packed, unpacked

N, D = 1000, 4
rng = np.random.default_rng(0)
X = rng.standard_normal((N, D)) * [1.0, 2.0, 0.5, 1.0] + [0.0, 3.0, 0.0, -1.0]
X[700] = 30.0
CODES = rng.integers(-1, 4, N)
CODES[CODES == 3] = 2
CODES[950] = 3
W = np.linalg.qr(rng.standard_normal((D, 2)))[0]
CHUNKS = (300, 0, 50, 650)


@pytest.fixture(params=["dense", "sparse"])
def pair(request):
    """The same rows on Dask and in memory."""
    there = da.from_array(X, chunks=(CHUNKS, (2, 2)))
    if request.param == "dense":
        return as_rows(there), as_rows(X)
    there = there.rechunk({1: -1}).map_blocks(sparse.csr_matrix)
    return as_rows(there), as_rows(sparse.csr_array(X))


@pytest.fixture
def column():
    rows = as_rows(da.from_array(X, chunks=(CHUNKS, -1)))
    return rows.beside(da.from_array(CODES, chunks=400), "codes")


WAYS = {
    "as they are": lambda rows: rows,
    "from their mean": lambda rows: rows.from_mean(),
    "some columns": lambda rows: rows.keep_columns(np.array([True, False, True, True])),
    "turned": lambda rows: rows.turned(np.diag([2.0, 1.0, 1.0, 3.0])).from_mean(),
    "turned back": lambda rows: rows.from_mean().turned(np.diag([2.0, 1.0, 1.0, 3.0])).unturned(),
}


@pytest.mark.parametrize("way", WAYS)
def test_sums_are_those_of_rows_in_memory(pair, way):
    ours, theirs = (WAYS[way](rows) for rows in pair)
    assert ours.shape == theirs.shape
    assert ours.elsewhere is not None
    few = np.array([3, 299, 300, 700, 999])
    np.testing.assert_allclose(ours.take(few), theirs.take(few), atol=1e-12)
    np.testing.assert_allclose(ours.gram(), theirs.gram(), rtol=1e-12)
    np.testing.assert_allclose(ours.mean(), theirs.mean(), atol=1e-12)
    V = np.eye(ours.n_features)[:, :2]
    farthest = farthest_rows(ours, V, 5), farthest_rows(theirs, V, 5)
    np.testing.assert_array_equal(np.sort(farthest[0].places), np.sort(farthest[1].places))


def test_summaries_are_those_of_rows_in_memory(pair):
    ours, theirs = pair
    for mine, other in zip(
        vars(summarise(ours)).values(), vars(summarise(theirs)).values(), strict=True
    ):
        np.testing.assert_allclose(mine, other, rtol=1e-13)
    mean = X.mean(axis=0)
    for function in (column_deviations, lambda rows, m: projected_covariance(rows, W, m)):
        np.testing.assert_allclose(function(ours, mean), function(theirs, mean), rtol=1e-12)
    np.testing.assert_allclose(shrunk_covariance(ours), shrunk_covariance(theirs), rtol=1e-10)
    assert rows_stand_out(ours, 0.2) == rows_stand_out(theirs, 0.2)
    spread = spread_along(ours, W, mean, 1.0), spread_along(theirs, W, mean, 1.0)
    np.testing.assert_allclose(spread[0].deviations, spread[1].deviations, rtol=1e-12)
    assert [c.tolist() for c in spread[0].carriers] == [c.tolist() for c in spread[1].carriers]


def test_a_column_is_an_array_that_is_elsewhere(column):
    assert (column.shape, column.ndim, column.size, len(column)) == ((N,), 1, N, N)
    index = np.array([999, 0, 300, 299, 0])
    np.testing.assert_array_equal(column[index], CODES[index])
    np.testing.assert_array_equal(column[np.zeros(0, dtype=int)], CODES[:0])
    np.testing.assert_array_equal(column[290:310], CODES[290:310])
    fetched = column[index]
    fetched[:] = 9  # one's own: what is kept of a sample stays as it is
    np.testing.assert_array_equal(column[index], CODES[index])
    np.testing.assert_array_equal(column[np.array([5, 0], dtype=np.int32)], CODES[[5, 0]])
    with pytest.raises(IndexError, match=r"0 .. 999. Got \[-1\]"):
        column[np.array([-1])]
    np.testing.assert_array_equal(
        mapped(column, lambda v: v[:, None] * [1, 2])[5:7], CODES[5:7, None] * [1, 2]
    )
    doubled = mapped(column, lambda a, b: a + b, column)
    np.testing.assert_array_equal(doubled[index], 2 * CODES[index])
    places = fold(column, lambda place, _: [place], lambda a, b: a + b, "places")
    assert places == [slice(0, 300), slice(300, 350), slice(350, 1000)]


def test_what_is_asked_of_columns(column):
    known = mapped(column, lambda v: np.maximum(v, 0))
    np.testing.assert_array_equal(count_codes(known), np.bincount(np.maximum(CODES, 0)))
    assert summed(column, np.sum) == CODES.sum()
    for mine, other in zip(first_rows(column), first_rows(CODES), strict=True):
        np.testing.assert_array_equal(mine, other)
    but, which = np.flatnonzero(CODES == 2)[:7], np.array([200, 100, 3, 150, 0])
    found = (rows_where(codes, lambda v: v == 2, which, but) for codes in (column, CODES))
    np.testing.assert_array_equal(*found)


def test_all_of_a_column_never_come_by_accident(column):
    with pytest.raises(TypeError, match="1000 rows of a column are elsewhere"):
        np.asarray(column)
    with pytest.raises(TypeError):
        list(column)


def test_beside_the_rows_nothing_is_asked_of_all(column):
    def task(*_):
        return fold(column, lambda _, v: v.sum(), lambda a, b: a + b, "sum")

    with pytest.raises(RuntimeError, match="nothing can be asked of all of them"):
        fold(column, task, lambda a, b: a + b, "sum")


def test_a_task_travels_without_rows(column):
    data, columns = packed(lambda: column[0:3])
    assert len(data) < 1000
    assert columns == {column.name: column}
    np.testing.assert_array_equal(unpacked(data, {column.name: CODES})(), CODES[:3])


def test_a_merge_does_not_write_over_what_may_be_asked_for_again(column):
    """Its first argument is its own; of a part that is kept it gets a copy."""
    answers = []

    def merge(a, b):
        a += b
        answers.append(a)
        return a

    total = column.fold(lambda _, v: np.array([v.sum()]), merge, "sum")
    again = column.fold(lambda _, v: np.array([v.sum()]), merge, "sum")
    assert total[0] == again[0] == CODES.sum()


def test_the_graph_of_a_question_is_as_large_as_its_chunks(column, monkeypatch):
    """However often one is asked."""
    sizes, compute = [], Graph.compute

    def counted(graph, keys):
        sizes.append(len(graph._tasks))
        return compute(graph, keys)

    monkeypatch.setattr(Graph, "compute", counted)
    for _ in range(5):
        summed(column, np.sum)
    assert len(set(sizes)) == 1
    assert sizes[0] <= 3 * len(CHUNKS)


def test_names_are_those_a_person_recognises(column):
    seen = []

    class Watch(dask.callbacks.Callback):
        def _pretask(self, key, *_):
            seen.append(str(key))

    with Watch():
        as_rows(da.from_array(X, chunks=(CHUNKS, -1))).gram()
    assert any("hsic-gram" in key for key in seen)
    assert any("hsic-gram-merge" in key for key in seen)


def test_what_is_a_collection_of_dask():
    assert is_dask(da.zeros((2, 2)))
    assert not is_dask(X)
    assert not is_dask(as_rows(X))
    assert isinstance(as_rows(da.zeros((2, 2)))._X, AbstractColumn)


def test_a_source_that_yields_other_rows_each_time():
    lengths = iter([3, 3, 2, 2])

    def block(_):
        return X[: next(lengths)]

    there = da.from_array(X[:6], chunks=((3, 3), -1)).map_blocks(block, dtype=float, meta=X[:0])
    with pytest.raises(ValueError, match=r"Got \(2, 4\) in chunk"):
        as_rows(there).mean(), as_rows(there).mean()
