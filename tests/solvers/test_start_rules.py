"""Starts by their formulas: second moments of weighted rows, what is grown, and in which order."""

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._rows import as_rows
from hsiclearn._solvers import starts
from hsiclearn._solvers.starts import SecondMoments, many_starts, random_start, start_from_name
from hsiclearn.gamma import Dense, LowRank, Weighted
from hsiclearn.kernels import Linear
from naive import assert_close

RNG = np.random.default_rng(0)
X = RNG.standard_normal((30, 5)) + 2.0
U = RNG.standard_normal((30, 3))


def moments_of(X, U, s, v=None):
    """``-sum_k |s_k| (X' diag(u_k) X)^2`` of rows seen from their mean, by weight if they have."""
    X = X - (X.mean(axis=0) if v is None else v @ X / v.sum())
    return -sum(
        abs(size) * np.linalg.matrix_power((X.T * u) @ X, 2) for u, size in zip(U.T, s, strict=True)
    )


def any_gamma(n=30):
    G = np.random.default_rng(1).standard_normal((n, n))
    return Dense(G + G.T)


def test_second_moments_are_those_of_the_factors_of_gamma():
    gamma = any_gamma()
    moments = SecondMoments(as_rows(X), gamma)
    factors, sizes = gamma.factors(max_rank=20)
    assert factors.shape[1] == 20  # of thirty
    expected = moments_of(X, factors, sizes)
    assert_close(moments.to_dense(), expected, 1e-12)
    V = RNG.standard_normal((5, 2))
    assert_close(moments.times(V), expected @ V, 1e-12)
    assert (sizes < 0.0).any()


def test_second_moments_of_weighted_rows_are_seen_from_their_weighted_mean():
    v = RNG.integers(1, 4, 30).astype(float)
    gamma = Weighted(LowRank(U), v)
    moments = SecondMoments(as_rows(X), gamma)
    expected = moments_of(X, *gamma.factors(max_rank=20), gamma.row_weights)
    assert gamma.row_weights is not None
    assert_close(moments.to_dense(), expected, 1e-12)
    assert_close(moments.times(np.eye(5)), expected, 1e-12)


def test_a_rough_start_takes_five_products():
    moments = SecondMoments(as_rows(X), LowRank(U))
    plain, widths = moments.times, []
    moments.times = lambda V: widths.append(V.shape[1]) or plain(V)
    for q, width in ((1, 4), (2, 5), (3, 5)):
        W = moments.roughly_lowest(q)
        assert W.shape == (5, q)
        assert_close(W.T @ W, np.eye(q), 1e-13)
        assert widths[0] == width
        assert len(widths) <= 5
        widths.clear()
    wide = SecondMoments(as_rows(RNG.standard_normal((30, 90))), any_gamma())
    plain = wide.times
    wide.times = lambda V: widths.append(V.shape[1]) or plain(V)
    wide.roughly_lowest(2)
    assert widths == [5] * 5


def diagonal(sizes, n=None):
    """Phi has the eigenvalues ``-sizes`` everywhere; columns vary alike but for the first."""
    n = n or len(sizes)
    gamma = np.zeros((n, n))
    gamma[: len(sizes), : len(sizes)] = np.diag(sizes)
    rows = np.zeros((n, len(sizes)))
    rows[: len(sizes)] = np.eye(len(sizes))
    return Objective(rows, Dense(gamma), Linear(), "dense")


def start(name, objective, q, seed=0):
    return start_from_name(name, objective, q, np.random.default_rng(seed))


def assert_spans(W, columns):
    assert sine_of_largest_angle(np.eye(len(W))[:, columns], W) <= 1e-7


@pytest.mark.parametrize(("small", "counts"), [(2e-9, True), (0.5e-9, False)])
def test_a_direction_informs_beyond_a_billionth(small, counts, monkeypatch):
    """Else it is not Phi(0) that says so, but what is grown on the others."""
    grown = []
    plain = starts._grow
    monkeypatch.setattr(starts, "_grow", lambda *given: grown.append(given) or plain(*given))
    objective = diagonal([1.0, 0.0, small, -1e-3])
    W = start("phi-zero", objective, 2)
    assert bool(grown) is not counts
    assert_close(W.T @ W, np.eye(2), 1e-12)
    if counts:
        assert_spans(W, [0, 2])
    else:
        _, V, q = grown[0]
        assert (V.shape, q) == ((4, 1), 2)
        assert_spans(W[:, :1], [0])


