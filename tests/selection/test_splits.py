"""Which rows are held out."""

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, StratifiedKFold

from hsiclearn._selection.sample import folds, make_splits, shares

RARE = np.repeat([0, 1, 2, 3], [20, 11, 2, 1])


def generator(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("labels", [None, RARE], ids=["plain", "stratified"])
@pytest.mark.parametrize("n_folds", [2, 3, 5])
def test_every_row_is_held_out_once(n_folds, labels):
    splits = folds(34, n_folds, generator(), labels)
    assert len(splits) == n_folds
    np.testing.assert_array_equal(np.sort(np.concatenate([b for _, b in splits])), np.arange(34))
    for train, test in splits:
        np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(34))
    sizes = [test.size for _, test in splits]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("n_folds", [2, 3, 5])
def test_every_fold_has_its_share_of_each_class(n_folds):
    """Within one row, also of a class with fewer rows than there are folds."""
    order = generator(1).permutation(RARE.size)
    labels = RARE[order]
    splits = folds(34, n_folds, generator(), labels)
    counts = np.array([np.bincount(labels[test], minlength=4) for _, test in splits])
    assert (np.ptp(counts, axis=0) <= 1).all()
    np.testing.assert_array_equal(counts.sum(axis=0), np.bincount(RARE))


def test_labels_of_any_kind():
    splits = folds(34, 3, generator(), RARE)
    names = folds(34, 3, generator(), np.array(["a", "b", "c", "d"])[RARE])
    for (_, test), (_, named) in zip(splits, names, strict=True):
        np.testing.assert_array_equal(test, named)


def test_the_generator_decides_and_nothing_else():
    first, again, other = (folds(34, 3, generator(seed), RARE) for seed in (0, 0, 1))
    same = [np.array_equal(a, b) for (_, a), (_, b) in zip(first, again, strict=True)]
    assert all(same)
    assert not all(np.array_equal(a, b) for (_, a), (_, b) in zip(first, other, strict=True))


@pytest.mark.parametrize("cv", [4, np.int64(4)])
def test_a_number_is_that_many_folds(cv):
    splits, expected = make_splits(cv, 34, generator(), RARE), folds(34, 4, generator(), RARE)
    assert len(splits) == 4
    for (train, test), (a, b) in zip(splits, expected, strict=True):
        np.testing.assert_array_equal(train, a)
        np.testing.assert_array_equal(test, b)


@pytest.mark.parametrize(
    "cv", [KFold(4), StratifiedKFold(2), ShuffleSplit(3, test_size=0.25, random_state=0)]
)
@pytest.mark.filterwarnings("ignore:The least populated class")
def test_splitters_of_scikit_learn(cv):
    expected = list(cv.split(np.zeros((34, 1)), RARE))
    splits = make_splits(cv, 34, generator(), RARE)
    assert len(splits) == len(expected)
    for (train, test), (a, b) in zip(splits, expected, strict=True):
        np.testing.assert_array_equal(train, a)
        np.testing.assert_array_equal(test, b)


def test_a_stratified_splitter_without_classes_just_splits():
    splits = make_splits(StratifiedKFold(3), 30, generator())
    assert [test.size for _, test in splits] == [10, 10, 10]


def test_pairs_are_taken_as_they_are():
    train, test = make_splits([([0, 1, 2], [4, 3])], 5, generator())[0]
    assert train.tolist() == [0, 1, 2]
    assert test.tolist() == [4, 3]
    assert len(make_splits(iter([([0], [1]), ([1], [0])]), 2, generator())) == 2


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ([], r"at least one split.*Got 0 splits"),
        ([([0, 1], [2]), ([0, 1], [])], r"rows to hold out.*sizes \[\(2, 1\), \(2, 0\)\]"),
        ([([], [0, 1])], r"rows to fit on.*sizes \[\(0, 2\)\]"),
    ],
)
def test_splits_of_nothing_are_refused(cv, message):
    with pytest.raises(ValueError, match=message):
        make_splits(cv, 3, generator())


@pytest.mark.parametrize("labels", [None, np.arange(200) % 4 == 0])
def test_shares_part_the_rows_and_every_class(labels):
    first, second = shares(200, 0.375, np.random.default_rng(0), labels)
    np.testing.assert_array_equal(np.sort(np.concatenate([first, second])), np.arange(200))
    assert first.size == 75
    if labels is not None:
        assert labels[first].sum() == pytest.approx(0.375 * labels.sum(), abs=1)


@pytest.mark.parametrize("cv", [1, 0, 41, [(np.array([0.5, 1.0]), np.array([2.0]))]])
def test_counts_and_indices_must_fit_the_rows(cv):
    with pytest.raises(ValueError, match="`cv`"):
        make_splits(cv, 40, np.random.default_rng(0))


def test_what_a_splitter_asks_for_is_told():
    with pytest.raises(ValueError, match="groups"):
        make_splits(GroupKFold(3), 40, np.random.default_rng(0))
