"""With as many columns as rows any target can be fitted: rows held out alone decide."""

from functools import cache
from itertools import chain

import numpy as np
import pytest

from hsiclearn._paradigms import read_target, supervised_gamma
from hsiclearn._rows import as_rows
from hsiclearn._selection import median_distance
from hsiclearn._selection.candidates import Fits, proposals
from hsiclearn._selection.problem import bandwidth_grid
from hsiclearn._selection.ridge import held_out_losses
from hsiclearn._selection.sample import draw_sample, folds
from hsiclearn._selection.search import Search
from hsiclearn.kernels import Gaussian

N, D, Q = 90, 120, 2


@cache
def searched():
    """A target of two of 120 columns, 90 rows: the search, the kernels, what it chose and saw."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, D)) * np.r_[4.0, 3.0, np.ones(D - 2)]
    y = (X[:, 0] + X[:, 1] + rng.standard_normal(N) > 0.0).astype(int)
    target = read_target(y)
    sample = draw_sample(as_rows(X), supervised_gamma(target), 1000, rng, target.labels)
    kernels = [Gaussian(b) for b in bandwidth_grid(median_distance(X, rng), Q, D)]
    search = Search(sample, lambda q, metric: kernels, folds(N, 3, rng, target.labels))
    return search, kernels, *search.best(Q)


def lowest(one, fits):
    """W of a candidate on some rows: of several starts that met there is the one of lowest cost."""
    search, kernels, _, candidates = searched()
    apart = [c.start for c in candidates if c.kernel == one.kernel]
    listed = [
        p
        for p in chain.from_iterable(proposals(kernels, search.starts))
        if p.kernel == one.kernel and (p.start == one.start or p.start not in apart)
    ]
    return min((fits.fit(p) for p in listed), key=lambda fit: fit.cost).W


def loss_of(one, splits):
    """HO by fits made here, on the rows of each split alone."""
    search, *_ = searched()
    X, gamma, Y = search.sample.X, search.sample.gamma, search.Y
    parts = []
    for train, test in splits:
        fits = Fits(X[train], gamma.centered_on(train), Y[train], Q)
        Z = X @ lowest(one, fits)
        parts.append((Z[train], Y[train], Z[test], Y[test]))
    return held_out_losses(parts).sum()


def test_nobody_asks_how_well_rows_are_predicted_that_directions_have_seen():
    search, _, _, candidates = searched()
    assert search.is_wide
    assert np.isnan([one.leave_one_out for one in candidates]).all()
    assert all(one.criterion == one.held_out for one in candidates)


def test_the_chosen_one_is_judged_by_all_rows_and_fitted_on_all():
    search, _, chosen, candidates = searched()
    assert any(one is chosen for one in candidates)
    assert chosen.losses.size == N
    assert chosen.held_out == pytest.approx(loss_of(chosen, search.splits), rel=1e-6)
    assert len(chosen.W_without) == len(search.splits)
    whole = Fits(search.sample.X, search.sample.gamma, search.Y, Q)
    np.testing.assert_array_equal(chosen.W, lowest(chosen, whole))


def test_the_first_split_rules_out_only_what_is_a_tenth_worse_there():
    search, _, chosen, candidates = searched()
    first = {id(one): loss_of(one, search.splits[:1]) for one in candidates}
    for one in candidates:
        is_judged = one.losses.size == N
        assert is_judged == (first[id(one)] <= 1.1 * min(first.values()) * (1.0 + 1e-6))
        if is_judged:
            assert one.held_out >= chosen.held_out
        else:
            assert one.held_out == pytest.approx(first[id(one)], rel=1e-6)


def test_the_whole_path_has_both_losses():
    search, *_ = searched()
    assert np.isfinite([(one.leave_one_out, one.held_out) for one in search.all(Q)]).all()


def test_fewer_columns_than_rows_to_fit_on_are_not_wide():
    search, *_ = searched()
    rng = np.random.default_rng(0)
    y = np.arange(N) % 2
    sample = draw_sample(
        as_rows(rng.standard_normal((N, 40))), supervised_gamma(read_target(y)), N, rng
    )
    assert not Search(sample, search.kernels, search.splits).is_wide
