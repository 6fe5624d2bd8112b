"""Rows are plenty: fitted on some, judged by others."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from hsiclearn import SupervisedHSIC
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn._rows import as_rows
from hsiclearn._selection import median_distance
from hsiclearn._selection import problem as rules_problem
from hsiclearn._selection.candidates import STARTS, Candidate, Fits, proposals
from hsiclearn._selection.contest import _smoothest
from hsiclearn._selection.problem import bandwidth_grid
from hsiclearn._selection.ridge import held_out_losses, responses
from hsiclearn._selection.sample import draw_sample
from hsiclearn._selection.search import Search
from hsiclearn.datasets import make_planted
from hsiclearn.kernels import Gaussian

N, D = 300, 6


def search(kind="ring", seed=0):
    X, y, W = make_planted(kind, N, D, random_state=seed)
    rng = np.random.default_rng(seed)
    target = read_target(y)
    sample = draw_sample(as_rows(X), supervised_gamma(target, rng), N, rng, target.labels)
    split = np.arange(0, N, 2), np.arange(1, N, 2)
    median = median_distance(X, rng)

    def kernels(q, _metric=None):
        return [Gaussian(b) for b in bandwidth_grid(median, q, D)]

    return Search(sample, kernels, [split], is_fresh=True), sample, split, kernels, W


def test_a_candidate_is_fitted_on_the_first_rows_and_judged_by_the_others():
    fresh, sample, (train, test), kernels, _ = search()
    chosen, looked_at = fresh.best(2)
    Y, k = responses(sample.gamma), kernels(2).index(chosen.kernel)
    level = proposals(kernels(2), STARTS)[k]
    fits = Fits(sample.X[train], sample.gamma.centered_on(train), Y[train], 2)
    Z = sample.X @ fits.fit(level[STARTS.index(chosen.start)]).W
    expected = held_out_losses([(Z[train], Y[train], Z[test], Y[test])]).sum()
    assert chosen.held_out == pytest.approx(expected, rel=1e-9)  # the search has one BLAS thread
    assert chosen.criterion == chosen.held_out == min(c.held_out for c in looked_at)
    assert np.isnan([c.leave_one_out for c in looked_at]).all()


@pytest.mark.parametrize("kind", ["xor", "ring", "product"])
def test_it_finds_what_is_planted(kind):
    fresh, _, _, _, W = search(kind)
    assert sine_of_largest_angle(W, fresh.best(2)[0].W) < np.sin(np.radians(25))


def test_it_finds_how_many_directions_there_are():
    assert search("product")[0].best_dimension(4)[0].n_components == 2


@pytest.mark.parametrize(("cv", "n_samples"), [(3, 200), (KFold(3), 400)])
def test_the_estimator_takes_fresh_rows_unless_told_which(monkeypatch, cv, n_samples):
    for name, value in {"_PLENTY": 400, "_FITTED": 120, "_JUDGED": 80, "MOST_ROWS": 500}.items():
        monkeypatch.setattr(rules_problem, name, value)
    X, y, W = make_planted("ring", 400, 5)
    model = SupervisedHSIC(2, objective="dependence", cv=cv).fit(X, y)
    assert model.selection_.n_samples == n_samples
    assert np.isnan(model.selection_.chosen.leave_one_out) == (n_samples == 200)
    assert model.certificate_.second_order
    assert sine_of_largest_angle(W, model.components_.T) < np.sin(np.radians(20))


def test_rows_held_out_are_the_fresh_ones(monkeypatch):
    monkeypatch.setattr(rules_problem, "_PLENTY", 300)
    monkeypatch.setattr(rules_problem, "_FITTED", 90)
    monkeypatch.setattr(rules_problem, "_JUDGED", 150)
    X, y, _ = make_planted("sine", N, D, random_state=0)
    model = SupervisedHSIC(1).fit(X, y)
    selection = model.selection_
    assert selection.neighbours.in_subspace > 0.7 > selection.neighbours.on_all_columns + 0.4
    assert selection.out_of_fold.rows.size == 150
    there = model.transform(X)[selection.out_of_fold.rows]
    assert np.corrcoef(selection.out_of_fold.Z[:, 0], there[:, 0])[0, 1] > 0.95


def test_of_kernels_that_are_level_the_smoothest_is_taken():
    kernels = [Gaussian(b) for b in (4.0, 2.0, 1.0)]
    losses = [0.5, 0.401, 0.404, 0.4, 0.41]
    made = [
        Candidate(2, kernels[k], start, np.nan, loss)
        for (k, start), loss in zip(
            [(0, "path"), (1, "path"), (1, "second-moments"), (2, "path"), (2, "second-moments")],
            losses,
            strict=True,
        )
    ]
    assert _smoothest(made) is made[1]
    assert _smoothest([made[0], made[3]]) is made[3]
