"""Rows that count more than once, in everything that is done around the objective."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from hsiclearn._alternation import Extension, landmarks, rand_index, search
from hsiclearn._alternation.exact import Exact
from hsiclearn._alternation.guided_starts import label_factor, shows_most_rows
from hsiclearn._alternation.labelling import label_by_embedding, label_rows
from hsiclearn._alternation.labels import association, has_fair_sizes
from hsiclearn._alternation.landmarks import OnLandmarks
from hsiclearn._alternation.problem import ClusterProblem, ClusterSettings
from hsiclearn._alternation.sampling import two_weighted_samples
from hsiclearn._alternation.seeding import NeighborGraph
from hsiclearn._alternation.starts import quick_starts
from hsiclearn._counts import Counts
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._objective import ClusterObjective, Guidance
from hsiclearn.kernels import Gaussian, RelativeGaussian
from naive import assert_close
from registry import frozen, orthonormal

N = 60
rng = np.random.default_rng(80)
CODES = frozen(np.arange(N) % 3)
X = frozen(rng.standard_normal((N, 4)) + 4.0 * np.eye(4)[CODES])
V = frozen(rng.integers(1, 4, N).astype(float))
COUNTS = Counts(N, V)
TABLE = np.repeat(np.arange(N), V.astype(int))
ONCE = Counts(TABLE.size)
W = orthonormal(4, 2, seed=3)


def points(kernel, normalize="degree", k=3, W=W):
    """One subspace, seen by rows with weights and by repeated rows."""
    ours = ClusterObjective(X, kernel, k, normalize=normalize, weights=V)
    theirs = ClusterObjective(X[TABLE], kernel, k, normalize=normalize)
    return ours.point(W), theirs.point(W)


def seeded():
    return np.random.default_rng(0)


@pytest.mark.parametrize("normalize", ["degree", "none"])
@pytest.mark.parametrize("kernel", [Gaussian(1.5), RelativeGaussian(9)], ids=repr)
def test_new_rows_see_rows_as_often_as_they_count(kernel, normalize):
    ours, theirs = points(kernel, normalize)
    one, other = Extension.of(ours), Extension.of(theirs)
    new = rng.standard_normal((9, 2)) + one.rows[:9]
    a, b = one(new), other(new)
    assert_close(a @ a.T, b @ b.T, 1e-9)
    assert_close(one(one.rows), ours.embedding, 1e-6)
    codes = label_by_embedding(ours.embedding, one, 3, seeded()).labels
    np.testing.assert_array_equal(one.vote(new, codes), other.vote(new, codes[TABLE]))


@pytest.mark.parametrize("apart", [True, False])
def test_labels_are_those_of_repeated_rows(apart):
    """Also where they are joined from segments, or read from another graph."""
    ours, theirs = points(RelativeGaussian(7), W=np.eye(4)[:, :2] if apart else np.eye(4)[:, 2:])
    ours_by, theirs_by = (label_rows(p, seeded(), RelativeGaussian(5)) for p in (ours, theirs))
    np.testing.assert_array_equal(ours_by.labels[TABLE], theirs_by.labels)
    np.testing.assert_array_equal(ours_by(X @ W), theirs_by(X @ W))
    codes = ours_by.labels
    one = association(ours.objective.multiply_at(ours), ours.degree, codes, COUNTS)
    two = association(theirs.objective.multiply_at(theirs), theirs.degree, codes[TABLE])
    assert one == pytest.approx(two, rel=1e-12)


def test_sizes_by_weight():
    labels, beside = np.array([0, 1, 1]), np.array([0, 0, 1])
    assert has_fair_sizes(labels, beside)
    assert not has_fair_sizes(labels, beside, Counts(3, np.array([1.0, 9.0, 9.0])))


def test_the_neighbour_graph_is_that_of_repeated_rows():
    known = np.where(np.arange(N) < 9, CODES, -1)
    ours, theirs = NeighborGraph(X, 3, COUNTS), NeighborGraph(X[TABLE], 3)
    assert_close(ours.spectrum.values, theirs.spectrum.values, 1e-10)
    assert ours.association(CODES) == pytest.approx(theirs.association(CODES[TABLE]), rel=1e-10)
    for codes in (known, np.full(N, -1), np.where(CODES == 2, -1, known)):
        found = ours.labels(codes, seeded())
        np.testing.assert_array_equal(found[TABLE], theirs.labels(codes[TABLE], seeded()))


def test_label_factors_sum_to_zero_by_weight():
    known = np.where(np.arange(N) < 20, CODES, -1)
    ours = label_factor(CODES, known, 3, COUNTS)
    assert_close(ours[TABLE], label_factor(CODES[TABLE], known[TABLE], 3), 1e-12)
    outlier = np.concatenate([X, [[1e3, 0.0, 0.0, 0.0]]])
    assert not shows_most_rows(outlier)
    assert shows_most_rows(outlier, Counts(N + 1, np.append(np.ones(N), 1e-7)))


def test_rules_for_starts_are_those_of_repeated_rows():
    """All but that by local scatter, which asks for neighbours at a distance."""
    U = np.eye(3)[CODES] - V @ np.eye(3)[CODES] / V.sum()
    kernel = Gaussian(2.0)
    ours = ClusterObjective(X, kernel, 2, [Guidance(U, 5.0)], weights=V)
    theirs = ClusterObjective(X[TABLE], kernel, 2, [Guidance(U[TABLE], 5.0)])
    pairs = list(zip(quick_starts(ours, 2), quick_starts(theirs, 2), strict=True))
    assert {name.split("-")[0] for (name, _), _ in pairs} >= {"peel", "principal", "kurtosis"}
    for (name, one), (_, other) in pairs:
        if not name.startswith("local"):
            assert sine_of_largest_angle(one, other) < 1e-6, name


@pytest.mark.parametrize("others", [CODES, rng.integers(0, 4, N), np.zeros(N, dtype=int)])
def test_rand_index_by_weight(others):
    labels = rng.integers(0, 3, N)
    expected = adjusted_rand_score(labels[TABLE], others[TABLE])
    assert rand_index(labels, others, COUNTS) == pytest.approx(expected, abs=1e-12)
    assert rand_index(labels, labels, COUNTS) == pytest.approx(1.0)
    assert rand_index(labels, others, Counts(N, 1e-4 * V)) == pytest.approx(expected, abs=0.05)


# Some rows of many ------------------------------------------------------------------------------


def test_samples_are_drawn_by_weight_with_all_that_is_labelled():
    weights = np.random.default_rng(1).exponential(size=1000) ** 2
    weights[:7] = 500.0
    codes = np.full(1000, -1)
    codes[::100], codes[55] = 0, 1
    (index, ours), (others, theirs) = two_weighted_samples(weights, [codes], 100, rng)
    assert (index.size, others.size) == (100, 100)
    assert np.isin(np.flatnonzero(codes >= 0), index).all()
    for some, counts in ((index, ours), (others, theirs)):
        assert np.isin(np.arange(7), some).all()
        assert np.array_equal(np.unique(some), some)
        share = counts.v[some < 7].sum() / counts.total
        assert share == pytest.approx(weights[:7].sum() / weights.sum(), rel=0.1)


def test_a_search_draws_by_weight(monkeypatch):
    """Ten heavy rows are in every draw; the others stand for their like, in the unit of a draw."""
    monkeypatch.setattr(search, "_FEW_ROWS", 40)
    monkeypatch.setattr(search, "_MANY_ROWS", 80)
    rows = np.random.default_rng(2).standard_normal((300, 3))
    weights = np.where(np.arange(300) < 10, 300.0, 1.0)
    objective = ClusterObjective(rows, Gaussian(1.0), 2, weights=weights)
    few, many, index = search._samples(objective, rng)
    assert (few.n_samples, many.n_samples, index.size) == (40, 80, 80)
    assert np.array_equal(index[:10], np.arange(10))
    assert_close(many.X[:10] - many.X[0], rows[:10] - rows[0], 1e-12)
    for part, size in ((few, 40), (many, 80)):
        assert part.counts.total == pytest.approx(size)
        assert part.counts.v[:10].sum() / size == pytest.approx(3000 / 3290, rel=0.02)
    whole = search._samples(
        ClusterObjective(rows[:30], Gaussian(1.0), 2, weights=weights[:30]), rng
    )
    assert [part.counts.total for part in whole[:2]] == [3020.0, 3020.0]


def test_a_draw_of_few_rows_is_all_of_them():
    (index, ours), _ = two_weighted_samples(V, [], 100, rng)
    np.testing.assert_array_equal(index, np.arange(N))
    np.testing.assert_array_equal(ours.v, V)


@pytest.mark.parametrize("normalize", ["degree", "none"])
def test_weights_carried_by_landmarks(normalize, monkeypatch):
    """All rows as landmarks are the fit itself; half of them say what their weights stand for."""
    settings = ClusterSettings(normalize=normalize, engine="landmarks", init=np.eye(4)[:, :2])
    problem = ClusterProblem(
        X=X, kernel=Gaussian(2.0), n_clusters=3, n_components=2, settings=settings, row_weights=V
    )
    whole = Exact().fit(problem, seeded())
    monkeypatch.setattr(landmarks, "_LANDMARKS", N + 1)
    fit = OnLandmarks(Exact()).fit(problem, seeded())
    assert fit.result.engine_error.relative < 1e-5
    assert fit.result.cost == whole.result.cost
    np.testing.assert_array_equal(fit.labels, whole.labels)
    assert_close(V @ fit.embedding**2, np.ones(3), 1e-6)
    monkeypatch.setattr(landmarks, "_LANDMARKS", N // 2)
    part = OnLandmarks(Exact()).fit(problem, seeded())
    assert part.result.cost == pytest.approx(whole.result.cost, rel=0.3)
    assert_close(V @ part.embedding**2, np.ones(3), 0.5)
    assert adjusted_rand_score(part.labels, whole.labels) > 0.9
