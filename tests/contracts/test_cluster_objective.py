"""Clustering objectives: cost, Gamma and gradient against n x n matrices and finite differences."""

from itertools import product

import numpy as np
import pytest

from hsiclearn._certificate import certify
from hsiclearn._objective import ClusterObjective, Guidance
from hsiclearn.kernels import Cauchy, Gaussian, Linear, RelativeGaussian
from naive import assert_close, derivative
from naive_clustering import assortativity, cost, cost_of_matrix, kernel_matrix, sigmas
from registry import W, Z, frozen, one_hot, orthonormal

N, K = 40, 3
rng = np.random.default_rng(50)
X = frozen(rng.standard_normal((N, 4)) + 1.5 * one_hot(np.arange(N) % 4))
CODES = frozen(rng.integers(0, 3, N))
OTHER = frozen(rng.integers(0, 2, N))


def centered(codes):
    """``H Y``."""
    Y = one_hot(codes)
    return Y - Y.mean(axis=0)


def partly(codes, n_known):
    """One-hot labels of the first rows, centred among them; zero elsewhere."""
    U = np.zeros((len(codes), codes.max() + 1))
    U[:n_known] = one_hot(codes)[:n_known]
    U[:n_known] -= U[:n_known].mean(axis=0)
    return U


GUIDANCE = {
    "none": [],
    "away": [Guidance(centered(CODES), 20.0)],
    "follow": [Guidance(partly(CODES, 15), 2.0, follow=True)],
    "two labellings": [Guidance(centered(CODES), 20.0), Guidance(centered(OTHER), 5.0)],
}
KERNELS = {
    "gaussian": Gaussian(1.2),
    "relative-gaussian": RelativeGaussian(5),
    "cauchy": Cauchy(),
    "two-terms": 0.5 * Gaussian(2.0) + RelativeGaussian(5, floor=0.8),
}
CASES = list(product(("degree", "none"), GUIDANCE, KERNELS))


@pytest.fixture(params=CASES, ids="-".join)
def case(request):
    normalize, guidance, kernel = request.param
    return KERNELS[kernel], GUIDANCE[guidance], normalize


@pytest.fixture
def objective(case):
    kernel, guidance, normalize = case
    return ClusterObjective(X, kernel, K, guidance, normalize)


def entry_by_entry(function, W, h=1e-5):
    """The gradient of a function of W, measured."""
    measured = np.zeros(W.shape)
    for index in np.ndindex(*W.shape):
        step = np.zeros(W.shape)
        step[index] = 1.0
        measured[index] = derivative(lambda h, step=step: function(W + h * step), h)
    return measured


def test_cost_is_the_written_out_formula(objective, case):
    kernel, guidance, normalize = case
    expected = cost(X, W, kernel, K, guidance, normalize)
    assert objective.cost(W) == pytest.approx(expected, rel=1e-12)


def test_spectrum_embedding_and_assortativity(objective, case):
    kernel, guidance, normalize = case
    point = objective.point(W)
    matrix = kernel_matrix(kernel, X @ W)
    A = matrix
    if normalize == "degree":
        A = matrix / np.sqrt(np.outer(matrix.sum(axis=1), matrix.sum(axis=1)))
    else:
        A = A - A.mean(axis=0)
        A = A - A.mean(axis=1, keepdims=True)
    values, Y = point.spectrum_of_graph.values, point.embedding
    assert_close(values, np.linalg.eigvalsh(A)[::-1][: K + 1], 1e-12)
    assert Y.shape == (N, K)
    assert_close(Y.T @ Y, np.eye(K), 1e-12)
    assert_close(A @ Y, Y * values[:K], 1e-11)
    expected = [assortativity(matrix, term.U) for term in guidance]
    assert point.assortativity == pytest.approx(expected, abs=1e-12)


def test_gradient_by_finite_differences(objective, case):
    """Of the formula written out, not of the objective's own cost."""
    kernel, guidance, normalize = case
    measured = entry_by_entry(lambda V: cost(X, V, kernel, K, guidance, normalize), W)
    phi = objective.phi(W)
    np.testing.assert_array_equal(phi, phi.T)
    assert_close(2.0 * phi @ W, measured, 1e-6)
    assert_close(objective.gradient(W), 2.0 * phi @ W, 1e-12)


def test_gamma_is_the_derivative_in_the_kernel_matrix(objective, case):
    """``dF = -Tr(Gamma dK)`` for any symmetric change that leaves the diagonal."""
    kernel, guidance, normalize = case
    E = np.random.default_rng(51).standard_normal((N, N))
    E = np.triu(E, 1) + np.triu(E, 1).T
    matrix = kernel_matrix(kernel, X @ W)
    measured = derivative(lambda h: cost_of_matrix(matrix + h * E, K, guidance, normalize), h=1e-4)
    gamma = objective.point(W).gamma
    assert -np.sum(((gamma.U * gamma.s) @ gamma.U.T) * E) == pytest.approx(measured, rel=1e-7)


