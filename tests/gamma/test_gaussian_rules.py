"""Gaussian kernels of one column and of several: what is cut into chunks, centred, cut off."""

import pickle

import numpy as np
import pytest

from foreign_arrays import make
from hsiclearn._devices import to_host
from hsiclearn.gamma import (
    GaussianColumn,
    GaussianColumns,
    cells,
    gaussian_column,
    gaussian_columns,
)
from hsiclearn.gamma.gaussian_column import Points
from hsiclearn.gamma.gaussian_root import gaussian_root
from hsiclearn.gamma.pair_tiles import GaussianPairs
from naive import assert_close

N, S = 60, 0.8
RNG = np.random.default_rng(17)
Y = RNG.standard_normal((N, 2))
V = np.round(RNG.uniform(0.2, 3.0, N), 1)
FAR = np.concatenate([Y[:40, 0], [1e5, 1e5 + 0.1, -1e6]])


def kernel_of(a, b, s=S):
    a, b = (np.asarray(v, dtype=float).reshape(len(v), -1) for v in (a, b))
    return np.exp(-((a[:, None] - b[None]) ** 2).sum(axis=2) / (2 * s**2))


def centred(y, v=None):
    v = np.ones(len(y)) if v is None else v
    H = np.eye(len(y)) - v / v.sum()
    return H @ kernel_of(y, y) @ H.T


def one(y=Y[:, 0], **given):
    return GaussianColumn(np.asarray(y), S, **({"n_nodes": 10} | given))


def several(**given):
    return GaussianColumns(Y, S, **({"rtol": 1e-11} | given))


@pytest.fixture(params=[False, True], ids=["", "weights"])
def v(request):
    return V if request.param else None


@pytest.fixture
def in_chunks(monkeypatch):
    """Few rows and nodes at a time: no sum may depend on where it is cut."""
    monkeypatch.setattr(gaussian_column, "_CHUNK", 7)
    monkeypatch.setattr(gaussian_column, "_BLOCK", 5)
    monkeypatch.setattr(gaussian_columns, "_CHUNK", 7)
    monkeypatch.setattr(cells, "_NODE", 1.0)


@pytest.mark.parametrize("gamma", [one, several])
def test_centred_in_chunks(gamma, v, in_chunks):
    made, exact = gamma(weights=v), centred(Y[:, 0] if gamma is one else Y, v)
    rows, cols = slice(5, 33), slice(20, 60)
    assert_close(made.tile(rows, cols), exact[rows, cols], 1e-7, scale=1.0)
    assert_close(made.apply(np.eye(N)[:, :9]), exact[:, :9], 1e-7, scale=1.0)
    tiles = made.tiles_on(make("strict", np.zeros(1)))
    assert_close(to_host(tiles(rows, cols)), exact[rows, cols], 1e-7, scale=1.0)
    U, s = made.factors(6, V)
    values = np.linalg.eigvalsh(V[:, None] * exact * V)
    np.testing.assert_allclose(s, values[:-7:-1], rtol=1e-5)
    np.testing.assert_allclose(U.T @ U, np.eye(6), atol=1e-8)
    assert_close((V[:, None] * exact * V) @ U, U * s, 1e-5)
    g = RNG.random(N)
    bound = float(np.sqrt(np.diag(exact)) @ g) ** 2
    assert made.absolute_form(g) == pytest.approx(bound, rel=1e-4)
    assert made.scaled(-3.0).absolute_form(g) == pytest.approx(3.0 * bound, rel=1e-4)
    twice = made.scaled(2.0).scaled(1.5)
    assert_close(twice.tile(rows, cols), 3.0 * exact[rows, cols], 1e-6, scale=1.0)
    assert_close(twice.apply(np.eye(N)[:, :9]), 3.0 * exact[:, :9], 1e-6, scale=1.0)


