"""Rows from an array, a file, a sparse matrix or a stream: the same rows."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from hsiclearn._rows import (
    ArrayRows,
    DenseChunks,
    SparseRows,
    StreamRows,
    as_rows,
    is_row_source,
    summarise,
)

X = np.random.default_rng(0).standard_normal((1000, 5)) * (
    np.random.default_rng(1).random((1000, 5)) < 0.5
)
X.setflags(write=False)
ORIGIN = np.array([1.0, -2.0, 0.0, 0.5, 3.0])
V = np.random.default_rng(2).standard_normal((1000, 3))
W = np.random.default_rng(3).standard_normal((5, 2))


class Blocks:
    """An object that can be iterated again and again."""

    def __init__(self, sizes):
        self.cuts = np.cumsum([0, *sizes])

    def __iter__(self):
        for start, stop in zip(self.cuts[:-1], self.cuts[1:], strict=True):
            yield X[start:stop]


@pytest.fixture(params=["array", "memmap", "fortran", "sparse", "stream", "blocks"])
def rows(request, tmp_path):
    if request.param == "memmap":
        file = np.memmap(tmp_path / "x", np.float64, "w+", shape=X.shape)
        file[:] = X
        return as_rows(file)
    return {
        "array": lambda: as_rows(X),
        "fortran": lambda: as_rows(np.asfortranarray(X)),
        "sparse": lambda: as_rows(sparse.coo_array(X)),
        "stream": lambda: as_rows(lambda: iter([X[:1], X[1:700], X[700:]])),
        "blocks": lambda: as_rows(Blocks([333, 0, 667])),
    }[request.param]()


@pytest.mark.parametrize("origin", [None, ORIGIN])
def test_products(rows, origin):
    seen = X if origin is None else X - origin
    rows = rows if origin is None else rows.centered(origin)
    assert rows.shape == X.shape
    np.testing.assert_allclose(rows @ W, seen @ W, atol=1e-12)
    np.testing.assert_allclose(rows.transpose_times(V), seen.T @ V, atol=1e-10)
    np.testing.assert_allclose(rows.gram(), seen.T @ seen, atol=1e-9)
    np.testing.assert_allclose(rows.gram(V[:, 0]), seen.T @ (V[:, :1] * seen), atol=1e-9)
    np.testing.assert_allclose(rows.mean(), seen.mean(axis=0), atol=1e-12)


@pytest.mark.parametrize("origin", [None, ORIGIN])
def test_chosen_rows(rows, origin):
    seen = X if origin is None else X - origin
    rows = rows if origin is None else rows.centered(origin)
    index = np.array([0, 3, 699, 700, 999])
    np.testing.assert_allclose(rows.take(index), seen[index], atol=1e-15)
    few = rows.subset(index)
    np.testing.assert_allclose(few @ W, seen[index] @ W, atol=1e-12)


def test_chunks_cover_the_rows_in_order(rows):
    places, blocks = zip(*rows.chunks(64), strict=True)
    assert [p.start for p in places] == [0, *(p.stop for p in places[:-1])]
    assert places[-1].stop == 1000
    dense = [b.toarray() if sparse.issparse(b) else b for b in blocks]
    assert max(len(b) for b in dense) <= 64
    assert np.array_equal(np.concatenate(dense), X)


def test_some_columns(rows):
    mask = np.array([True, False, True, True, False])
    some = rows.keep_columns(mask)
    assert some.shape == (1000, 3)
    np.testing.assert_allclose(some @ W[mask], X[:, mask] @ W[mask], atol=1e-12)


def test_summary(rows):
    summary = summarise(rows)
    np.testing.assert_allclose(summary.mean, X.mean(axis=0), atol=1e-12)
    assert np.array_equal(summary.lowest, X.min(axis=0))
    assert np.array_equal(summary.highest, X.max(axis=0))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("make", [as_rows, lambda A: as_rows(sparse.csr_array(A))])
def test_what_is_not_finite_is_named(bad, make):
    broken = X.copy()
    broken[7, 3] = bad
    with pytest.raises(ValueError, match=r"must be finite. 1 columns hold.*column 3"):
        summarise(make(broken))


def test_what_is_too_large():
    with pytest.raises(ValueError, match=r"squares of X must be finite.*1e\+80"):
        summarise(as_rows(np.array([[1e80], [0.0]])))


def test_tables_are_no_row_sources():
    for table in (X, X.tolist(), sparse.csr_array(X), pd.DataFrame(X)):
        assert not is_row_source(table)
    assert is_row_source(lambda: iter([X]))
    assert is_row_source(Blocks([1000]))
    assert isinstance(as_rows(X), ArrayRows)
    assert isinstance(as_rows(sparse.csr_matrix(X)), SparseRows)
    assert isinstance(as_rows(Blocks([1000])), StreamRows)


def test_an_iterator_can_be_read_only_once():
    with pytest.raises(ValueError, match=r"X is an iterator.*callable"):
        as_rows(iter([X]))


@pytest.mark.parametrize("later", [X[:900], X[::-1], np.roll(X, 1, axis=0), X + 1e-12])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_stream_that_changes_is_noticed(later, kind):
    passes = iter([X, later])
    rows = as_rows(lambda: iter([kind(next(passes))]))
    with pytest.raises(ValueError, match=f"1000 rows first and {len(later)} now"):
        rows @ W


def test_a_stream_may_be_cut_otherwise_on_another_pass():
    cuts = iter([(500, 500), (1, 998, 1), (1000,)])
    rows = as_rows(lambda: iter(Blocks(next(cuts))))
    np.testing.assert_allclose(rows @ W, X @ W, atol=1e-12)
    np.testing.assert_allclose(rows.gram(), X.T @ X, atol=1e-9)


def test_one_block_in_double_precision_makes_all_so():
    assert as_rows(lambda: iter([X[:10].astype(np.float32), X[10:]])).dtype == np.float64
    assert as_rows(lambda: iter([X[:10].astype(np.float32)])).dtype == np.float32


def test_a_function_that_returns_a_table():
    with pytest.raises(ValueError, match="must yield blocks of rows"):
        as_rows(lambda: X)


def test_dense_chunks_of_sparse_rows():
    rows = DenseChunks(as_rows(sparse.csr_array(X))).centered(ORIGIN)
    np.testing.assert_allclose(rows @ W, (X - ORIGIN) @ W, atol=1e-12)
    np.testing.assert_allclose(rows.gram(), (X - ORIGIN).T @ (X - ORIGIN), atol=1e-9)
    index = np.array([1, 5, 900])
    np.testing.assert_allclose(rows.take(index), X[index] - ORIGIN, atol=1e-15)
    np.testing.assert_allclose(rows.subset(index) @ W, (X[index] - ORIGIN) @ W, atol=1e-12)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([], "yielded no block"),
        ([X, X[:, :2]], "same columns.*of 5 columns first and a dense block of 2 later"),
        ([X, sparse.csr_array(X)], "a dense block of 5 columns first and a sparse block of 5"),
        ([X[0]], r"real matrix.*shape \(5,\)"),
        ([X.astype(str)], "real matrix.*dtype"),
    ],
)
def test_bad_blocks(blocks, message):
    with pytest.raises(ValueError, match=message):
        as_rows(lambda: iter(blocks))