def test_only_the_subspace_counts(objective):
    R = orthonormal(2, 2, seed=6)
    assert objective.cost(W @ R) == pytest.approx(objective.cost(W), rel=1e-12)
    # The k-d tree of turned rows rounds differently, and so do scales.
    assert_close(objective.phi(W @ R), objective.phi(W), 1e-9)


def test_tiled_equals_dense(case):
    kernel, guidance, normalize = case
    dense, tiled = (
        ClusterObjective(X, kernel, K, guidance, normalize, engine).point(W)
        for engine in ("dense", "tiled")
    )
    assert (dense.objective.engine, tiled.objective.engine) == ("dense", "tiled")
    assert tiled.cost == pytest.approx(dense.cost, rel=1e-12)
    assert_close(tiled.phi, dense.phi, 1e-10)


def test_a_subset_is_the_objective_of_those_rows(case):
    """Guidance is centred anew; rows without any stay without."""
    kernel, guidance, normalize = case
    index = np.arange(0, N, 2)
    part = ClusterObjective(X, kernel, K, guidance, normalize).subset(index)
    taken = []
    for term in guidance:
        U = term.U[index].copy()
        known = np.any(U != 0.0, axis=1)
        U[known] -= U[known].mean(axis=0)
        taken.append(Guidance(U, term.weight, term.follow))
    expected = cost(X[index], W, kernel, K, taken, normalize)
    assert part.cost(W) == pytest.approx(expected, rel=1e-12)


def test_the_certificate_is_first_order(objective):
    certificate = certify(objective, W)
    assert certificate.second_order is None
    assert certificate.theorem1 is None
    projector = np.eye(4) - W @ W.T
    phi = objective.phi(W)
    expected = np.linalg.norm(projector @ phi @ W) / np.linalg.norm(phi)
    assert certificate.stationarity == pytest.approx(expected, rel=1e-9)


# Neighbour scales that stand still --------------------------------------------------------------


@pytest.mark.parametrize("normalize", ["degree", "none"])
@pytest.mark.parametrize("name", ["relative-gaussian", "two-terms"])
def test_frozen_scales_stay_and_their_points_keep_their_phi(name, normalize):
    kernel, guidance = KERNELS[name], GUIDANCE["away"]
    objective = ClusterObjective(X, kernel, K, guidance, normalize)
    V, scales = orthonormal(4, 2, seed=8), sigmas(kernel, X @ W)

    def frozen_cost(V):
        return cost_of_matrix(kernel_matrix(kernel, X @ V, scales), K, guidance, normalize)

    free = objective.point(V)
    with objective.frozen(W):
        inside = objective.point(V)
    after = objective.point(V)
    assert inside.cost == pytest.approx(frozen_cost(V), rel=1e-12)
    assert after.cost == pytest.approx(free.cost, rel=1e-12)
    assert abs(inside.cost - free.cost) > 1e-6
    # Asked for after all is free again, and after the graph has been elsewhere.
    assert_close(2.0 * inside.phi @ V, entry_by_entry(frozen_cost, V), 1e-6)
    assert_close(after.phi, free.phi, 1e-9)


def test_scales_are_free_again_after_an_error():
    objective = ClusterObjective(X, RelativeGaussian(5), K)
    with pytest.raises(RuntimeError, match="inside"), objective.frozen(np.eye(4)[:, :2]):
        raise RuntimeError("inside")
    expected = cost(X, W, RelativeGaussian(5), K, [], "degree")
    assert objective.cost(W) == pytest.approx(expected, rel=1e-12)


def test_which_kernels_have_scales():
    assert ClusterObjective(X, KERNELS["two-terms"], K).has_scales
    assert not ClusterObjective(X, KERNELS["cauchy"], K).has_scales


# Guidance -----------------------------------------------------------------------------------------


def blocks(codes, rng):
    """A graph with random edges inside classes and none between."""
    G = rng.uniform(0.1, 1.0, (len(codes), len(codes)))
    G = (G + G.T) * (codes[:, None] == codes[None, :])
    np.fill_diagonal(G, 1.0)
    return G


def evaluate(term, K, unit=1.0):
    mass = K.sum() - np.trace(K)
    return term.evaluate(K @ term.U, mass, K[0, 0], unit)


def test_assortativity_is_one_where_all_edges_join_equal_labels():
    codes = np.repeat([0, 1, 2], 20)
    term = Guidance(centered(codes), 1.0)
    value = evaluate(term, blocks(codes, np.random.default_rng(0)))
    assert value.assortativity == pytest.approx(1.0, rel=1e-12)


