"""Ranks, the corrected t-test and standings, against values worked out by hand."""

import math

import pytest

from hsiclearn_benchmarks.quality.methods import OURS, RAW
from hsiclearn_benchmarks.quality.sets import SETS
from hsiclearn_benchmarks.quality.standing import Standing, compare, mean_rank, ranks


def test_ranks():
    assert ranks({"a": 3.0, "b": 1.0, "c": 2.0}) == {"a": 3.0, "b": 1.0, "c": 2.0}


def test_ties_share_the_mean_of_their_ranks():
    found = ranks({"a": 2.0, "b": 1.0, "c": 1.0 + 1e-10, "d": 1.0 + 1e-6})
    assert found == {"a": 4.0, "b": 1.5, "c": 1.5, "d": 3.0}
    assert ranks({"a": 5.0, "b": 5.0, "c": 5.0}) == {"a": 2.0, "b": 2.0, "c": 2.0}


def test_the_corrected_t_test_by_hand():
    # Differences 1, 3: mean 2, variance 2, times 1/2 + 1/4 is 1.5, so t = 2 / sqrt(1.5). With one
    # degree of freedom, Student's t is Cauchy's: p = 1 - (2 / pi) atan(t).
    gap, p_value, verdict = compare([2.0, 5.0], [1.0, 2.0], 0.25)
    assert gap == 2.0
    assert p_value == pytest.approx(1.0 - 2.0 / math.pi * math.atan(2.0 / math.sqrt(1.5)))
    assert verdict == "level"


def test_the_correction_takes_significance_away():
    # Two degrees of freedom: p = 1 - t / sqrt(2 + t^2).
    ours, theirs = [1.0, 2.0, 3.0], [-1.0, 0.5, 0.5]  # differences 2, 1.5, 2.5: variance 1/4
    t = 2.0 / math.sqrt(0.25 / 3.0)
    plain = compare(ours, theirs, 0.0)
    assert plain.p_value == pytest.approx(1.0 - t / math.sqrt(2.0 + t * t))
    assert plain.verdict == "significantly worse"
    assert compare(theirs, ours, 0.0).verdict == "significantly better"
    assert compare(ours, theirs, 1.0).verdict == "level"


def test_differences_without_spread():
    assert compare([1.0, 2.0], [1.0, 2.0], 0.25) == (0.0, 1.0, "level")
    assert compare([2.0, 3.0], [1.0, 2.0], 0.25).verdict == "significantly worse"


def standing(ours, lda, pca, raw=((0.0, 0.0), (0.0, 0.0))):
    errors = {OURS: ours, "lda": lda, "pca": pca, RAW: raw}
    return Standing(SETS["wine"], errors, dict.fromkeys(errors, 1.0))


def test_a_standing():
    found = standing([[1, 2], [6, 7]], [[3, 4], [3, 4]], [[9, 9], [9, 9]])
    assert found.error(OURS) == 4.0
    assert found.error(OURS, seed=0) == 1.5
    assert found.ranks() == {OURS: 2.0, "lda": 1.0, "pca": 3.0}
    assert found.ranks(seed=0)[OURS] == 1.0
    assert found.ranks(with_raw=True)[OURS] == 3.0
    assert found.best_rival == "lda"
    assert found.comparison.gap == 0.5
    assert found.has_contest
    assert not found.is_complete  # without the other rivals of a target of classes


def test_mean_ranks():
    first = standing([[1, 1], [1, 1]], [[2, 2], [2, 2]], [[3, 3], [3, 3]])
    second = standing([[3, 3], [1, 1]], [[1, 1], [1, 1]], [[2, 2], [9, 9]])
    assert mean_rank([first, second], OURS) == 1.5
    assert mean_rank([first, second], OURS, seed=1) == 1.25
    assert mean_rank([first, second], OURS, with_raw=True) == 2.5
    assert mean_rank([first, second], "nca") is None
    assert mean_rank([first, second], RAW) is None