@pytest.mark.parametrize("gamma", [one, several])
def test_chosen_rows_are_centred_by_those_they_came_from(gamma, v, in_chunks):
    made, exact = gamma(weights=v), centred(Y[:, 0] if gamma is one else Y, v)
    index = np.array([50, 3, 17, 4, 8, 33, 2, 1, 40, 41])
    taken, again = made.take(index), made.take(index).take(np.array([1, 0, 6]))
    assert_close(taken.apply(np.eye(10)), exact[np.ix_(index, index)], 2e-2, scale=1.0)
    if gamma is one:  # of columns what rows have alone is not in the mean of others
        assert_close(taken.apply(np.eye(10)), exact[np.ix_(index, index)], 1e-7, scale=1.0)
        assert_close(taken.to_dense(), exact[np.ix_(index, index)], 1e-7, scale=1.0)
        some = index[[1, 0, 6]]
        assert_close(again.to_dense(), exact[np.ix_(some, some)], 1e-7, scale=1.0)
    w = V[index]
    part = made.centered_on(index, w)
    assert part.is_centered_by(w)
    assert not part.is_centered_by(2.0 * w)
    assert part.is_centered == (w is None)
    expected = centred((Y[:, 0] if gamma is one else Y)[index], w)
    assert_close(part.to_dense(), expected, 1e-6, scale=1.0)
    assert made.is_centered == (v is None)
    assert made.is_centered_by(v)
    assert not taken.is_centered_by(v)


def test_signs_and_words():
    for gamma in (one(), several()):
        assert gamma.is_psd
        assert gamma.scaled(0.0).is_psd
        assert not gamma.scaled(-1e-3).is_psd
    assert repr(one(n_nodes=3)) == f"GaussianColumn(n_samples=60, n_slots={one(n_nodes=3).n_slots})"
    gamma = several(rtol=1e-2)
    assert repr(gamma) == f"GaussianColumns(n_samples=60, rank={gamma.rank})"


def test_finer_nodes_until_only_rounding_is_left():
    assert GaussianColumn(Y[:, 0], S).n_nodes == 5
    for nodes, then in ((5, 8), (9, 12), (10, None)):
        finer = one(n_nodes=nodes, light=1e-3).finer()
        assert (finer and finer.n_nodes) == then
        if finer is not None:
            assert finer.light == pytest.approx(1e-6)


def test_finer_components_until_only_rounding_is_left():
    assert GaussianColumns(Y, S).rtol == 1e-6
    assert GaussianColumns(Y, S).max_rank == 1000
    gamma = several(rtol=1.1e-11).finer()
    assert gamma.rtol == pytest.approx(1.1e-13)
    assert gamma.is_local
    assert several(rtol=1e-11).finer() is None
    m = several(rtol=1e-3)._components.landmarks.shape[0]
    assert several(rtol=1e-3, max_rank=m).is_short
    assert several(rtol=1e-3, max_rank=m).finer() is None
    assert not several(rtol=1e-3, max_rank=m + 1).is_short
    assert several(rtol=1e-3, max_rank=m + 1).finer() is not None
    assert several(rtol=1e-3, max_rank=5)._components.landmarks.shape[0] == 5


def test_landmarks_are_chosen_anew_where_that_is_asked_for():
    index = np.arange(30)
    coarse = several(rtol=1e-2)
    known = coarse._components
    assert coarse.centered_on(index)._components is known
    assert coarse.take(index)._components is known
    assert coarse.scaled(2.0)._components is known
    local = several(rtol=1e-2, is_local=True).centered_on(index)
    assert local.components is None
    assert np.isin(local._components.landmarks, Y[index]).all()


@pytest.mark.parametrize(("most", "light"), [(10, 0.2), (11, 0.0)])
def test_few_chosen_rows_have_no_light_cells(most, light, monkeypatch):
    monkeypatch.setattr(gaussian_column, "_MANY", most)
    assert one(light=0.2).take(np.arange(10)).light == light
    assert one(light=0.2).centered_on(np.arange(10)).light == 0.2


