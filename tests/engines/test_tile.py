"""One tile of pairs: jets of several terms, memory that is kept, what is weighed once."""

import numpy as np
import pytest

from foreign_arrays import make
from hsiclearn._devices import is_foreign, to_host
from hsiclearn._engines._tile import Group, Memo, Tile, Workspace, group_by_pair
from hsiclearn.kernels import DIFFERENCE, INNER, Cauchy, Gaussian, Linear, RelativeGaussian
from naive import assert_close, pairs
from registry import MATRIX, W, X, Z

ROWS, COLS = slice(2, 9), slice(7, 20)
SUM = 2.0 * RelativeGaussian(3) - 0.5 * Cauchy(2.0) + 3.0 * Linear()


def weigh(array, rows, cols):
    array *= MATRIX[rows, cols]
    return 1.0, array


def tile(group, memo=None, order=False, **given):
    w, z = X @ W, X @ Z
    dot = group.pair.beta_dot_factors(w, z) if order else None
    facts = {"weigh": weigh, "rows": ROWS, "cols": COLS, "workspace": Workspace()}
    return Tile(group, group.pair.beta_factors(w), dot, memo=memo, **(facts | given))


def dense(kernel, pair, order):
    """``sum_t weight Gamma o s^k f^(k)(s beta)`` on the tile, of the terms of one pair type."""
    out = 0.0
    for weight, term, s, beta, _ in pairs(X, kernel, W, Z):
        if term.pair is pair:
            out = out + weight * s**order * (term.f, term.df, term.d2f)[order](s * beta)
    return (MATRIX * out)[ROWS, COLS]


@pytest.mark.parametrize("kernel", [SUM, RelativeGaussian(3) * 1.5, 2.0 * Gaussian() + Cauchy()])
def test_jets_are_weighted_sums_with_row_scales(kernel):
    """A term at ``s beta`` has the derivatives ``f, s f', s^2 f''`` in beta."""
    groups = group_by_pair(kernel, X)
    assert [len(g.terms) for g in groups] == [len(kernel.terms) - (kernel is SUM)] + [1] * (
        kernel is SUM
    )
    for group in groups:
        for asked in (0, 1, 2):
            jet = tile(group).jet(asked)
            assert len(jet) == asked + 1
            for order, (factor, array) in enumerate(jet):
                assert_close(factor * array, dense(kernel, group.pair, order), 1e-12)


def test_a_total_its_slope_and_its_derivative_along_z():
    for group in group_by_pair(SUM, X):
        total, (factor, S) = tile(group).total_and_weights()
        expected = dense(SUM, group.pair, 0)
        assert total == pytest.approx(expected.sum(), abs=1e-12 * np.abs(expected).sum())
        assert_close(factor * S, dense(SUM, group.pair, 1), 1e-12)
    [group] = group_by_pair(2.0 * Gaussian() + Cauchy(), X)
    dot = next(found[4] for found in pairs(X, Cauchy(), W, Z))[ROWS, COLS]
    nothing, (factor, S) = tile(group, order=True).dot_weights()
    assert nothing == 0.0
    assert_close(factor * S, dense(2.0 * Gaussian() + Cauchy(), DIFFERENCE, 2) * dot, 1e-12)


def test_an_array_that_parts_share_is_weighed_once():
    asked = []
    group = Group(DIFFERENCE, ((1.0, Gaussian(), None),))
    tile(group, weigh=lambda a, r, c: asked.append((r, c)) or weigh(a, r, c)).jet(2)
    assert asked == [(ROWS, COLS)]
    asked.clear()
    group = Group(DIFFERENCE, ((1.0, Cauchy(), None),))
    tile(group, weigh=lambda a, r, c: asked.append(1) or weigh(a, r, c)).jet(2)
    assert len(asked) == 3
    constant = tile(group, weigh=lambda a, r, c: (-3.0, a)).jet(1)
    plain = tile(group, weigh=lambda a, r, c: (1.0, a)).jet(1)
    for (factor, array), (one, same) in zip(constant, plain, strict=True):
        assert factor == -3.0 * one
        np.testing.assert_array_equal(array, same)


