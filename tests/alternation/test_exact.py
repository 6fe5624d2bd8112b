"""Which of the candidates wins, and when the last descent ends."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from data_folder import data_file
from hsiclearn import Status, UnsupervisedHSIC
from hsiclearn._alternation import ClusterSettings
from hsiclearn._alternation.exact import settle_from
from hsiclearn._objective import ClusterObjective
from hsiclearn.datasets import load_cancer
from hsiclearn.kernels import Gaussian, RelativeGaussian
from problems import standardised
from registry import orthonormal


@pytest.fixture(scope="module")
def cancer():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HSICLEARN_DATA", str(data_file("cancer").parent))
        return StandardScaler().fit_transform(load_cancer(paper=True).X)


def test_where_the_objective_does_not_saturate_the_lowest_cost_wins(cancer):
    """A clearer clustering lies within a thousandth of the lowest cost there, and must not win."""
    model = UnsupervisedHSIC(2, 2, normalize="none", kernel=Gaussian(3.7658)).fit(cancer)
    assert model.cost_ + 2 <= -33.6785
    started = [tried.cost for tried in model.starts_]
    assert model.cost_ <= np.min(started) + 1e-9


def settled(normalize, **worth):
    X = standardised("wine")[0]
    objective = ClusterObjective(X, RelativeGaussian(7), 3, normalize=normalize)
    W = orthonormal(X.shape[1], 4, 0)
    run = settle_from("array", W, objective, ClusterSettings(), **worth).run
    return np.array([record.cost for record in run.history]), run.status, objective


def test_a_descent_that_creeps_above_its_bound_ends(monkeypatch):
    monkeypatch.setattr("hsiclearn._alternation.exact._MANY_UNKNOWNS", 30)
    costs, status, objective = settled("degree")
    patient = settled("degree", worth=0.0)[0]
    assert status is Status.SETTLED
    assert costs.size < patient.size
    assert np.array_equal(costs, patient[: costs.size])  # the same way, but not to its end
    gains = (costs[1:-10] - costs[11:]) / (costs[11:] - objective.lower_bound)
    assert gains[-1] < 1e-2
    assert np.all(gains[:-1] >= 1e-2)


def test_with_few_unknowns_it_goes_on():
    assert np.array_equal(settled("degree")[0], settled("degree", worth=0.0)[0])


@pytest.mark.long
def test_far_above_a_bound_out_of_reach_it_goes_on(monkeypatch):
    monkeypatch.setattr("hsiclearn._alternation.exact._MANY_UNKNOWNS", 30)
    assert np.array_equal(settled("none")[0], settled("none", worth=0.0)[0])
