"""How much of a target the rows of a subspace tell, against dense formulas."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist

from hsiclearn._selection.ridge import (
    RIDGES,
    SubspaceRidge,
    error_of_sum,
    held_out_losses,
    level_margin,
    responses,
)
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.gamma import ClassTable, Dense, LowRank
from naive import assert_close
from registry import GAMMAS, UNSORTED, N, one_hot

PSD = [name for name, (gamma, _) in GAMMAS.items() if gamma.is_psd]


def leave_one_out_loss(Z, Y, groups=None):
    return SubspaceRidge(Z, Y, groups).best_loss


def smooth(n=150, seed=0):
    """Rows in a plane, and two outputs: a wave with noise and a step."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, 2))
    wave = np.sin(2 * Z[:, 0]) + 0.1 * rng.standard_normal(n)
    return Z, np.column_stack([wave, Z[:, 1] > 0]) + 3.0


def kernel_matrix(Z, Z_new=None):
    """Gaussian at half the median distance of the rows Z."""
    bandwidth = 0.5 * np.median(pdist(Z))
    return np.exp(-cdist(Z if Z_new is None else Z_new, Z, "sqeuclidean") / (2 * bandwidth**2))


def hat_matrix(K, ridge):
    return np.linalg.solve(K + ridge * np.eye(len(K)), K)


# The target ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PSD)
def test_responses_have_the_inner_products_of_gamma(name):
    gamma, dense = GAMMAS[name]
    Y = responses(gamma)
    assert Y.shape[0] == N
    if gamma.row_weights is not None:  # of single rows
        Y = gamma.row_weights[:, None] * Y
    assert_close(Y @ Y.T, dense, 1e-12)


def test_of_an_indefinite_gamma_the_positive_part_counts():
    gamma, dense = GAMMAS["low-rank-signed"]
    values, vectors = np.linalg.eigh(dense)
    Y = responses(gamma)
    positive = vectors * np.maximum(values, 0.0)
    assert_close(Y @ Y.T, positive @ vectors.T, 1e-12)


def test_fifty_responses_at_most():
    rng = np.random.default_rng(0)
    factor = rng.standard_normal((80, 70))
    Y = responses(LowRank.centered(factor))
    assert Y.shape == (80, 50)
    values = np.linalg.eigvalsh(Y @ Y.T)[::-1]
    U = factor - factor.mean(axis=0)
    np.testing.assert_allclose(values[:50], np.linalg.eigvalsh(U @ U.T)[::-1][:50], rtol=1e-10)


def test_classes_lose_what_one_hot_labels_lose():
    """Responses are a rotation of the centred labels: no squared distance changes."""
    rng = np.random.default_rng(1)
    Z = rng.standard_normal((N, 2)) + UNSORTED[:, None]
    labels = one_hot(UNSORTED) - one_hot(UNSORTED).mean(axis=0)
    Y = responses(ClassTable.centered(UNSORTED))
    assert Y.shape[1] == 2  # three classes, one dependency
    assert leave_one_out_loss(Z, Y) == pytest.approx(leave_one_out_loss(Z, labels), rel=1e-9)
    train, test = np.arange(15), np.arange(15, N)
    rotated, plain = (
        held_out_losses([(Z[train], T[train], Z[test], T[test])]).sum() for T in (Y, labels)
    )
    assert rotated == pytest.approx(plain, rel=1e-9)


@pytest.mark.parametrize(
    "gamma",
    [-ClassTable.centered(UNSORTED), LowRank(np.ones((5, 1)), [-1.0]), Dense(np.zeros((4, 4)))],
)
def test_without_a_positive_eigenvalue_there_is_nothing_to_predict(gamma):
    with pytest.raises(DegenerateDataError, match="needs a Gamma with a positive eigenvalue"):
        responses(gamma)


# Leave one out ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [20, 60, 150])
def test_leave_one_out_really_leaves_rows_out(n):
    """Refitted without each row, mean and all, at the same ridge.

    Landmarks stand for K up to 1e-6, a tenth of the smallest ridge per row: 1e-3 of the loss.
    """
    Z, Y = smooth(n)
    K = kernel_matrix(Z)
    expected = []
    for ridge in n * RIDGES:
        error = 0.0
        for i in range(n):
            rest = np.arange(n) != i
            mean = Y[rest].mean(axis=0)
            shifted = K[np.ix_(rest, rest)] + ridge * np.eye(n - 1)
            weights = np.linalg.solve(shifted, Y[rest] - mean)
            error += np.sum((Y[i] - mean - K[i, rest] @ weights) ** 2)
        expected.append(error)
    np.testing.assert_allclose(SubspaceRidge(Z, Y).leave_one_out, expected, rtol=1e-3)


