"""Sums from a series of the Gaussian: those over all pairs to rounding, or none at all."""

import numpy as np
import pytest

import naive
from hsiclearn import SupervisedHSIC
from hsiclearn._engines import TiledEngine
from hsiclearn._engines.series import GaussianSeries
from hsiclearn.gamma import ClassTable, LowRank
from hsiclearn.kernels import Gaussian, Polynomial, RelativeGaussian

N, D = 450, 5
BUDGET = 96 * 2**20
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, D)) + 3.0  # away from 0: differences do not see it
CODES = np.sort(RNG.integers(0, 3, N))
GAMMA = ClassTable.centered(CODES, np.array([1.0, 2.0, 0.5]))


def frame(q, seed=1):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((D, q)))[0]


@pytest.mark.parametrize("q", [1, 2])
@pytest.mark.parametrize("kernel", [Gaussian(4.0), -3.0 * Gaussian(6.0)])
def test_equals_the_written_out_sums(q, kernel):
    W, dense = frame(q), GAMMA.to_dense()
    series = GaussianSeries.of(X, GAMMA, kernel, BUDGET)
    assert series.at(W)
    total, matrix = series.contract()
    naive.assert_close(total, naive.total(X, dense, kernel, W), 1e-13, np.abs(dense).sum())
    naive.assert_close(matrix, naive.contract(X, dense, kernel, W), 1e-12)
    naive.assert_close(series.hessian_blocks(), naive.hessian_blocks(X, dense, kernel, W), 1e-12)


def test_what_was_computed_at_one_place_is_not_used_at_another():
    series = GaussianSeries.of(X, GAMMA, Gaussian(4.0), BUDGET)
    first, second = frame(2), frame(2, seed=2)
    assert series.at(first)
    expected = series.contract()[1]
    assert series.at(second)
    assert np.abs(series.contract()[1] - expected).max() > 1.0
    assert series.at(first)
    np.testing.assert_array_equal(series.contract()[1], expected)


def test_far_rows_ask_for_pairs():
    """Where the rows lie many bandwidths apart the series would be longer than they are many."""
    series = GaussianSeries.of(X, GAMMA, Gaussian(0.3), BUDGET)
    assert not series.at(frame(2))
    assert not GaussianSeries.of(X, GAMMA, Gaussian(4.0), BUDGET).at(np.eye(D))
    outlier = X.copy()
    outlier[7] += 60.0
    assert not GaussianSeries.of(outlier, GAMMA, Gaussian(4.0), BUDGET).at(frame(2))


@pytest.mark.parametrize(
    ("gamma", "kernel"),
    [
        (GAMMA, Polynomial(2)),
        (GAMMA, RelativeGaussian()),
        (GAMMA, Gaussian(4.0) + Gaussian(1.0)),
        (LowRank.centered(RNG.standard_normal((N, 2))), Gaussian(4.0)),
        (ClassTable.centered(np.arange(N) // 5), Gaussian(4.0)),
    ],
)
def test_only_for_one_gaussian_and_a_few_classes(gamma, kernel):
    assert GaussianSeries.of(X, gamma, kernel, BUDGET) is None


def test_few_rows_are_visited_pair_by_pair():
    some = np.arange(400)
    assert GaussianSeries.of(X[some], GAMMA.take(some), Gaussian(4.0), BUDGET) is None


def test_tiles_answer_as_they_would_without_it():
    """Also of rows that are not sorted by class."""
    mixed = np.random.default_rng(3).permutation(N)
    gamma, W = GAMMA.take(mixed), frame(2)
    engine = TiledEngine(X[mixed], gamma, Gaussian(4.0))
    total, matrix = engine.contract(W)
    blocks = engine.hessian_blocks(W)
    plain = TiledEngine(X[mixed], gamma, Gaussian(4.0), series=False)
    plain_total, plain_matrix = plain.contract(W)
    assert matrix.tobytes() != plain_matrix.tobytes()
    naive.assert_close(total, plain_total, 1e-12)
    naive.assert_close(matrix, plain_matrix, 1e-12)
    naive.assert_close(blocks, plain.hessian_blocks(W), 1e-12)


def test_a_fit_says_how_its_sums_were_made():
    model = SupervisedHSIC(bandwidth="median").fit(X, CODES)
    assert model.engine_ == "tiled"
    assert model.certificate_.second_order
    assert "series" in model.result_.engine_reason


def test_what_was_cut_short_leaves_nothing_behind(monkeypatch):
    series, (first, second) = (
        GaussianSeries.of(X, GAMMA, Gaussian(4.0), BUDGET),
        (frame(2), frame(2, 2)),
    )
    assert series.at(second)
    expected = series.contract()[1]
    assert series.at(first)
    with monkeypatch.context() as patched:
        patched.setattr(GaussianSeries, "_gather", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            series.at(second)
    assert series.at(second)
    np.testing.assert_array_equal(series.contract()[1], expected)


def test_many_classes_and_little_memory_ask_for_pairs():
    many = ClassTable.centered(np.sort(RNG.integers(0, 40, N)))
    assert GaussianSeries.of(X, many, Gaussian(4.0), BUDGET) is None
    assert not GaussianSeries.of(X, GAMMA, Gaussian(4.0), 2**16).at(frame(2))