@pytest.mark.parametrize("weights", [None, np.concatenate([V[:40], [0.5, 1.0, 0.25]])])
def test_rows_at_infinity_are_near_themselves_alone(weights, monkeypatch):
    """Off the diagonal all is as of the kernel; of their weight the mean share is left."""
    monkeypatch.setattr(gaussian_column, "_CHUNK", 9)
    y = np.array(FAR)
    y[41] = 2e5  # so that each of them is alone
    gamma = one(y, light=1e-9, weights=weights)
    assert np.isinf(gamma._grid.nodes[-1])
    v = np.ones(43) if weights is None else weights
    mean = 1.0 if weights is None else (v[40:] @ v[40:]) / v[40:].sum()
    K = kernel_of(y, y)
    k = K @ v / v.sum()
    k[40:] = mean / v.sum()
    exact = K - k - k[:, None] + v @ k / v.sum()
    off = ~np.eye(43, dtype=bool)
    assert np.abs(gamma.apply(np.eye(43)) - exact)[off].max() < 1e-6
    assert np.abs(gamma.to_dense() - exact)[off].max() < 1e-6
    k_at_nodes, c = gamma._means
    assert k_at_nodes[-1] == pytest.approx(mean / v.sum())
    assert c == pytest.approx(v @ k / v.sum(), rel=1e-6)


def test_nothing_is_near_infinity():
    gamma, inf = one(), np.inf
    K = gamma._kernel(np.array([0.0, inf]), np.array([inf, 0.0, S]))
    np.testing.assert_allclose(K, [[0.0, 1.0, np.exp(-0.5)], [0.0, 0.0, 0.0]])


def test_it_is_centred_by_points_that_are_given():
    points = Points(np.array([0.0, 1.0, np.inf]), np.array([0.5, 0.3, 0.2]))
    gamma = one(centre=points)
    k = kernel_of(Y[:, 0], [0.0, 1.0]) @ [0.5, 0.3]
    c = np.array([0.5, 0.3]) @ kernel_of([0.0, 1.0], [0.0, 1.0]) @ [0.5, 0.3]
    assert_close(gamma.to_dense(), kernel_of(Y[:, 0], Y[:, 0]) - k - k[:, None] + c, 1e-7)
    assert not gamma.is_centered


def test_factors_of_rounding_are_left_out():
    """Four values, one of them twice: no more than three are left once it is centred."""
    y = np.array([0.0, 1.0, 1.0, 2.5, 4.0])
    U, s = one(y).factors(5)
    assert s.size == 3
    assert_close((U * s) @ U.T, centred(y), 1e-12)
    negative = one(y).scaled(-2.0).factors(2)[1]
    np.testing.assert_allclose(negative, -2.0 * s[:2])
    assert several(rtol=1e-2).factors(100)[1].size <= several(rtol=1e-2).rank
    np.testing.assert_allclose(several().scaled(-2.0).factors(2)[1], -2.0 * several().factors(2)[1])


def test_what_travels_is_what_was_made():
    gamma = one(weights=V)
    there = pickle.loads(pickle.dumps(gamma))
    np.testing.assert_array_equal(there.to_dense(), gamma.to_dense())


@pytest.mark.parametrize("weights", [None, V])
def test_components_are_the_same_on_a_device(weights):
    gamma = several(rtol=1e-3, weights=weights)
    table = gamma._Y_and_weights[5:20]
    there = to_host(gamma._of_weighted(make("strict", table)))
    assert_close(there, gamma._wide(slice(5, 20)), 1e-12)
    alone = np.maximum(
        np.diag(centred(Y, weights)) - (gamma.components_of(slice(0, N)) ** 2).sum(1), 0
    )
    scale = 1.0 if weights is None else V[5:20]
    assert_close(there[:, -2], scale * alone[5:20], 0.1, scale=1.0)
    np.testing.assert_array_equal(there[:, -1], 1.0)
    # Not a pair, but a row: what it has alone is in the mean of all, by its share.
    v = np.ones(N) if weights is None else V
    e = gamma._wide(slice(0, N))[:, -2] / (1.0 if weights is None else V)
    assert gamma._alone == pytest.approx(v**2 @ e / v.sum())
    assert gamma.take(np.arange(9))._alone == 0.0


def test_landmarks_on_each_other_are_told_apart_nearly():
    K = np.ones((3, 3))
    L = gaussian_columns._triangle(K)
    np.testing.assert_allclose(L @ L.T, K, atol=1e-12)
    np.testing.assert_array_equal(gaussian_columns._triangle(np.eye(2)), np.eye(2))