def test_where_nothing_informs_variance_decides():
    X = np.diag([1.0, 3.0, 2.0, 0.5])
    silent = Objective(np.vstack([X, -X]), Dense(np.zeros((8, 8))), Linear(), "dense")
    for name in ("phi-zero", "phi-identity", "second-moments"):
        assert_spans(start(name, silent, 1), [1])
        assert_spans(start(name, silent, 2), [1, 2])


def test_the_lowest_eigenvectors_of_phi_whatever_their_sign():
    for name in ("phi-zero", "phi-identity"):
        assert_spans(start(name, diagonal([-1.0, -4.0, -2.0, -3.0]), 2), [0, 2])
        assert_spans(start(name, diagonal([1.0, 4.0, 2.0, 3.0]), 2), [1, 3])


def test_with_more_features_than_rows_variance_fills_up_what_does_not_help():
    """Columns 3 and 4 are zero in all rows: harmless, hence low, but no start."""
    rows = np.zeros((4, 6))
    rows[:, :4] = np.diag([1.0, 3.0, 2.0, 1.5])
    gamma = np.diag([9.0, -1.0, -1.0, -1.0])
    objective = Objective(rows, Dense(gamma), Linear(), "dense")
    assert_spans(start("phi-zero", objective, 1), [0])
    assert_spans(start("phi-zero", objective, 2), [0, 1])
    assert_spans(start("phi-zero", objective, 3), [0, 1, 2])
    helped = Objective(rows, Dense(np.diag([9.0, -1.0, 1e-6, -1.0])), Linear(), "dense")
    assert_spans(start("phi-zero", helped, 2), [0, 2])


@pytest.mark.parametrize("largest", [2000, 2], ids=["array", "products"])
@pytest.mark.parametrize("v", [None, np.array([9.0, 1.0, 2.0])], ids=["plain", "weighted"])
def test_the_tie_breaker_counts_rows_by_weight(v, largest, monkeypatch):
    monkeypatch.setattr("hsiclearn._linalg.symmetric._LARGEST_WHOLE", largest)
    plain = LowRank(np.zeros((3, 1)))
    gamma = plain if v is None else Weighted(plain, v)
    objective = Objective(np.diag([1.0, 3.0, 2.0]), gamma, Linear(), "dense")
    X, times = objective.rows.take(np.arange(3)), np.ones(3) if v is None else gamma.row_weights
    ties = starts._minus_variance(objective)()
    assert_close(ties.times(np.eye(3)), -(X.T * times) @ X, 1e-13)


@pytest.mark.parametrize(("first", "n_init"), [("phi-zero", 5), ("phi-identity", 2), ("random", 4)])
def test_many_starts_are_the_chosen_the_others_then_random(first, n_init):
    objective = diagonal([4.0, 3.0, 2.0, 1.0])
    named = ["phi-zero", "second-moments", "phi-identity"]
    found = list(many_starts(first, n_init, objective, 2, np.random.default_rng(3)))
    expected = [first, *(name for name in named if name != first), "random", "random"][:n_init]
    assert [name for name, _ in found] == expected
    if expected[-1] == "random" and first != "random":
        rng = np.random.default_rng(3)
        drawn = [random_start(objective, 2, rng) for name in expected if name == "random"]
        assert_close(found[-1][1], drawn[-1], 0.0)


def test_of_very_many_features_there_is_no_identity(monkeypatch):
    objective = diagonal([4.0, 3.0, 2.0, 1.0])
    monkeypatch.setattr("hsiclearn._linalg.symmetric._LARGEST_WHOLE", 3)
    names = [name for name, _ in many_starts("random", 9, objective, 1, np.random.default_rng(0))]
    assert names == ["random", "phi-zero", "second-moments"] + ["random"] * 6
    with pytest.raises(ValueError, match="an array of 4 x 4: too large"):
        start("phi-identity", objective, 1)
