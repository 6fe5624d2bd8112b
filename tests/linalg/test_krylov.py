"""When a search in a Krylov space ends: how many products it takes, and of how many columns."""

import numpy as np
import pytest

from hsiclearn._linalg import DenseSymmetric, krylov, smallest_eigenpair
from hsiclearn._linalg.krylov import block_krylov, restarted_krylov
from registry import orthonormal, symmetric

N = 320
CROWDED = symmetric(N, seed=2) / np.sqrt(N)


class Counted:
    def __init__(self, A):
        self.A, self.widths = A, []

    def __call__(self, V):
        self.widths.append(V.shape[1])
        return self.A @ V


@pytest.mark.parametrize("least", [1, 2, 5])
def test_a_start_that_is_stationary_is_looked_beyond(least):
    """No residual proves that it is the lowest: so many products are made all the same."""
    product = Counted(np.diag(np.arange(float(N))))
    restarted_krylov(
        product, np.eye(N, 2), n_exact=2, atol=1e-9, min_products=least, max_products=20
    )
    assert product.widths == [2] * least


def test_a_search_that_is_cut_off_makes_so_many_products():
    product = Counted(CROWDED)
    restarted_krylov(product, orthonormal(N, 2, seed=0), n_exact=2, atol=0.0, max_products=9)
    assert product.widths == [2] * 9


@pytest.mark.parametrize(("columns", "blocks"), [(4, 16), (40, 8)])
def test_blocks_end_at_sixteen_or_where_they_fill_the_space(columns, blocks):
    product = Counted(CROWDED)
    start = orthonormal(N, columns, seed=0)
    assert block_krylov(product, start, n_exact=4, atol=0.0) is None
    assert product.widths == [columns] * blocks


def test_residuals_are_looked_at_after_every_third_block():
    Q = orthonormal(N, N, seed=1)
    product = Counted((Q * np.arange(1.0, N + 1.0)) @ Q.T)
    found = block_krylov(product, Q[:, :2], n_exact=2, atol=1e-9)
    assert product.widths == [2] * 3
    np.testing.assert_allclose(found.values, [1.0, 2.0], atol=1e-9)


@pytest.mark.parametrize(("k", "size"), [(1, 21), (21, 21), (30, 30)])
def test_of_a_large_array_as_many_eigenvalues_as_a_choice_looks_at(k, size):
    assert DenseSymmetric(CROWDED).lowest(k).values.shape == (size,)
    assert DenseSymmetric(CROWDED[:50, :50]).lowest(k).values.shape == (50,)


AXES = [[0, 1], [1, 2], [2, 0], [3, 4]]
DIAGONALS = {
    "a null vector": np.arange(30.0),
    "all but one equal": np.r_[0.0, np.ones(29)],
    "one below 0": np.arange(30.0) - 1.0,
    "nothing": np.zeros(30),
}


@pytest.mark.parametrize("values", DIAGONALS.values(), ids=DIAGONALS)
@pytest.mark.parametrize("axes", AXES, ids=str)
def test_a_space_that_is_invariant_to_the_last_bit_grows_on(values, axes):
    """Of columns along the axes nothing is left to add, not even rounding."""
    start = np.eye(30)[:, axes]
    for found in (
        block_krylov(lambda V: values[:, None] * V, start, n_exact=2, atol=np.inf),
        restarted_krylov(
            lambda V: values[:, None] * V,
            start,
            n_exact=2,
            atol=0.0,
            min_products=9,
            max_products=9,
        ),
    ):
        np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(2), atol=1e-12)
        ritz = found.vectors.T @ (values[:, None] * found.vectors)
        np.testing.assert_allclose(ritz, np.diag(found.values), atol=1e-12)
        np.testing.assert_allclose(found.values, np.sort(values)[:2], atol=1e-6)


def test_a_space_of_everything_knows_everything():
    """Nine columns by blocks of two: the last block is cut to what is left."""
    A = symmetric(9, seed=4)
    product = Counted(A)
    found = restarted_krylov(product, np.eye(9, 2), n_exact=2, atol=0.0, max_products=50)
    assert product.widths == [2, 2, 2, 2, 1]
    np.testing.assert_allclose(found.values, np.linalg.eigvalsh(A)[:2], atol=1e-12)


@pytest.mark.parametrize(
    ("columns", "memory", "room"),
    [(2, 2**26, 40), (2, 8 * N * 10, 10), (2, 8 * N * 10 - 1, 9), (2, 0, 8), (100, 2**26, N)],
)
def test_a_space_has_room_for_twenty_blocks_or_what_memory_holds(
    columns, memory, room, monkeypatch
):
    """Four blocks at least, and no more columns than there are."""
    rooms = []

    class Spied(krylov._Space):
        def __init__(self, start, room):
            rooms.append(room)
            super().__init__(start, room)

    monkeypatch.setattr(krylov, "_Space", Spied)
    monkeypatch.setattr(krylov, "_MEMORY", memory)
    start = orthonormal(N, columns, seed=0)
    restarted_krylov(Counted(CROWDED), start, n_exact=1, atol=0.0, max_products=2)
    assert rooms == [room]


