"""What a change of shape must not change: every step of a fixed list of descents and searches."""

from __future__ import annotations

import json

import pytest
import scipy

from answers.fits import architecture
from answers.paths import PATHS, STORED, path

STORE = json.loads(STORED.read_text())
# Other routines of BLAS round sums in another order: a step more or less is then no surprise.
# So it is of L-BFGS-B, which another version of scipy has in another language.
SAME_BLAS = STORE["architecture"] == architecture() and STORE["scipy"] == scipy.__version__[:4]


def test_every_path_is_kept():
    assert list(STORE["paths"]) == list(PATHS)


@pytest.mark.parametrize("name", PATHS)
def test_the_path_is_the_one_that_is_kept(name):
    found, kept = path(name), STORE["paths"][name]
    if not SAME_BLAS:
        found, kept = [_numbers(rows[0])[:1] for rows in (found, kept)]
        assert found == pytest.approx(kept, rel=1e-3)
        return
    assert [_words(row) for row in found] == [_words(row) for row in kept]
    for here, there in zip(found, kept, strict=True):
        assert _numbers(here) == pytest.approx(_numbers(there), rel=1e-5, abs=1e-12)


def _words(row):
    """Names and counts, which are the same or not."""
    return [value for value in row if not isinstance(value, float)]


def _numbers(row):
    return [value for value in row if isinstance(value, float)]
