"""Where the verdicts of a certificate change, and what each says."""

from dataclasses import replace

import numpy as np
import pytest

from hsiclearn import Certificate
from hsiclearn._result import EngineError

FOUND = Certificate(
    orthogonality=0.0,
    stationarity=1e-7,
    curvature=0.25,
    second_order=True,
    eigengap=0.5,
    is_lowest=True,
    theorem1=True,
    full_rank=True,
    tol=1e-6,
    engine="dense",
)


@pytest.mark.parametrize(
    ("changes", "verified"),
    [
        ({}, True),
        ({"stationarity": 1e-6}, True),
        ({"stationarity": 1.01e-6}, False),
        ({"stationarity": np.nan}, False),
        ({"second_order": False}, False),
        ({"second_order": None}, False),
        ({"rounding": 1e-6}, True),
        ({"rounding": 1.01e-6}, False),
    ],
)
def test_verified_is_both_orders_up_to_the_tolerance(changes, verified):
    certificate = replace(FOUND, **changes)
    assert certificate.verified is verified
    assert certificate.lost_in_rounding is (changes.get("rounding", 0.0) > 1e-6)
    assert certificate.settled is False  # which is asked of clusterings


@pytest.mark.parametrize(
    ("changes", "settled"),
    [
        ({"ended": "kink", "stationarity": 1.0}, True),
        ({"ended": "creep", "stationarity": 1.0}, True),
        ({"ended": "max_iter", "stationarity": 1.0}, False),
        ({"ended": "max_iter", "stationarity": 1e-6}, True),
        ({"ended": "max_iter", "stationarity": 1.01e-6}, False),
    ],
)
def test_a_clustering_settles_by_its_end_or_its_gradient(changes, settled):
    assert replace(FOUND, **changes).settled is settled


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"curvature": np.inf}, "these directions span all columns that vary."),
        ({"eigengap": np.inf}, "these directions span all columns that vary."),
        ({"curvature": np.inf, "n_columns": 2}, "span all columns they may be made of."),
        ({"rounding": 2e-6}, "moved Phi by 2.0e-06 of its size, tolerance 1e-06"),
        ({"n_columns": 1}, "That is of directions made of the 1 column selected."),
        ({"n_columns": 3}, "That is of directions made of the 3 columns selected."),
        ({"curvature_rows": 500}, "a local optimum as far as 500 of them tell"),
        ({"second_order": False, "stationarity": 1.0}, "NOT a local optimum"),
        ({"second_order": None}, "there is no second derivative to judge by"),
        ({"ended": "creep", "stationarity": 1.0, "last_gain": 0.0}, "steps gain hardly anything"),
        (
            {"ended": "creep", "stationarity": 1.0, "last_gain": 0.0, "yardstick": "y"},
            "steps gain too little to be seen",
        ),
        ({"ended": "kink", "last_gain": 2e-3, "yardstick": "y"}, "gained 0.002 of y."),
        ({"ended": "kink", "last_gain": 2e-3}, "together gained 0.002 of the cost."),
        ({"ended": "kink", "last_gain": 0.0, "most_gain": 0.9e-6}, "the lowest that any subspace"),
        ({"ended": "kink", "last_gain": 0.0, "most_gain": 0.25}, "lower it by more than 25 %."),
    ],
)
def test_the_words_are_those_of_the_figures(changes, words):
    assert words in replace(FOUND, **changes).verdict


def test_a_notebook_shows_columns_only_where_some_were_selected():
    assert "n_columns" not in FOUND._repr_html_()
    html = replace(FOUND, n_columns=4, theorem1=None)._repr_html_()
    assert ">n_columns</th>" in html
    assert ">not judged</td>" in html
    assert ">0.25</td>" in html


def test_what_a_finer_engine_would_remove():
    assert EngineError(relative=3.0, rounding=1.0).approximation == 2.0
    exact = EngineError()
    assert (exact.relative, exact.guaranteed, exact.angle) == (0.0, True, 0.0)
    assert (exact.n_features, exact.rounding, exact.approximation) == (0, 0.0, 0.0)