@pytest.mark.parametrize(("room", "sizes"), [(8, [2, 4, 6, 8, 6, 8]), (9, [2, 4, 6, 8, 6, 8])])
def test_a_full_space_keeps_its_lower_half(room, sizes):
    """With its images: what follows is what a space of the Ritz vectors would give."""
    space, product, found = krylov._Space(orthonormal(N, 2, seed=0), room), Counted(CROWDED), []
    for size in sizes:
        lowest = space.lowest(4).values if space._size == 8 else None
        space.grow(product)
        found.append(space._size)
        B, images = space._basis[:, :size], space._images[:, :size]
        np.testing.assert_allclose(B.T @ B, np.eye(size), atol=1e-12)
        np.testing.assert_allclose(images, CROWDED @ B, atol=1e-12)
        small = space._compressed[:size, :size]
        np.testing.assert_allclose(small, B.T @ CROWDED @ B, atol=1e-12)
        if lowest is not None:  # each Ritz value falls
            assert (space.lowest(4).values <= lowest + 1e-12).all()
    assert found == sizes


def test_residuals_stagnate_after_twelve_products_that_gain_less_than_a_tenth():
    fell = [1.0] * 3
    assert not krylov._stagnates([1.0] * 12)
    assert krylov._stagnates([1.0] * 13)
    assert krylov._stagnates(fell + [0.91] * 12)
    assert not krylov._stagnates(fell + [0.91] * 11 + [0.9])
    assert not krylov._stagnates(fell + [0.89] + [2.0] * 11)
    assert krylov._stagnates([0.89, 1.0] + [0.9] * 12)


@pytest.mark.parametrize("shrink", [1.0, 1e-4, 1e-7, 1e-12, 0.0])
def test_blocks_that_hardly_have_a_column_are_orthonormal_all_the_same(shrink):
    V = np.random.default_rng(3).standard_normal((50, 3)) * np.array([1.0, 1.0, shrink])
    Q = krylov._orthonormal_columns(V)
    np.testing.assert_allclose(Q.T @ Q, np.eye(3), atol=1e-13 if shrink < 1e-6 else 1e-8)
    np.testing.assert_allclose(Q @ (Q.T @ V), V, atol=1e-12)
    if shrink > 1e-6:  # by Cholesky: lengths are positive
        assert (np.diag(Q.T @ V) > 0.0).all()


# One vector at a time -------------------------------------------------------------------------


def path(**settings):
    """Products of a search in a spectrum of slow decrease, and the value found."""
    values = np.linspace(1.0, 2.0, 200) ** 2
    start = np.random.default_rng(0).standard_normal(200)
    found = smallest_eigenpair(lambda v: values * v, start, **settings)
    return found.products, found.value


def test_a_search_ends_where_five_products_gain_too_little():
    trail = [path(rtol=0.0, max_products=k)[1] for k in range(1, 61)]
    falls = [np.inf] * 5 + [trail[k - 5] - trail[k] for k in range(5, 60)]
    for rtol in (3e-2, 1e-2):
        first = next(k for k in range(60) if falls[k] <= rtol * trail[k] and k + 1 >= 10)
        assert path(rtol=rtol)[0] == first + 1
        assert path(rtol=rtol, settled_above=trail[first] + 1e-9)[0] > first + 1
        assert path(rtol=rtol, settled_above=trail[-1])[0] == first + 1
    assert path(rtol=0.0) == (60, trail[-1])
    assert path(rtol=1.0)[0] == 10
    assert path(rtol=1.0, min_products=7)[0] == 7
    assert path(rtol=0.0, atol=10.0)[0] == 10
    assert path(rtol=0.0, threshold=trail[2])[0] == 4  # below, not at


def test_a_preconditioner_that_gives_nothing_ends_the_search():
    found = smallest_eigenpair(
        lambda v: np.arange(1.0, 21.0) * v, np.ones(20), precondition=np.zeros_like
    )
    assert (found.products, found.value) == (1, pytest.approx(10.5))


def test_a_preconditioner_is_given_the_residual():
    """``A v - value v`` of the first vector, which is the start."""
    A, v, seen = np.diag(np.arange(1.0, 6.0)), np.full(5, 5.0**-0.5), []
    smallest_eigenpair(lambda u: A @ u, 7.0 * v, precondition=lambda r: seen.append(r) or r)
    np.testing.assert_allclose(seen[0], A @ v - 3.0 * v, atol=1e-14)


def test_a_space_has_64_megabytes(monkeypatch):
    class KnownError(Exception):
        pass

    def room_is(start, room):
        raise KnownError(room)

    monkeypatch.setattr(krylov, "_Space", room_is)
    with pytest.raises(KnownError, match="128"):
        restarted_krylov(None, np.zeros((2**16, 8)), n_exact=1, atol=0.0, max_products=1)


def test_what_is_exact_after_five_blocks_is_seen_after_six():
    values = np.repeat(np.arange(1.0, 6.0), 20)
    product = Counted(np.diag(values))
    block_krylov(product, orthonormal(100, 2, seed=3), n_exact=2, atol=1e-9)
    assert product.widths == [2] * 6
