"""What a selection says of itself."""

import numpy as np
import pytest

from hsiclearn._selection import Candidate, Neighbours, Selection
from hsiclearn.kernels import Gaussian


def test_neighbours_far_above_chance_are_a_finding_without_a_share():
    """Fourteen classes in 64 rows: too few of each for a regression, not for neighbours."""
    found = Candidate(2, Gaussian(1.0), "path", 0.5, 1.17)
    known, noise = (Neighbours(8, "accuracy", share, 0.45, 0.125) for share in (0.33, 0.2))
    assert known.errors_above_chance(64) == pytest.approx(0.205 / np.sqrt(0.125 * 0.875 / 64))
    assert Selection(found, (found,), 64, known).found_dependence
    assert not Selection(found, (found,), 64, noise).found_dependence
    assert not Selection(found, (found,), 64).found_dependence


@pytest.mark.parametrize(
    ("n", "d", "n_rows", "held_out", "expected"),
    [
        (100, 100, 100, 100, []),
        (99, 5, 99, 99, ["made on 99 rows. With"]),
        (200, 201, 200, 200, ["more columns (201) than rows (200)"]),
        (64, 6830, 64, 64, ["made on 64 rows.", "more columns (6830) than rows (64)"]),
        (1000, 1100, 1300, 1000, []),  # the rule looked at some of the rows
        (1000, 1100, 0, 0, ["more columns (1100) than rows (1000)"]),  # of an earlier version
        (200, 5, 200, 20, ["made on 200 rows, 20 rows or groups held out"]),
    ],
)
def test_few_rows_are_told(n, d, n_rows, held_out, expected):
    candidate = Candidate(1, Gaussian(1.0), "path", 0.1, 0.2)
    known = Neighbours(15, "accuracy", 0.9, 0.8, 0.5, held_out)
    selection = Selection(candidate, (candidate,), n, known, n_features=d, n_rows=n_rows)
    caution = selection.caution
    assert all(words in caution for words in expected)
    assert bool(caution) == bool(expected)