def test_assortativity_of_uneven_classes_is_one_on_a_regular_graph():
    codes = np.repeat([0, 1], [10, 50])
    ring = np.eye(60)
    for c in (0, 1):
        rows = np.flatnonzero(codes == c)
        ring[rows, np.roll(rows, 1)] = ring[np.roll(rows, 1), rows] = 0.7
    assert evaluate(Guidance(centered(codes), 1.0), ring).assortativity == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(3))
def test_assortativity_of_a_random_graph_is_about_zero(seed):
    rng = np.random.default_rng(seed)
    G = rng.uniform(0, 1, (200, 200))
    G = G + G.T
    np.fill_diagonal(G, 1.0)
    term = Guidance(centered(rng.integers(0, 3, 200)), 1.0)
    assert abs(evaluate(term, G).assortativity) < 0.02


@pytest.mark.parametrize("follow", [False, True])
def test_assortativity_has_no_unit(follow):
    """Neither of the kernel nor of U; the value is in the units that were asked for."""
    G = blocks(CODES, np.random.default_rng(1)) + 0.3
    U = centered(OTHER)
    plain = evaluate(Guidance(U, 3.0, follow), G)
    for term, matrix in ((Guidance(U, 3.0, follow), 1e-3 * G), (Guidance(7.0 * U, 3.0, follow), G)):
        assert evaluate(term, matrix)[:2] == pytest.approx(plain[:2], rel=1e-10)
    p = plain.assortativity
    assert plain.value == pytest.approx(-3.0 * p if follow else 3.0 * p**2)
    assert evaluate(Guidance(U, 3.0, follow), G, 8.0).value == pytest.approx(8.0 * plain.value)


def test_guidance_without_rows_is_nothing():
    value = Guidance(np.zeros((5, 2)), 1.0).evaluate(np.zeros((5, 2)), 1.0, 1.0, 1.0)
    assert value == (0.0, 0.0, 0.0, 0.0)
    subset = Guidance(partly(CODES, 10), 1.0).take(np.arange(20, 30))
    assert not subset.U.any()


# Other kernels, other spectra ---------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3])
def test_linear_kernel_without_degrees_is_pca(k):
    """H K H has the eigenvalues of ``W'X'HXW``: the lowest cost is that of principal directions."""
    objective = ClusterObjective(X, Linear(), k, normalize="none")
    values, vectors = np.linalg.eigh(N * np.cov(X.T, bias=True))
    best = vectors[:, -2:]
    assert objective.cost(best) == pytest.approx(-values[-2:].sum(), rel=1e-12)
    assert objective.point(best).stationarity <= 1e-12
    for seed in range(5):
        assert objective.cost(orthonormal(4, 2, seed)) > objective.cost(best)


def test_beyond_the_dense_eigensolver():
    """300 rows: eigenpairs by iteration, from a fresh start and from the last place."""
    rows = np.random.default_rng(52).standard_normal((300, 4))
    objective = ClusterObjective(rows, RelativeGaussian(), K)
    for frame in (W, W + 1e-3 * Z, orthonormal(4, 2, seed=3)):
        expected = cost(rows, frame, RelativeGaussian(), K, [], "degree")
        assert objective.cost(frame) == pytest.approx(expected, rel=1e-9)


def test_tightness_prefers_the_clearer_clustering():
    """Clusters that are nearly apart against ones that overlap."""
    codes = np.arange(60) % 2
    noise = np.random.default_rng(2).standard_normal((60, 1))
    near, far = (
        ClusterObjective(noise + gap * codes[:, None], Gaussian(1.0), 2).point(np.eye(1))
        for gap in (3.0, 6.0)
    )
    assert 0.0 <= far.tightness < near.tightness <= 1.0
    values = near.spectrum_of_graph.values / near.spectrum_of_graph.values[0]
    assert near.tightness == pytest.approx((1 - values[1]) / (1 - values[2]))


def test_inner_products_take_no_guidance():
    with pytest.raises(ValueError, match=r"Guidance needs a kernel of differences.*Got Linear"):
        ClusterObjective(X, Linear(), K, GUIDANCE["away"])


def test_nothing_is_lower_than_the_bound(objective):
    for seed in range(5):
        assert objective.point(orthonormal(4, 2, seed)).cost >= objective.lower_bound


@pytest.mark.parametrize("guidance", ["none", "away"])
def test_separated_clusters_are_as_good_as_any_and_others_are_not(guidance):
    """Away from labels that the clusters know nothing of."""
    codes = np.arange(N) % K
    rows = np.concatenate([50.0 * one_hot(codes), 0.1 * X], axis=1)
    given = [Guidance(centered(np.arange(N) // 3 % 2), 0.1)] if guidance == "away" else []
    separated = ClusterObjective(rows, Gaussian(1.0), K, given)
    plane, noise = np.eye(7)[:, :3], np.eye(7)[:, 3:6]
    assert separated.point(plane).is_as_good_as_any
    assert not separated.point(noise).is_as_good_as_any
