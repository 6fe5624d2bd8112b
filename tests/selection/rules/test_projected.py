"""The median distance in the subspace that is found with it."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from hsiclearn import Status, SupervisedHSIC
from hsiclearn._rows import as_rows
from hsiclearn._selection.rules import Projected
from hsiclearn.datasets import make_planted

rng = np.random.default_rng


@dataclass
class Problem:
    """One whose fits are told beforehand, and which remembers what it was asked."""

    data: SimpleNamespace
    answer: object  # W for the number of a fit
    status: Status = Status.CONVERGED
    start: object = None
    asked: list = field(default_factory=list)

    @classmethod
    def on(cls, X, first, answer, **settings):
        data = SimpleNamespace(
            rows=as_rows(X),
            gamma=SimpleNamespace(row_weights=None),
            median=first,
            rng=rng(),
            kernel=lambda b: b,
        )
        return cls(data, answer, **settings)

    def in_round(self, number):
        assert number == len(self.asked)
        return self

    def starting_from(self, W):
        return replace(self, start=W)

    def fit_with(self, bandwidth):
        self.asked.append((bandwidth, self.start))
        W = self.answer(len(self.asked))
        return SimpleNamespace(kernel=bandwidth, result=SimpleNamespace(W=W, status=self.status))


@pytest.mark.parametrize(("kind", "q"), [("ring", 2), ("sine", 1), ("step", 3)])
def test_the_bandwidth_is_the_median_distance_in_its_own_subspace(kind, q):
    X, y, _ = make_planted(kind, 150, 6)
    model = SupervisedHSIC(q, bandwidth="median-projected").fit(X, y)
    assert model.bandwidth_ < np.median(pdist(X))
    assert model.bandwidth_ == pytest.approx(np.median(pdist(model.transform(X))), rel=1e-3)


def test_it_goes_on_from_the_subspace_before():
    X, W = rng(0).standard_normal((40, 3)), np.eye(3)[:, :1]
    problem = Problem.on(X, 7.0, lambda _: W)
    bandwidth = Projected().fit(problem).kernel
    assert bandwidth == pytest.approx(np.median(pdist(X[:, :1])), rel=1e-12)
    assert [b for b, _ in problem.asked] == [7.0, bandwidth]
    assert problem.asked[0][1] is None
    assert problem.asked[1][1] is W


def test_a_bandwidth_that_fits_is_left_alone():
    X = rng(0).standard_normal((40, 3))
    first = 1.0005 * np.median(pdist(X[:, :2]))
    problem = Problem.on(X, first, lambda _: np.eye(3)[:, :2])
    assert Projected().fit(problem).kernel == first
    assert len(problem.asked) == 1


def test_it_ends_where_nothing_settles():
    """Answers that alternate between two scales for ever."""
    X = rng(0).standard_normal((40, 2)) * [1.0, 10.0]
    problem = Problem.on(X, 1.0, lambda number: np.eye(2)[:, [number % 2]])
    assert Projected().fit(problem).kernel == problem.asked[-1][0]
    assert len(problem.asked) == 11


def test_rows_that_meet_in_the_subspace_keep_the_bandwidth():
    X = np.column_stack([np.arange(20.0), np.zeros(20)])
    problem = Problem.on(X, 3.0, lambda _: np.eye(2)[:, 1:])
    assert Projected().fit(problem).kernel == 3.0
    assert len(problem.asked) == 1


def test_an_interrupted_fit_is_the_last():
    X = rng(0).standard_normal((40, 3))
    problem = Problem.on(X, 7.0, lambda _: np.eye(3)[:, :1], status=Status.INTERRUPTED)
    fitted = Projected().fit(problem)
    assert fitted.kernel == 7.0
    assert fitted.result.status is Status.INTERRUPTED
    assert len(problem.asked) == 1