def test_what_was_computed_on_a_tile_is_found_there():
    """Up to the second derivative at once, in memory of the tile's own; another has its own."""
    memo, asked = Memo(), []
    group = Group(DIFFERENCE, ((1.0, Gaussian(), None),))

    def counted(array, rows, cols):
        asked.append(array.base if array.base is not None else array)
        return weigh(array, rows, cols)

    memo.move_to(W)
    first = tile(group, memo, weigh=counted).jet(0)
    assert len(first) == 3
    assert tile(group, memo, weigh=counted).jet(2) is first
    assert asked[0].size == 7 * 13
    other = tile(group, memo, weigh=counted, cols=slice(8, 21)).jet(1)
    third = tile(group, memo, weigh=counted, rows=slice(3, 10)).jet(1)
    of_other_pairs = tile(Group(INNER, ((1.0, Linear(), None),)), memo, weigh=counted).jet(1)
    assert len({id(jet) for jet in (first, other, third, of_other_pairs)}) == 4
    kept = asked[0]
    memo.move_to(W.copy())
    assert tile(group, memo, weigh=counted).jet(1) is first
    memo.move_to(W[:, ::-1])
    count = len(asked)
    again = tile(group, memo, weigh=counted).jet(1)
    assert again is not first
    assert len(asked) == count + 1
    assert asked[-1] is kept  # the memory is the same
    memo.clear()
    assert tile(group, memo, weigh=counted).jet(1) is not again


def test_a_memo_keeps_its_own_w():
    memo, here = Memo(), np.array(W)
    memo.move_to(here)
    memo.found("key", 1, lambda m: "there")
    here[0, 0] += 1.0
    memo.move_to(here)
    assert memo.found("key", 1, lambda m: "anew") == "anew"


def test_buffers_are_made_once_and_of_one_size():
    space = Workspace(12, np.float32)
    assert space[0] is space[0]
    assert space[0] is not space[1]
    assert (space[0].shape, space[0].dtype) == ((12,), np.float32)
    assert Workspace(3)[5].dtype == np.float64
    assert Workspace()[0] is None


def test_products_use_the_buffers_they_are_given():
    space = Workspace(7 * 13)
    group = Group(DIFFERENCE, ((1.0, Gaussian(), None),))
    one = tile(group, workspace=space, order=True)
    assert np.shares_memory(one.jet(0)[0][1], space[0])
    assert np.shares_memory(one.dot_weights()[1][1], space[1])


def test_a_tile_on_the_diagonal_holds_both_halves():
    group = Group(INNER, ((1.0, Linear(), None),))
    assert tile(group, cols=ROWS).on_diagonal
    assert not tile(group).on_diagonal


def test_terms_with_their_scales_in_another_order_and_elsewhere():
    [group, _] = group_by_pair(SUM, X)
    order = np.arange(len(X))[::-1]
    turned = group.reordered(order)
    there = group.beside(make("strict", X))
    for (weight, kernel, scales), (w, k, s), (w3, k3, s3) in zip(
        group.terms, turned.terms, there.terms, strict=True
    ):
        assert (w, k, w3, k3) == (weight, kernel, weight, kernel)
        if scales is None:
            assert s is s3 is None
            continue
        np.testing.assert_array_equal(s, scales[order])
        assert is_foreign(s3)
        np.testing.assert_array_equal(to_host(s3), scales)
    assert turned.pair is there.pair is group.pair


def test_row_scales_are_those_of_rows_with_weights():
    weights = np.linspace(0.5, 1.5, len(X))
    [group] = group_by_pair(1.0 * RelativeGaussian(3), X, weights)
    np.testing.assert_array_equal(group.terms[0][2], RelativeGaussian(3).row_scales(X, weights))
