"""The dimension by the widest gap of Phi."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Status
from hsiclearn._selection import widest_gap
from hsiclearn._selection.rules import Eigengap, eigengap


def test_widest_gap():
    assert widest_gap(np.array([-5.0, -4.0, -1.0, 0.0, 0.5]), 5) == 2
    assert widest_gap(np.array([-5.0, 7.0]), 2) == 1
    assert widest_gap(np.array([-5.0]), 1) == 1
    steps = np.concatenate([np.arange(22.0), [100.0]])  # the widest gap lies beyond q = 20
    assert widest_gap(steps, 23) == 1


def with_gap(at):
    return np.concatenate([np.zeros(at), np.ones(6 - at)])


@pytest.fixture
def chosen(monkeypatch):
    """The dimension where Phi(0) has its widest gap at ``first`` and a fit at q at ``gaps[q]``."""

    def choose(first, gaps, status=Status.CONVERGED):
        at_zero = SimpleNamespace(lowest=lambda k: SimpleNamespace(values=with_gap(first)[:k]))
        objective = SimpleNamespace(matrix_at_zero=at_zero)
        monkeypatch.setattr(eigengap, "Objective", lambda *_: objective)

        def fit(q):
            result = SimpleNamespace(status=status, eigenvalues=with_gap(gaps[q]))
            return SimpleNamespace(result=result, q=q)

        rule = SimpleNamespace(kernel=lambda _: None, fit=fit)
        data = SimpleNamespace(rows=SimpleNamespace(n_features=6), gamma=None)
        settings = SimpleNamespace(engine="auto")
        problem = SimpleNamespace(data=data, settings=settings, at=lambda q: q)
        problem.of_dependence = lambda: problem
        return Eigengap(rule).fit(problem).q

    return choose


def test_it_stops_where_it_agrees_with_itself(chosen):
    assert chosen(3, {3: 2, 2: 2}) == 2


def test_a_circle_gives_its_smallest_member(chosen):
    assert chosen(4, {4: 3, 3: 1, 1: 3}) == 1


def test_an_interrupted_fit_is_the_last(chosen):
    assert chosen(3, {3: 2}, Status.INTERRUPTED) == 3