def test_a_sample_of_the_rows_has_the_landmarks(monkeypatch):
    monkeypatch.setattr(gaussian_columns, "_SAMPLE", 25)
    asked = []
    real = gaussian_columns._leading
    monkeypatch.setattr(
        gaussian_columns, "_leading", lambda rows, *rest: asked.append(rows) or real(rows, *rest)
    )
    _ = several(rtol=1e-3).rank
    [rows] = asked
    places = [int(np.flatnonzero((row == Y).all(axis=1))[0]) for row in rows]
    assert len(set(places)) == 25
    assert places == sorted(np.random.default_rng(0).choice(N, 25, replace=False))  # always these


def test_a_row_far_from_all_others_is_no_landmark():
    """Its kernel is nothing beside other rows: only its mean sees it."""
    far = np.concatenate([Y, [[1e3, 0.0]]])
    gamma = GaussianColumns(far, S, rtol=1e-3)
    assert not (gamma._components.landmarks == far[-1]).all(axis=1).any()
    off = ~np.eye(N + 1, dtype=bool)
    assert np.abs(gamma.apply(np.eye(N + 1)) - centred(far))[off].max() < 1e-2


def test_pairs_are_made_of_what_rows_have():
    pairs = GaussianPairs(Y, V, 0.25, -2.0)
    found = to_host(pairs.tiles_on(make("strict", Y))(slice(3, 9), slice(1, 4)))
    K = kernel_of(Y, Y, 1.0)
    np.testing.assert_allclose(found, -2.0 * (K - V - V[:, None] + 0.25)[3:9, 1:4])


def test_points_apart_by_more_than_the_reach_are_parts_of_their_own():
    """Beyond 8.4 bandwidths nothing is between them; the columns are those of each part."""
    heap = np.linspace(0.0, 1.0, 50)
    near, far = (np.concatenate([heap, heap + 1.0 + gap]) for gap in (8.39, 8.41))
    alone = gaussian_root(heap, 1.0).shape[1]
    F = gaussian_root(far, 1.0)
    assert F.shape[1] == 2 * alone
    assert not F[:50, alone:].any()
    assert not F[50:, :alone].any()
    F = gaussian_root(near, 1.0)
    assert np.count_nonzero(F[0]) > alone


@pytest.mark.parametrize("bandwidth", [0.5, 2.0])
def test_a_root_counts_in_bandwidths(bandwidth):
    """t from 5.7 bandwidths before the first point to as much behind the last, 0.4 apart."""
    points = np.linspace(0.0, 150.0 * bandwidth, 900)
    F = gaussian_root(points, bandwidth)
    steps = int(np.ceil((150.0 + 2 * 5.7) / 0.4)) + 1
    assert F.shape[1] == steps  # more than 300: their spectrum would take longer
    assert_close(F @ F.T, kernel_of(points, points, bandwidth), 1e-12)
    shorter = gaussian_root(points[points <= 100.0 * bandwidth], bandwidth)
    assert shorter.shape[1] < int(np.ceil((100.0 + 2 * 5.7) / 0.4)) + 1


@pytest.mark.parametrize("rtol", [1e-1, 1e-2, 1e-3])
def test_no_more_components_than_leave_out_the_share_asked_for(rtol):
    """Of what is left of K between rows, each by its nearness, when the mean is a component."""
    known = several(rtol=rtol)._components
    U = np.linalg.solve(known.L, kernel_of(known.landmarks, Y)).T
    nearness = kernel_of(Y, Y).sum(axis=0) - 1.0
    V_ = known.L.T @ known.M
    np.testing.assert_allclose(V_.T @ V_, np.eye(V_.shape[1]), atol=1e-6)
    mean = U.mean(axis=0) / np.linalg.norm(U.mean(axis=0))
    np.testing.assert_allclose(np.abs(V_[:, 0] @ mean), 1.0)
    rest = np.sqrt(nearness)[:, None] * (U - U.mean(axis=0))
    rest -= np.outer(rest @ mean, mean)
    parts = np.sort(((rest @ V_[:, 1:]) ** 2).sum(axis=0)) / (rest**2).sum()
    left_out = 1.0 - parts.sum()
    assert left_out <= rtol < left_out + parts[0]
