"""Directions along which a regression changes, row by row and gradient by gradient."""

import numpy as np
import pytest

from hsiclearn._solvers import gradient_directions, gradients

RNG = np.random.default_rng(0)
X = RNG.standard_normal((30, 4))
Y = np.column_stack([np.sin(2.0 * X[:, 0]), X[:, 1] ** 2]) + 0.1 * RNG.standard_normal((30, 2))


def written_out(X, Y, q):
    """Four rounds from M = I, ``s`` the median of all squared distances, a ridge of 1e-3 n."""
    n, d = X.shape
    Y, M = Y - Y.mean(axis=0), np.eye(d)
    for _ in range(4):
        squares = np.array([[(a - b) @ M @ (a - b) for b in X] for a in X])
        s = np.median(squares)
        K = np.exp(-squares / s)
        a = np.linalg.solve(K + 1e-3 * n * np.eye(n), Y)
        M_new = np.zeros((d, d))
        for i in range(n):
            for column in a.T:
                g = sum(-2.0 / s * column[j] * K[i, j] * (M @ (X[i] - X[j])) for j in range(n))
                M_new += np.outer(g, g)
        M = M_new / np.linalg.eigvalsh(M_new)[-1]
    values, vectors = np.linalg.eigh(M)
    return (vectors * np.sqrt(values))[:, ::-1][:, :q]


@pytest.mark.parametrize("widest", [1000, 5])
def test_it_is_the_average_outer_product_of_gradients(monkeypatch, widest):
    """However many columns a product takes at a time."""
    monkeypatch.setattr(gradients, "_WIDEST", widest)
    found, expected = gradient_directions(X, Y, 3), written_out(X, Y, 3)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-9)
    assert np.all(np.diff(np.linalg.norm(found, axis=0)) < 0.0)
    assert np.linalg.norm(found[:, 0]) == pytest.approx(1.0)


def test_of_many_rows_some_are_drawn(monkeypatch):
    monkeypatch.setattr(gradients, "_PAIRS", 20)
    some = np.sort(np.random.default_rng(0).choice(30, 20, replace=False))
    np.testing.assert_array_equal(
        gradient_directions(X, Y, 2), gradient_directions(X[some], Y[some], 2)
    )


def test_of_many_weighted_rows_their_weights_come_with_them(monkeypatch):
    v = RNG.uniform(0.5, 2.0, 30)
    some = np.sort(np.random.default_rng(0).choice(30, 20, replace=False))
    expected = gradient_directions(X[some], Y[some], 2, v[some])
    assert np.abs(expected - gradient_directions(X[some], Y[some], 2)).max() > 1e-4
    monkeypatch.setattr(gradients, "_PAIRS", 20)
    np.testing.assert_allclose(gradient_directions(X, Y, 2, v), expected, rtol=1e-12)
    monkeypatch.setattr(gradients, "_PAIRS", 30)
    np.testing.assert_array_equal(
        gradient_directions(X[::-1], Y[::-1], 2), gradient_directions(X[::-1].copy(), Y[::-1], 2)
    )


def test_a_product_takes_columns_of_a_size(monkeypatch):
    """So many columns of the target times the columns of X; one of the target at least."""
    widths = []

    class Watched(np.ndarray):
        def __matmul__(self, other):
            widths.append(other.shape[1])
            return np.asarray(self) @ other

    K, a = np.eye(30).view(Watched), np.ones((30, 5))
    for widest, expected in ((8, [8, 2, 8, 2, 4, 1]), (3, [4, 1] * 5), (1000, [20, 5])):
        monkeypatch.setattr(gradients, "_WIDEST", widest)
        gradients._of_slopes(K, a, X, None)
        assert widths == expected
        widths.clear()


def test_most_rows_in_one_place():
    """Half of all squared distances are 0: the mean is their unit, and nothing overflows."""
    x = np.r_[np.zeros(8), 50.0, 120.0][:, None]
    A = gradient_directions(x, np.arange(10.0)[:, None] % 2, 1)
    assert np.isfinite(A).all()
    assert np.abs(A).max() > 0.0
