"""What is said of a clustering: whether it comes out again, and where its descent ended."""

from dataclasses import replace

import pytest

from hsiclearn import Agreement, Certificate
from hsiclearn._result import Levels

STABLE = Agreement(
    starts=0.99,
    n_starts=2,
    start_scores=(1.0, 0.98),
    start_costs=(0.0, 0.2),
    resamples=0.9625,
    n_resamples=4,
    resample_scores=(1.0, 1.0, 1.0, 0.85),
    share=0.5,
)
SETTLED = Certificate(
    orthogonality=0.0,
    stationarity=1e-2,
    curvature=float("nan"),
    second_order=None,
    eigengap=0.1,
    is_lowest=False,
    theorem1=None,
    full_rank=True,
    tol=1e-6,
    engine="dense",
    ended="kink",
    last_gain=2e-6,
    most_gain=0.0031,
)


def test_a_stable_clustering_in_words():
    assert STABLE.is_stable
    assert STABLE.rivals == ()
    assert STABLE.in_words() == (
        "Refitted 4 times on 50 % of the rows and tried on others, the clusters come out the same "
        "(adjusted Rand index 0.96 on average, 0.85 at least). From 2 other starts the search "
        "ended in the same clusters (1.00, 0.98)."
    )


def test_a_clustering_that_does_not_come_out_again_is_called_so():
    shaky = replace(STABLE, resamples=0.3, resample_scores=(0.3,) * 4)
    assert shaky.is_stable is False
    assert "do not build on them" in shaky.in_words()


def test_another_start_counts_only_where_it_is_as_good():
    elsewhere = {"starts": 0.1, "n_starts": 1, "start_scores": (0.1,)}
    as_low = replace(STABLE, **elsewhere, start_costs=(0.001,))
    higher = replace(STABLE, **elsewhere, start_costs=(0.05,))
    assert as_low.rivals == (0.1,)
    assert "more than one answer" in as_low.in_words()
    assert higher.rivals == ()
    assert "at a higher cost" in higher.in_words()


def test_what_was_not_measured_is_not_judged():
    assert Agreement().is_stable is None
    assert "not measured" in Agreement().in_words()


@pytest.mark.parametrize(
    ("changes", "settled", "beginning"),
    [
        ({}, True, "Settled: no step lowers the cost any further, as at a kink"),
        ({"ended": "creep"}, True, "Settled where the descent creeps"),
        ({"ended": "converged", "stationarity": 1e-7}, True, "Settled at a stationary subspace"),
        ({"ended": "max_iter"}, False, "NOT settled: steps still lower the cost"),
    ],
)
def test_the_verdict_on_a_clustering_says_where_it_settled(changes, settled, beginning):
    certificate = replace(SETTLED, **changes)
    assert certificate.settled is settled
    assert not certificate.verified  # there is no second order to verify
    assert certificate.verdict.startswith(beginning)
    assert f"the gradient is {certificate.stationarity:.1e} of |Phi|" in certificate.verdict
    assert certificate.verdict.endswith(
        "together gained 2e-06 of the cost; no subspace at all can lower it by more than 0.31 %."
    )
    assert "NOT verified" not in certificate.verdict


def test_at_the_bound_there_is_nothing_left():
    verdict = replace(SETTLED, most_gain=1e-15).verdict
    assert "The cost is the lowest that any subspace can have" in verdict


def test_without_a_proven_bound_none_is_claimed():
    assert "no subspace" not in replace(SETTLED, most_gain=None).verdict


def test_levels_in_words():
    one = Levels((3,), ("year",), 5, 0.99).in_words()
    assert one.startswith("The clusters are only the levels of 'year': 5 different values")
    assert "leave it out (in the command: --drop)" in one
    three = Levels((3, 4, 5), ("a", "b", "c"), 4, 0.99).in_words()
    assert "'a', 'b' and 'c'" in three
    assert "leave them out" in three


def test_what_is_not_known_is_the_same():
    """NaN beside NaN, whichever object it is: models that are loaded bring their own."""
    assert Agreement(share=float("nan")) == Agreement(share=float("nan"))
    assert hash(Agreement(share=float("nan"))) == hash(Agreement())
    assert Agreement(share=0.5) != Agreement()
    assert Agreement() != 0.5
