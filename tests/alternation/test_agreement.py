"""Labels compared with those of other starts and of other rows."""

from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from clusterings import ESTIMATORS, fit, fitted, guide_of
from hsiclearn import Agreement, UnsupervisedHSIC
from hsiclearn._alternation import ClusterProblem, measure_agreement
from hsiclearn._alternation.problem import AbstractRepeatable, Attempt
from hsiclearn._estimators import badge_of
from hsiclearn.datasets import make_two_views
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.kernels import Gaussian

LABELS = np.arange(50) % 2


class Scripted(AbstractRepeatable):
    """The second refit is wrong in all rows below 25; the third is impossible."""

    def __init__(self):
        self.rows, self.calls = [], count(1)

    def fit(self, problem, rng):
        raise AssertionError("to measure agreement, nothing is fitted anew on all rows")

    def others(self, fit, rng):
        yield Attempt(np.arange(10, 30), 1 - LABELS[10:30], 0.01)  # other names, same clusters
        yield Attempt(np.arange(50), np.arange(50) // 25, 0.02)

    def refit(self, problem, rng):
        rows, call = problem.X[:, 0].astype(int), next(self.calls)
        self.rows.append(rows)
        if call == 3:
            raise DegenerateDataError("too few places")
        labels = np.where(np.arange(50) < 25, 0, LABELS) if call == 2 else LABELS.copy()
        labels[rows] = 7  # what it saw does not count
        point = SimpleNamespace(objective=SimpleNamespace(X=problem.X), W=np.eye(1))
        return point, lambda w: labels[w[:, 0].astype(int)]


def measured(strategy, labels=LABELS, codes=None):
    """Of a fit whose rows are numbered."""
    X = np.arange(50.0)[:, None]
    problem = ClusterProblem(X=X, kernel=Gaussian(), n_clusters=2, n_components=1, codes=codes)
    fit = SimpleNamespace(
        strategy=strategy, problem=problem, labelling=SimpleNamespace(labels=labels)
    )
    return measure_agreement(fit, np.random.default_rng(0))


def test_the_figures_are_rand_indices_of_the_rows_both_have():
    retry = Scripted()
    found = measured(retry)
    halves = adjusted_rand_score(LABELS, np.arange(50) // 25)
    new = np.setdiff1d(np.arange(50), retry.rows[1])
    wrong = adjusted_rand_score(LABELS[new], np.where(new < 25, 0, LABELS[new]))
    assert found.start_scores == pytest.approx((1.0, halves))
    assert found.start_costs == (0.01, 0.02)
    assert found.resample_scores == pytest.approx((1.0, wrong, 1.0))
    assert found.resamples == pytest.approx(np.mean(found.resample_scores))
    assert (found.n_starts, found.n_resamples, found.share) == (2, 3, 0.5)
    for one, other in (retry.rows[:2], retry.rows[2:]):  # halves, both ways
        assert sorted([*one, *other]) == list(range(50))


def test_rows_whose_label_was_given_do_not_count():
    known = np.where(np.arange(50) < 25, LABELS, -1)
    retry = Scripted()
    found = measured(retry, codes=known)
    assert found.resample_scores == (1.0, 1.0, 1.0)
    for rows in retry.rows:  # each half has its share of every label
        assert set(np.bincount(known[rows] + 1)[1:]) <= {6, 7}
    assert measured(Scripted(), codes=LABELS) == Agreement()


def test_nothing_to_find_again_is_not_found_again():
    """A row alone is in one half only: for the other every single cluster would be right."""
    labels = (np.arange(50) == 0).astype(int)
    assert measured(Scripted(), labels).n_resamples < 3


def test_one_cluster_has_nothing_to_agree_on():
    assert fitted("unsupervised", n_clusters=1).agreement_ == Agreement()


@pytest.mark.parametrize("name", ["unsupervised", "semi-supervised"])
@pytest.mark.parametrize("init", ["search", "identity"])
def test_clusters_that_are_there_come_out_again(name, init):
    X, labels = np.random.default_rng(0).standard_normal((100, 6)), np.arange(100) % 2
    X[:, 3] += 8.0 * labels
    model = ESTIMATORS[name](2, 1, init=init).fit(X, guide_of(name, labels))
    assert model.agreement_.resamples >= 0.9
    assert (model.agreement_.n_resamples, model.agreement_.share) == (4, 0.5)
    assert badge_of(model).kind == "good"


def test_an_alternative_comes_out_again():
    model = fitted("alternative")
    assert model.agreement_.resamples >= 0.9
    assert model.agreement_.starts is None
    assert fit("alternative").agreement_ == model.agreement_


@pytest.mark.parametrize("seed", range(2))
def test_clusters_of_noise_do_not_come_out_again(seed):
    """A refit that starts from the subspace of all rows gave agreement 1.00 here."""
    X = np.random.default_rng(seed).standard_normal((100, 30))
    for init in ("search", "identity"):
        model = UnsupervisedHSIC(2, 1, init=init, tol=1e-2).fit(X)
        assert model.agreement_.resamples < 0.5
        assert badge_of(model).kind == "bad"


def test_a_start_that_has_seen_all_rows_is_not_used():
    X = np.random.default_rng(0).standard_normal((100, 30))
    found = UnsupervisedHSIC(2, 1, tol=1e-2).fit(X).components_
    again = UnsupervisedHSIC(2, 1, init=found, tol=1e-2).fit(X)
    assert again.agreement_.resamples < 0.5


def test_fewer_rows_than_a_refit_needs_are_no_error():
    model = UnsupervisedHSIC(3, 1).fit(np.random.default_rng(0).standard_normal((3, 2)))
    assert model.agreement_.resamples is None


def test_clusters_that_are_not_there_do_not():
    X = np.random.default_rng(0).standard_normal((150, 4))
    model = UnsupervisedHSIC(3, 2, init="identity").fit(X)
    assert model.certificate_.settled
    assert not model.agreement_.is_stable


@pytest.mark.parametrize("name", ["unsupervised", "semi-supervised"])
def test_a_search_says_where_its_other_starts_ended(name):
    X, given, _ = make_two_views("blobs", 40, random_state=1)
    X = np.concatenate([X, np.random.default_rng(0).standard_normal((40, 2))], axis=1)
    model = ESTIMATORS[name](3, 1).fit(X, guide_of(name, given))
    found = model.agreement_
    assert found.n_starts >= 1
    assert len(found.start_scores) == len(found.start_costs) == found.n_starts
    assert found.starts == pytest.approx(np.mean(found.start_scores))
    assert found.n_resamples == 4


def test_the_form_as_printed_is_not_measured():
    assert fitted("unsupervised", objective="paper").agreement_ == Agreement()


@pytest.mark.parametrize("name", ["unsupervised", "alternative"])
def test_no_subspace_is_better_than_the_certificate_says(name):
    """The normalised cut is at least -k."""
    model = fitted(name)
    certificate = model.certificate_
    assert certificate.ended == "kink"
    assert model.cost_ * (1.0 + certificate.most_gain) == pytest.approx(-2.0)
    costs = [record.cost for record in model.result_.history][-11:]
    assert certificate.last_gain == pytest.approx((costs[0] - costs[-1]) / abs(model.cost_))


def test_no_bound_is_claimed_where_none_is_proven():
    assert fitted("semi-supervised").certificate_.most_gain is None
    assert fitted("unsupervised", normalize="none").certificate_.most_gain is None
