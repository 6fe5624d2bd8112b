"""What a point of a clustering objective tells of its clusters, from spectra written down."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn._counts import Counts
from hsiclearn._linalg import Spectrum
from hsiclearn._objective import (
    ClusterObjective,
    ClusterPoint,
    Guidance,
    check_weights,
    cluster_terms,
)
from hsiclearn._objective.cluster_terms import Embedding, GuidanceValue
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.kernels import Custom, Gaussian, Linear, Polynomial, RelativeGaussian
from registry import orthonormal

RNG = np.random.default_rng(23)
VECTORS = np.linalg.qr(RNG.standard_normal((6, 6)))[0]


def point(values, k=2, normalize="degree", degree=None, counts=None, guided=(), **given):
    facts = {"lower_bound": -float(k), "is_of_differences": True, "kernel": Gaussian(1.0)}
    objective = SimpleNamespace(
        n_clusters=k, normalize=normalize, counts=counts or Counts(6), **(facts | given)
    )
    values = np.asarray(values, dtype=float)
    spectrum = Spectrum(values, VECTORS[:, : values.size])
    embedding = Embedding(spectrum, VECTORS[:, :k], None)
    degree = np.full(6, 2.0) if degree is None else np.asarray(degree)
    return ClusterPoint(objective, np.eye(3), (None,), True, degree, embedding, tuple(guided))


@pytest.mark.parametrize(
    ("values", "k", "normalize", "tightness"),
    [
        ([1.0, 0.9, 0.5], 2, "degree", 0.1 / 0.5),
        ([2.0, 1.8, 1.0], 2, "degree", 0.1 / 0.5),  # relative to the largest
        ([1.0, 0.9, 0.5], 2, "none", 0.0 / 0.1),  # k clusters show in k - 1 eigenvalues
        ([1.0, 0.8, 0.7, 0.1], 3, "none", 0.2 / 0.3),
        ([1.0, 1.0, 1.0], 2, "degree", 0.0),
        ([1.0, 0.9], 2, "degree", 0.0),  # there is no other to stand against
        ([1.0, 0.9], 1, "none", 0.0),
        ([0.0, -1e-300, -1e-300], 2, "degree", 1.0),
    ],
)
def test_tightness(values, k, normalize, tightness):
    assert point(values, k, normalize).tightness == pytest.approx(tightness)


def test_clusters_stand_clear_up_to_a_fifth():
    assert point([1.0, 0.9, 0.49]).stands_clear
    assert not point([1.0, 0.9, 0.51]).stands_clear
    edge = point([1.0, 0.75, -0.25])
    assert edge.tightness == 0.2
    assert edge.stands_clear


def test_the_cost_is_that_of_the_largest_eigenvalues_and_of_guidance():
    guided = [GuidanceValue(0.5, 3.0, 0.0, 0.0), GuidanceValue(0.25, -1.0, 0.0, 0.0)]
    found = point([1.0, 0.9, 0.5], guided=guided)
    assert found.cost == pytest.approx(-1.9 + 2.0)
    assert found.assortativity == (0.5, 0.25)


@pytest.mark.parametrize(
    ("second", "third", "bound", "is_as_good"),
    [
        (0.9981, 0.0, -2.0, True),  # of a bound of -2 a thousandth is 0.002
        (0.9979, 0.0, -2.0, False),
        (0.9981, 0.995, -2.0, False),  # does not stand clear
        (0.9981, 0.0, -np.inf, False),
    ],
)
def test_as_good_as_any_but_for_a_thousandth(second, third, bound, is_as_good):
    assert point([1.0, second, third], lower_bound=bound).is_as_good_as_any == is_as_good


def test_rows_are_alone_whose_degree_is_their_own():
    """All but a thousandth of it, by weight where rows have weights."""
    degree = [1.0, 1.00099, 1.0011, 2.0, 1.0, 1.5]
    assert point([1.0, 0.9], degree=degree).n_alone == 3
    assert point([1.0, 0.9], degree=degree, is_of_differences=False).n_alone == 0
    weighted = Counts(6, np.array([0.5, 2.0, 1.0, 1.0, 0.3, 1.0]))
    degree = [0.5, 1.0, 1.1, 2.0, 0.302, 1.0005]
    assert point([1.0, 0.9], degree=degree, counts=weighted).n_alone == 3
    assert point([1.0, 0.9], degree=[0.0] * 6, kernel=-1.0 * Gaussian()).n_alone == 0
    twice = point([1.0, 0.9], degree=[2.0, 2.0019, 2.0021, 4, 4, 4], kernel=2.0 * Gaussian())
    assert twice.n_alone == 2


def test_eigenvectors_of_nothing_are_nothing():
    found = point([1.0, 0.9e-10, 0.5e-10]).embedding
    np.testing.assert_array_equal(found[:, 0], VECTORS[:, 0])
    assert not found[:, 1].any()
    kept = point([1.0, -1.1e-10, 0.0]).embedding
    np.testing.assert_array_equal(kept, VECTORS[:, :2])


def test_the_same_point_with_scales_that_stay():
    found = point([1.0, 0.9, 0.5])
    other = found.with_scales(False)
    assert (other.cost, other.scales_move, found.scales_move) == (found.cost, False, True)
    assert other.objective is found.objective
    assert other.degree is found.degree


# Terms -------------------------------------------------------------------------------------------


def test_guidance_by_hand():
    """``p = (n / Tr Psi) T / S``, T and S without the diagonal; away is squared, follow is not."""
    K = np.exp(-(np.subtract.outer(x := RNG.standard_normal(6), x) ** 2))
    U = np.repeat([[1.0], [-1.0]], 3, axis=0) * [[1.0, 0.5]]
    off = K - np.eye(6)
    T, mass = np.sum((U @ U.T) * off), off.sum()
    p = 6 / np.sum(U * U) * T / mass
    for follow, value, slope in ((True, -14 * p, 14.0), (False, 14 * p * p, -28.0 * p)):
        found = Guidance(U, 7.0, follow).evaluate(K @ U, mass, 1.0, 2.0)
        assert found.assortativity == pytest.approx(p)
        assert found.value == pytest.approx(value)
        scale = 6 / np.sum(U * U)
        assert found.a == pytest.approx(slope * scale / mass)
        assert found.b == pytest.approx(-slope * scale * T / mass**2)
    nothing = Guidance(0.0 * U, 7.0).evaluate(0.0 * U, mass, 1.0, 2.0)
    assert nothing == (0.0, 0.0, 0.0, 0.0)


def test_a_graph_without_edges_is_an_error():
    U = np.array([[1.0], [-1.0]])
    with pytest.raises(DegenerateDataError, match="no edges"):
        Guidance(U, 1.0).evaluate(U, 2e-9, 2.0, 1.0)
    assert Guidance(U, 1.0).evaluate(U, 2.1e-9, 2.0, 1.0).assortativity < 0.0


def test_guidance_on_chosen_rows_is_centred_among_those_that_are_known():
    U = np.array([[1.0], [2.0], [0.0], [-3.0], [0.0]])
    found = Guidance(U, 3.0, True).take(np.array([1, 2, 3]))
    np.testing.assert_allclose(found.U, [[2.5], [0.0], [-2.5]])
    assert (found.weight, found.follow) == (3.0, True)
    counts = Counts(3, np.array([3.0, 1.0, 1.0]))
    weighted = Guidance(U, 3.0).take(np.array([1, 2, 3]), counts)
    np.testing.assert_allclose(weighted.U, [[1.25], [0.0], [-3.75]])
    np.testing.assert_array_equal(Guidance(U, 1.0).take(np.array([2, 4])).U, np.zeros((2, 1)))


def bump(beta):
    """Negative where beta is about a hundred, and nowhere else."""
    return np.where(np.abs(np.asarray(beta) - 100.0) < 20.0, -1.0, 1.0)


@pytest.mark.parametrize(
    "kernel",
    [
        -1.0 * Gaussian(),
        Linear(),
        Polynomial(3),
        Custom(bump, np.zeros_like, np.zeros_like),
        Custom(lambda b: bump(-b), np.zeros_like, np.zeros_like, pair="inner"),
    ],
    ids=range(5),
)
def test_weights_of_a_graph_are_not_negative(kernel):
    with pytest.raises(ValueError, match="weights of a graph"):
        check_weights(kernel, "This")
    with pytest.raises(ValueError, match="normalize='degree' takes the values"):
        ClusterObjective(X, kernel, 2)
    check_weights(Gaussian() + 2.0 * RelativeGaussian(), "This")
    check_weights(Polynomial(2, 0.0), "This")


# Objectives --------------------------------------------------------------------------------------

X = RNG.standard_normal((20, 3)) + 5.0
AWAY = Guidance(np.repeat([[0.5], [-0.5]], 10, axis=0), 3.0)
FOLLOW = Guidance(AWAY.U, 4.0, follow=True)


def test_bounds_of_the_cost():
    """A cluster adds 1 to the cut, and n / k to the sum of eigenvalues of H K H."""
    cut = ClusterObjective(X, Gaussian(), 2, [AWAY, FOLLOW])
    assert cut.lower_bound == -6.0
    assert cut.proven_bound is None
    assert ClusterObjective(X, Gaussian(), 2, [AWAY]).proven_bound == -2.0
    plain = ClusterObjective(X, Gaussian(), 4, [FOLLOW], "none")
    assert plain.lower_bound == -5.0 * 8.0
    assert plain.proven_bound is None
    assert ClusterObjective(X, Linear(), 2, normalize="none").lower_bound == -np.inf
    weighted = ClusterObjective(X, Gaussian(), 4, [], "none", weights=np.full(20, 0.5))
    assert weighted.lower_bound == -2.5 * 4.0


@pytest.mark.parametrize(
    ("normalize", "kernel", "is_moved"),
    [
        ("degree", Gaussian(), True),
        ("none", Gaussian(), True),
        ("none", Linear(), True),
        ("none", Polynomial(2), False),
    ],
)
def test_rows_are_centred_where_nothing_sees_the_mean(normalize, kernel, is_moved):
    v = RNG.uniform(0.5, 2.0, 20)
    for weights in (None, v):
        objective = ClusterObjective(X, kernel, 2, (), normalize, weights=weights)
        mean = X.mean(axis=0) if weights is None else v @ X / v.sum()
        np.testing.assert_allclose(objective.X, X - mean if is_moved else X, atol=1e-12)


def test_its_values_are_taken_at_their_word():
    objective = ClusterObjective(X, Gaussian(), 2)
    assert (objective.noise, objective.slack, objective.column_cost) == (0.0, 0.0, 1.0)
    assert objective.rounding(None) == 0.0


def test_points_are_kept_while_w_and_scales_are_the_same():
    objective = ClusterObjective(X, RelativeGaussian(4), 2)
    W = np.array(orthonormal(3, 2, seed=0))
    first = objective.point(W)
    assert objective.evaluations == 1
    assert first.scales_move
    evaluated = []
    real, objective._evaluated = objective._evaluated, lambda *a: evaluated.append(1) or real(*a)
    with objective.frozen(W):
        still = objective.point(W)
        assert not evaluated
        assert not still.scales_move
        assert still.scales is first.scales
        assert not objective.point(W.copy()).scales_move  # elsewhere, by the same scales
        assert len(evaluated) == 1
    assert objective._frozen is None
    assert objective.evaluations == 3
    assert objective.has_scales
    assert not ClusterObjective(X, Gaussian(), 2).has_scales


def test_chosen_rows_have_the_same_objective():
    v = RNG.uniform(0.5, 2.0, 20)
    whole = ClusterObjective(X, Gaussian(2.0), 2, [AWAY], "none", "tiled", 1e-4, v)
    index = np.array([0, 3, 5, 12, 15, 19])
    part = whole.subset(index)
    assert (part.engine, part.accuracy, part.n_clusters, part.normalize) == (
        "tiled",
        1e-4,
        2,
        "none",
    )
    np.testing.assert_array_equal(part.counts.v, v[index])
    assert part.guidance[0].weight == 3.0
    known = part.counts.times(part.guidance[0].U).sum(axis=0)
    np.testing.assert_allclose(known, 0.0, atol=1e-12)
    assert whole.subset(index, 1e-2, Counts(6)).accuracy == 1e-2
    assert whole.subset(index, 1e-2, Counts(6)).counts.v is None
    assert ClusterObjective(X, Gaussian(), 2).accuracy == 1e-6
    assert ClusterObjective(X, Gaussian(), 2).normalize == "degree"


@pytest.mark.parametrize("normalize", ["degree", "none"])
@pytest.mark.parametrize("weights", [None, np.linspace(0.5, 2.0, 20)])
def test_the_embedding_is_of_the_graph(normalize, weights, monkeypatch):
    """The k largest eigenpairs and one more, and what Gamma takes of them; see the formulas."""
    asked, real = [], cluster_terms.top_eigenpairs
    monkeypatch.setattr(cluster_terms, "top_eigenpairs", lambda *a: asked.append(a[1:]) or real(*a))
    objective = ClusterObjective(X, Gaussian(2.0), 3, [], normalize, "dense", 1e-9, weights)
    W = orthonormal(3, 2, seed=4)
    found = objective.point(W)
    v = np.ones(20) if weights is None else weights
    w = X @ W
    K = np.exp(-((w[:, None] - w) ** 2).sum(axis=2) / 8.0)
    root, degree = np.sqrt(v), K @ v
    H = np.eye(20) - v / v.sum()
    graph = {
        "degree": K / np.sqrt(np.outer(degree, degree)),
        "none": H @ K @ H.T,
    }[normalize] * np.outer(root, root)
    values, vectors = np.linalg.eigh(graph)
    np.testing.assert_allclose(found.spectrum_of_graph.values, values[:-5:-1], atol=1e-7)
    np.testing.assert_allclose(found.degree, degree)
    n, k, guess, accuracy = asked[0][:4]
    total = 1.0 if normalize == "degree" else v.sum()
    assert (n, k, guess, accuracy) == (20, 3, None, pytest.approx(1e-9 * total))
    Y, top = vectors[:, :-4:-1] / root[:, None], values[:-4:-1]
    if normalize == "degree":
        Y /= np.sqrt(degree)[:, None]
        e = (vectors[:, :-4:-1] ** 2 @ top) / v
        G = Y @ Y.T - 0.5 * np.add.outer(e / degree, e / degree)
    else:
        G = (Y - v @ Y / v.sum()) @ (Y - v @ Y / v.sum()).T
    gamma = found.gamma.to_dense()
    np.testing.assert_allclose(gamma, v[:, None] * G * v, atol=1e-6 * np.abs(gamma).max())
    objective.point(W[:, ::-1])
    assert asked[1][2] is not None  # the eigenvectors found before