def test_groups_are_really_left_out_together():
    """Groups of one, three and nine rows: refitted without each, at the same ridge."""
    Z, Y = smooth(40)
    groups = np.random.default_rng(0).permutation(
        np.repeat(np.arange(12), [1] * 4 + [3] * 6 + [9] * 2)
    )
    K, n = kernel_matrix(Z), 40
    expected = []
    for ridge in n * RIDGES:
        error = 0.0
        for g in range(12):
            rest, out = groups != g, groups == g
            mean = Y[rest].mean(axis=0)
            shifted = K[np.ix_(rest, rest)] + ridge * np.eye(rest.sum())
            weights = np.linalg.solve(shifted, Y[rest] - mean)
            error += np.sum((Y[out] - mean - K[np.ix_(out, rest)] @ weights) ** 2)
        expected.append(error)
    names = np.array(list("abcdefghijkl"))[groups]
    np.testing.assert_allclose(SubspaceRidge(Z, Y, names).leave_one_out, expected, rtol=1e-3)


@pytest.mark.parametrize("is_grouped", [False, True])
def test_a_row_is_left_out_with_all_its_weight(is_grouped):
    """As its copies are in the table that holds them, which are a group there; so is what is told.

    Predictions are those of that table, and errors count as often.
    """
    (Z, Y), rng = smooth(40), np.random.default_rng(1)
    v = rng.integers(1, 4, 40)
    rows = np.repeat(np.arange(40), v)
    groups = rng.integers(0, 9, 40) if is_grouped else np.arange(40)
    told = groups if is_grouped else None
    weighted = SubspaceRidge(Z, Y, told, weights=v.astype(float))
    repeated = SubspaceRidge(Z[rows], Y[rows], groups[rows])
    np.testing.assert_allclose(weighted.leave_one_out, repeated.leave_one_out, rtol=1e-6)
    assert weighted.best_loss == pytest.approx(repeated.best_loss, rel=1e-6)
    np.testing.assert_allclose(weighted.predict(Z), repeated.predict(Z), atol=1e-6)
    parts = [(Z[::2], Y[::2], Z[1::2], Y[1::2])]
    copies = [np.repeat(np.arange(20), some) for some in (v[::2], v[1::2])]
    often = [tuple(A[copies[k // 2]] for k, A in enumerate(parts[0]))]
    one = held_out_losses(parts, None, [(v[::2].astype(float), v[1::2].astype(float))])
    both = held_out_losses(often, [copies[0]])
    np.testing.assert_allclose(one, np.bincount(copies[1], both), rtol=1e-6)


def test_a_single_group_cannot_be_left_out():
    Z, Y = smooth(40)
    assert leave_one_out_loss(Z, Y, np.zeros(40)) == leave_one_out_loss(Z, Y)


def test_the_best_loss_is_a_share_of_that_of_the_mean():
    Z, Y = smooth()
    ridge = SubspaceRidge(Z, Y)
    total = np.sum((Y - Y.mean(axis=0)) ** 2)
    assert ridge.best_loss == pytest.approx(ridge.leave_one_out.min() / total, rel=1e-12)


# Other rows ---------------------------------------------------------------------------------------


def test_the_error_on_other_rows_is_that_of_the_dense_prediction():
    Z, Y = smooth()
    Y = Y + np.random.default_rng(2).standard_normal(Y.shape)  # wants a ridge of 1e-2 and more
    Z_new, Y_new = smooth(40, seed=1)
    ridge = SubspaceRidge(Z, Y)
    assert np.argmin(ridge.leave_one_out) >= 3  # beside which 1e-6 in K is 1e-4
    alpha = len(Z) * RIDGES[np.argmin(ridge.leave_one_out)]
    mean, K = Y.mean(axis=0), kernel_matrix(Z)
    weights = np.linalg.solve(K + alpha * np.eye(len(Z)), Y - mean)
    predicted = mean + kernel_matrix(Z, Z_new) @ weights
    assert ridge.error(Z_new, Y_new) == pytest.approx(np.sum((predicted - Y_new) ** 2), rel=1e-4)


def test_far_from_all_rows_the_mean_is_predicted():
    Z, Y = smooth()
    far = np.full((1, 2), 1e3)
    assert SubspaceRidge(Z, Y).error(far, Y.mean(axis=0)[None]) <= 1e-20


def test_held_out_loss_adds_up_the_splits():
    Z, Y = smooth(90)
    parts, error = [], 0.0
    for test in np.split(np.random.default_rng(0).permutation(90), 3):
        train = np.setdiff1d(np.arange(90), test)
        parts.append((Z[train], Y[train], Z[test], Y[test]))
        error += SubspaceRidge(Z[train], Y[train]).error(Z[test], Y[test])
    total = np.sum((Y - Y.mean(axis=0)) ** 2)
    assert held_out_losses(parts).sum() == pytest.approx(error / total, rel=1e-12)


# What the loss means ------------------------------------------------------------------------------


def test_position_and_unit_of_the_rows_do_not_matter():
    Z, Y = smooth()
    angle = 0.7
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = 1e3 * (Z @ turn + np.array([4.0, -7.0]))
    assert leave_one_out_loss(moved, Y) == pytest.approx(leave_one_out_loss(Z, Y), rel=1e-4)


def test_position_and_unit_of_the_target_do_not_matter():
    Z, Y = smooth()
    moved = 1e-3 * Y - 20.0
    assert leave_one_out_loss(Z, moved) == pytest.approx(leave_one_out_loss(Z, Y), rel=1e-8)


def test_noise_is_not_explained():
    rng = np.random.default_rng(0)
    losses = [
        leave_one_out_loss(rng.standard_normal((120, 2)), rng.standard_normal((120, 1)))
        for _ in range(10)
    ]
    assert min(losses) > 0.97
    assert np.mean(losses) >= 1.0


def test_a_clear_relation_is_explained():
    Z = np.linspace(-1, 1, 200)[:, None]
    Y = np.column_stack([np.sin(3 * Z[:, 0]), Z[:, 0] ** 2])
    assert 0.0 <= leave_one_out_loss(Z, Y) < 1e-4
    assert held_out_losses([(Z[::2], Y[::2], Z[1::2], Y[1::2])]).sum() < 1e-4


def test_rows_that_are_mostly_equal():
    """The median distance is 0: the scale is that of the different rows there are."""
    Z = np.zeros((60, 1))
    Z[:12] = 1.0
    Y = Z.copy()
    assert leave_one_out_loss(Z, Y) < 1e-3


def test_rows_all_in_one_place_explain_nothing():
    """The mean and a constant feature are fitted, at a leverage of 1/n each at most."""
    Y = np.random.default_rng(0).standard_normal((30, 2))
    assert 1.0 <= leave_one_out_loss(np.full((30, 2), 5.0), Y) <= (1.0 - 2 / 30) ** -2


def test_a_constant_target_has_a_loss():
    Z = np.random.default_rng(0).standard_normal((30, 2))
    assert np.isfinite(leave_one_out_loss(Z, np.full((30, 1), 2.0)))


@pytest.mark.parametrize("kind", ["small groups", "tails"])
def test_rows_far_from_all_landmarks_are_predicted_all_the_same(kind):
    """Landmarks are of some rows, but groups and tails that these miss are added to them."""
    rng = np.random.default_rng(0)
    if kind == "tails":
        Z = rng.standard_t(1.5, (1000, 1))
        Y = Z / (1.0 + np.abs(Z))
    else:
        codes = np.where(np.arange(1000) < 160, 1 + np.arange(1000) // 8, 0)
        Z = rng.standard_normal((1000, 1)) + 8.0 * codes[:, None]
        Y = np.eye(21)[codes]
    some, every = SubspaceRidge(Z, Y), SubspaceRidge(Z, Y, among_all=True)
    assert some.best_loss <= every.best_loss + 0.02
    assert some._features.size > 0.8 * every._features.size


def test_of_rows_without_outliers_some_are_enough():
    Z = np.random.default_rng(0).standard_normal((1000, 2))
    Y = np.sign(Z[:, :1] * Z[:, 1:]) + 0.3 * np.random.default_rng(1).standard_normal((1000, 1))
    some, every = SubspaceRidge(Z, Y), SubspaceRidge(Z, Y, among_all=True)
    assert some.best_loss == pytest.approx(every.best_loss, rel=0.03)
    assert some._features.size < every._features.size


def test_the_error_of_a_sum_is_that_of_many_draws():
    draws = np.random.default_rng(0).exponential(2.0, (4000, 50))
    errors = error_of_sum(draws)
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(draws.sum(axis=1).std(), rel=0.03)


def test_losses_are_level_by_two_per_cent_or_half_an_error():
    margins = level_margin(0.5, np.array([0.0, 0.01, 0.1]))
    np.testing.assert_allclose(margins, [0.01, 0.01, 0.05], rtol=1e-12)
