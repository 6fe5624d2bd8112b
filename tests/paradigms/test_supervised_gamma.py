"""Gamma = H K_Y H: each structure against the matrix written out."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform

from hsiclearn._paradigms import (
    gammas,
    kind_of_target,
    read_target,
    supervised_gamma,
    targets,
)
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.gamma import ClassTable, Dense, LowRank

rng = np.random.default_rng(0)
n = 40
H = np.eye(n) - 1.0 / n


def gamma_of(y, *settings):
    return supervised_gamma(read_target(y, *settings))


def gaussian_kernel(Y):
    squares = squareform(pdist(Y, "sqeuclidean"))
    return np.exp(-squares / (2 * np.median(pdist(Y)) ** 2))


def test_classes():
    y = rng.integers(0, 3, n)
    gamma = gamma_of(y)
    Y = np.eye(3)[y]
    assert isinstance(gamma, ClassTable)
    np.testing.assert_allclose(gamma.to_dense(), H @ Y @ Y.T @ H, atol=1e-13)


def test_class_table_of_the_design():
    """Gamma_ij = [y_i = y_j] - p_{y_i} - p_{y_j} + sum p^2."""
    y = rng.integers(0, 3, n)
    p = np.bincount(y) / n
    expected = (y[:, None] == y) - p[y][:, None] - p[y] + (p**2).sum()
    np.testing.assert_allclose(gamma_of(y).to_dense(), expected, atol=1e-13)


@pytest.mark.parametrize("columns", [1, 3])
def test_real(columns):
    Y = rng.standard_normal((n, columns))
    standardised = Y if columns == 1 else (Y - Y.mean(axis=0)) / Y.std(axis=0)
    target = read_target(Y if columns > 1 else Y[:, 0])
    gamma = supervised_gamma(target)
    assert isinstance(gamma, LowRank)
    assert target.kind == "real"
    expected = H @ gaussian_kernel(standardised) @ H
    np.testing.assert_allclose(gamma.to_dense(), expected, atol=1e-8)


def test_real_target_stays_low_rank():
    gamma = gamma_of(rng.standard_normal(2000))
    assert gamma.U.shape[1] < 40


@pytest.mark.long
def test_a_real_target_of_many_rows_has_few_entries_a_row():
    """Whatever its tails: a factor of these has hundreds of columns."""
    gamma = gamma_of(rng.standard_t(1.0, 5000))
    assert 5 <= gamma.row_factor().n_entries < 7
    sample = np.arange(0, 5000, 11)
    expected = np.exp(-squareform(pdist(gamma.y[:, None] / gamma.bandwidth, "sqeuclidean")) / 2)
    expected = expected - expected.mean(axis=0) - expected.mean(axis=1)[:, None] + expected.mean()
    np.testing.assert_allclose(
        gamma.take(sample).to_dense(), expected[np.ix_(sample, sample)], atol=1e-6
    )


def test_a_real_target_of_too_many_cells_has_a_factor(monkeypatch):
    """Else rows far from each other would make a table of rows by rows."""
    y = np.exp(4.0 * rng.standard_normal(5000))
    assert 300 < gamma_of(y).n_slots <= 2500
    monkeypatch.setattr(gammas, "_MOST_SLOTS", 300)
    assert isinstance(gamma_of(y), LowRank)


def test_rows_of_a_real_target_far_from_zero_are_as_exact():
    gamma = gamma_of(rng.standard_normal(5000) + 2.0**40)
    some = np.eye(5000, 20)
    np.testing.assert_allclose(gamma.apply(some), gamma.to_dense() @ some, atol=1e-6)


def test_mostly_equal_real_targets_have_a_scale():
    y = np.zeros(n)
    y[:5] = [1.0, 2.0, 3.0, 4.0, 5.0]
    gamma = gamma_of(y).to_dense()
    assert np.all(np.isfinite(gamma))
    assert np.abs(gamma).max() > 0.1


def test_rank_limit_warns_with_the_share_left_out(monkeypatch):
    monkeypatch.setattr(gammas, "_MAX_RANK", 5)
    with pytest.warns(DependenceWarning, match="rank 5"):
        gamma_of(rng.standard_normal((n, 4)))


def test_multilabel_and_precomputed():
    Y = rng.integers(0, 2, (n, 4))
    labels, kernel = read_target(Y), read_target(Y @ Y.T, "precomputed")
    assert (labels.kind, kernel.kind) == ("multilabel", "precomputed")
    assert isinstance(supervised_gamma(kernel), Dense)
    for target in (labels, kernel):
        gamma = supervised_gamma(target)
        np.testing.assert_allclose(gamma.to_dense(), H @ Y @ Y.T @ H, atol=1e-12)


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        ([0.0, 1.0], "real"),
        ([[0.0, 1.0], [2.0, 3.0]], "real"),
        ([0, 1], "classes"),
        ([True, False], "classes"),
        (["a", "b"], "classes"),
        (np.array(["a", "b"], object), "classes"),
        (np.array([1, 2], object), "classes"),
        ([[0], [1]], "classes"),
        ([[0, 1], [1, 1]], "multilabel"),
        (pd.Series([1.5, 2.5], dtype="category"), "classes"),
        (np.array([0.0, 1.0], np.float32), "real"),
        (np.arange(1797) % 10, "classes"),  # digits
        ([1, 2, 3, 5, 6, 7] * 10, "classes"),  # codes with gaps
        (np.arange(344) % 94 * 25 + 2700, "real"),  # body mass
        ([3, 1, 2, 5, 4], "classes"),
    ],
)
def test_auto_target(y, expected):
    assert kind_of_target(y) == (expected, "")


@pytest.mark.parametrize(
    ("values", "n", "expected"),
    [
        (11, 1000, "classes"),
        (20, 1000, "classes"),
        (21, 1000, "real"),
        (20, 30, "real"),
        (12, 12, "real"),
        (26, 20_000, "real"),  # letters, numbered
        (100, 1000, "real"),
    ],
)
def test_integers_that_may_be_meant_otherwise_are_in_doubt(values, n, expected):
    kind = kind_of_target(np.arange(n) % values)
    assert kind == (expected, f"{values} different integers in {n} rows")


def test_many_integers_that_no_encoder_would_give_are_not_in_doubt():
    assert kind_of_target(np.arange(1000) % 70 + 18).doubt == ""  # ages
    assert kind_of_target(np.arange(300) % 100).doubt == ""  # three rows of each


def test_a_part_with_fewer_rows_than_classes_keeps_only_its_own():
    y = rng.integers(0, 15, n)
    gamma = gamma_of(y, "classes", "balanced")
    index = np.arange(0, n, 4)
    part = gamma.centered_on(index)
    small = np.eye(index.size) - 1.0 / index.size
    expected = small @ gamma.to_dense()[np.ix_(index, index)] @ small
    np.testing.assert_allclose(part.to_dense(), expected, atol=1e-13)
    assert part.table.shape[0] == np.unique(y[index]).size < 15


def test_whether_rows_have_a_structure_is_known_without_an_eigendecomposition(monkeypatch):
    """Of a table of many classes it takes time that only an engine in linear time needs."""
    gamma = gamma_of(rng.integers(0, 3, n))
    monkeypatch.setattr(np.linalg, "eigh", None)
    assert gamma.row_factor().n_slots == 3


def test_more_classes_than_a_table_holds_are_refused(monkeypatch):
    monkeypatch.setattr(targets, "LARGEST_TABLE", 9)
    with pytest.raises(ValueError, match="At most 9 classes can be told apart"):
        gamma_of([f"{i % 10}" for i in range(n)])


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("exponent", [-900, -300, 300, 530, 1000])
def test_the_unit_of_a_real_target_is_no_matter(columns, exponent):
    """By a power of two to the last bit; squares of 1e160 overflow."""
    y = np.random.default_rng(1).standard_normal((n, columns))
    plain, scaled = gamma_of(y), gamma_of(np.ldexp(y, exponent))
    assert scaled.U.tobytes() == plain.U.tobytes()
