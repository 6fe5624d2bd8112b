"""One table says which strategy fits a problem; a problem can be restricted and lowered."""

from dataclasses import replace

import numpy as np
import pytest

from hsiclearn._alternation import (
    AsPrinted,
    ClusterProblem,
    ClusterSettings,
    Exact,
    strategy_for,
)
from hsiclearn._alternation.guided import Guided
from hsiclearn._alternation.landmarks import OnLandmarks
from hsiclearn._alternation.strategies import STRATEGIES, OnAllRows
from hsiclearn._objective import Guidance
from hsiclearn.kernels import Gaussian

rng = np.random.default_rng(0)
X = rng.standard_normal((30, 4))
CODES = np.where(np.arange(30) < 6, np.arange(30) % 2, -1)
U = np.eye(3)[np.arange(30) % 3] - 1.0 / 3.0


def problem(*, codes=None, guidance=(), **settings):
    return ClusterProblem(
        X=X,
        kernel=Gaussian(2.0),
        n_clusters=3,
        n_components=2,
        codes=codes,
        weight=2.0,
        guidance=guidance,
        settings=ClusterSettings(**settings),
    )


@pytest.mark.parametrize(
    ("settings", "rows", "inner"),
    [
        ({}, OnAllRows, Exact),
        ({"codes": CODES}, OnAllRows, Guided),
        ({"objective": "paper"}, OnAllRows, AsPrinted),
        ({"objective": "paper", "codes": CODES}, OnAllRows, AsPrinted),
        ({"engine": "landmarks"}, OnLandmarks, Exact),
        ({"engine": "landmarks", "codes": CODES}, OnLandmarks, Guided),
        ({"engine": "tiled"}, OnAllRows, Exact),
    ],
)
def test_the_table(settings, rows, inner):
    strategy = strategy_for(problem(**settings))
    assert type(strategy) is rows
    on_all_rows = strategy.inner if rows is OnLandmarks else strategy
    assert type(on_all_rows) is OnAllRows
    assert type(on_all_rows.inner) is inner
    assert on_all_rows.inner in STRATEGIES.values()


def test_all_strategies_fit_the_same_problem():
    whole = problem(codes=CODES, init="identity").with_clusters(2, rng)
    for strategy in STRATEGIES.values():
        fit = strategy.fit(whole, np.random.default_rng(0))
        assert fit.strategy is strategy
        assert fit.labels.shape == (30,)
        assert fit.result.W.shape == (4, 2)
        assert fit.point.objective.X is fit.problem.X


def test_fewer_rows_of_a_problem():
    index = np.arange(0, 30, 2)
    some = problem(codes=CODES, guidance=(Guidance(U, 3.0),)).take(index)
    np.testing.assert_array_equal(some.X, X[index])
    np.testing.assert_array_equal(some.codes, CODES[index])
    assert np.abs(some.guidance[0].U.sum(axis=0)).max() < 1e-12


def test_weights_are_per_cluster_beyond_the_first_but_as_printed():
    whole = problem(guidance=(Guidance(U, 3.0),))
    five = whole.with_clusters(5, rng)
    assert (five.n_clusters, five.guidance[0].weight, five.weight) == (5, 12.0, 8.0)
    printed = replace(whole, settings=ClusterSettings(objective="paper")).with_clusters(5, rng)
    assert (printed.guidance[0].weight, printed.weight) == (3.0, 2.0)


def test_a_rule_makes_the_kernel_for_rows_and_clusters():
    rule = replace(problem(), kernel=lambda _, counts, k, rng: Gaussian(float(k * counts.n)))
    assert rule.with_clusters(4, rng).fixed_kernel == Gaussian(120.0)


def test_constant_columns_are_left_out_unless_they_are_needed():
    constant = replace(problem(init=np.eye(5)[:, [1, 0]]), X=np.insert(X, 2, 7.0, axis=1))
    basis, varying = constant.on_varying_columns()
    np.testing.assert_array_equal(varying.X, X)
    np.testing.assert_array_equal(varying.settings.init, np.eye(4)[:, [1, 0]])
    assert basis.lift(np.ones((4, 1))).ravel().tolist() == [1.0, 1.0, 0.0, 1.0, 1.0]
    full = replace(constant, n_components=5, settings=ClusterSettings())
    assert full.on_varying_columns()[1].X.shape == (30, 5)


def test_a_start_along_constant_columns_is_refused():
    constant = replace(problem(init=np.eye(5)[:, [1, 2]]), X=np.insert(X, 2, 7.0, axis=1))
    with pytest.raises(ValueError, match=r"independent on the columns that vary.*rank is 1"):
        constant.on_varying_columns()


def test_a_large_number_of_clusters_is_refused():
    with pytest.raises(ValueError, match=r"n_clusters=31 and n_samples=30"):
        problem().with_clusters(31, rng)
