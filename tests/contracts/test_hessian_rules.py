"""What the Hessian chooses: a matrix or products, all rows or some, how long it searches."""

from types import SimpleNamespace

import numpy as np
import pytest

from hsiclearn import Objective
from hsiclearn._linalg import Eigenpair
from hsiclearn._objective import RiemannianHessian
from hsiclearn._objective import hessian as home
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from naive import assert_close
from registry import W, X, orthonormal, symmetric


def chosen(d, q, cost=1.0, by_pairs=False, n=1000, in_full=True):
    """Whether it is assembled for a spectrum, and for every product."""
    objective = SimpleNamespace(column_cost=cost, is_pairwise=by_pairs, n_samples=n)
    matrix = SimpleNamespace(splits_in_full=lambda columns: in_full and columns == q)
    point = SimpleNamespace(W=np.zeros((d, q)), objective=objective, matrix=matrix)
    hessian = RiemannianHessian(point)
    assert hessian.products == 0
    return hessian._is_small, hessian._is_tiny


@pytest.mark.parametrize(
    ("given", "is_small", "is_tiny"),
    [
        # (q (q + 1) / 2) (1 + d / 20) / 8 passes: 3 for every product, 8 for a spectrum
        ({"d": 140, "q": 2}, True, True),
        ({"d": 141, "q": 2}, True, False),
        ({"d": 65, "q": 5}, True, False),
        ({"d": 66, "q": 5}, False, False),
        # where a column costs three times as much, d counts thrice and a pass 1.3 times
        ({"d": 62, "q": 2, "cost": 3.0}, True, True),
        ({"d": 63, "q": 2, "cost": 3.0}, True, False),
        ({"d": 178, "q": 2, "cost": 3.0}, True, False),
        ({"d": 179, "q": 2, "cost": 3.0}, False, False),
        # of 400 numbers at most, and only with a basis of all of the complement
        ({"d": 400, "q": 1}, True, True),
        ({"d": 401, "q": 1}, False, False),
        ({"d": 20, "q": 2, "in_full": False}, False, False),
        # pair by pair whatever the passes, up to 1024 numbers and 300,000 rows
        ({"d": 512, "q": 2, "by_pairs": True}, True, True),
        ({"d": 32, "q": 32, "by_pairs": True, "n": 300_000}, True, True),
        ({"d": 513, "q": 2, "by_pairs": True}, False, False),
        ({"d": 20, "q": 2, "by_pairs": True, "n": 300_001}, False, False),
        ({"d": 20, "q": 2, "n": 300_001}, True, True),
    ],
)
def test_it_is_a_matrix_where_that_takes_few_passes(given, is_small, is_tiny):
    assert chosen(**given) == (is_small, is_tiny)


# Judged by a sample ------------------------------------------------------------------------------

D, Q = 5, 2
FRAME = np.eye(D)[:, :Q]
DIRECTION = np.zeros((D, Q))
DIRECTION[3, 1] = 1.0
MISSED = np.zeros((D, Q))
MISSED[4, 0] = 0.1


class Sampled:
    """A point of very many rows, whose sample has the curvature 0.6 along a direction."""

    def __init__(self, n=2_000_000, value=0.6, **given):
        facts = {"has_stand_in": True, "is_pairwise": False, "column_cost": 1.0, "rows": "rows"}
        self.objective = SimpleNamespace(n_samples=n, **(facts | given))
        self.objective.stand_in = SimpleNamespace(n_samples=777)
        self.W, self.matrix = FRAME, SimpleNamespace(splits_in_full=lambda q: True)
        self.found = Eigenpair(value, DIRECTION, 0.0, 3)

    def bent_as(self, objective):
        assert objective is self.objective.stand_in
        hessian = SimpleNamespace(smallest_curvature=self.found, lowest_phi_dot=-0.25)
        return SimpleNamespace(hessian=hessian)


def judged(monkeypatch, point, stand_out=False, turn=MISSED, **changes):
    asked = []
    monkeypatch.setattr(
        home, "rows_stand_out", lambda rows, share: asked.append((rows, share)) or stand_out
    )
    hessian = RiemannianHessian(point)
    hessian._product = lambda Z: 0.6 * Z + turn
    for name, value in changes.items():
        setattr(hessian, name, value)
    return hessian.judged, asked


def test_what_a_sample_says_of_all_rows(monkeypatch):
    """z'Hz of all rows, how far from an eigenvector z is there, and five times what was missed."""
    turn = MISSED + 0.02 * DIRECTION
    found, asked = judged(monkeypatch, Sampled(), turn=turn)
    assert asked == [("rows", 1e-3)]
    assert found.pair.value == pytest.approx(0.62)
    assert found.pair.vector is DIRECTION
    assert found.pair.residual == pytest.approx(0.1)
    assert found.pair.products == 1
    assert found.off == pytest.approx(2.5 * np.hypot(0.1, 0.02))
    assert (found.phi_dot, found.n_rows) == (-0.25, 777)


def test_who_may_judge(monkeypatch):
    """Beyond five times what was missed, of 10,000,000 numbers of which no row stands out."""
    assert judged(monkeypatch, Sampled(n=2_000_000))[0] is not None
    assert judged(monkeypatch, Sampled(n=1_999_999))[0] is None
    assert judged(monkeypatch, Sampled(), turn=1.19 * MISSED)[0] is not None
    assert judged(monkeypatch, Sampled(), turn=1.21 * MISSED)[0] is None
    assert judged(monkeypatch, Sampled(has_stand_in=False))[0] is None
    assert judged(monkeypatch, Sampled(), stand_out=True)[0] is None
    assert judged(monkeypatch, Sampled(), _is_small=False)[0] is None
    by_pairs = Sampled(is_pairwise=True)
    assert judged(monkeypatch, by_pairs, _is_small=False)[0] is not None
    assert judged(monkeypatch, Sampled(), _matrices=None)[0] is None  # all rows have been asked
    whole = Sampled()
    whole.W = np.eye(D)
    assert judged(monkeypatch, whole)[0] is None


@pytest.mark.parametrize(
    ("bound", "exceeds"), [(0.89, True), (0.91, False), (1.0, False), (1.11, False)]
)
def test_phi_dot_by_the_sample_where_it_is_clear(bound, exceeds):
    """1 by the sample, off by 0.1 at most: all rows, by which it is 0.9, are asked between."""
    hessian = RiemannianHessian(Sampled())
    hessian.smallest_curvature = hessian.point.found
    hessian.judged = home.JudgedBySample(hessian.point.found, 1.0, 0.1, 777)
    hessian._matrices = np.diag([0.9, 5.0]), None
    assert hessian.phi_dot_exceeds(bound) == exceeds
    hessian.judged = None
    assert hessian.phi_dot_exceeds(0.9)
    assert hessian.lowest_phi_dot == 0.9


# Searches ----------------------------------------------------------------------------------------


@pytest.fixture
def searched(monkeypatch):
    """A Hessian too large for a matrix, and what its searches are asked for."""
    rng = np.random.default_rng(3)
    objective = Objective(rng.standard_normal((30, 30)) / 3, symmetric(30, seed=4), Gaussian(2.0))
    calls, real = [], home.smallest_eigenpair

    def noted(apply, start, **given):
        calls.append((apply, start, given))
        return real(apply, start, **given)

    monkeypatch.setattr(home, "smallest_eigenpair", noted)
    return objective.point(orthonormal(30, 14, seed=5)).hessian, calls


def random_direction(point):
    Z = np.random.default_rng(0).standard_normal(point.W.shape)
    Z -= point.W @ (point.W.T @ Z)
    return Z / np.linalg.norm(Z)


def test_a_search_starts_where_phi_expects_the_answer(searched):
    hessian, calls = searched
    point = hessian.point
    assert hessian.smallest_curvature.products == hessian.products
    [(apply, start, given)] = calls
    assert apply == hessian.apply
    expected = np.outer(point.split.B[:, 0], point.split.S[:, -1]) + 0.1 * random_direction(point)
    assert_close(start, expected, 1e-12)
    R = random_direction(point)
    floored = point.split.divided(R, *point.split.diagonal(1e-4))
    assert_close(given.pop("precondition")(R), floored, 1e-12)
    assert given == {
        "rtol": 0.05,
        "atol": 1e-8 * point.scale,
        "settled_above": 1e-5 * point.scale,
        "max_products": 200,
    }


def test_so_does_one_for_phi_dot_and_ends_at_a_threshold(searched):
    hessian, calls = searched
    Z = hessian.smallest_curvature.vector
    calls.clear()
    value = hessian.lowest_phi_dot
    assert hessian.phi_dot_exceeds(value - 0.5 * abs(value))
    for (apply, start, given), threshold in zip(
        calls, (None, value - 0.5 * abs(value)), strict=True
    ):
        assert apply == hessian._phi_dot
        assert_close(start, Z + 0.1 * random_direction(hessian.point), 1e-12)
        assert given == {
            "rtol": 0.05,
            "atol": 1e-8 * hessian.point.scale,
            "threshold": threshold,
            "max_products": 100,
        }


@pytest.mark.parametrize(("memory", "products"), [(2**29, 200), (16 * 420 * 50, 50), (0, 30)])
def test_directions_and_their_images_fit_in_memory(searched, monkeypatch, memory, products):
    hessian, calls = searched
    monkeypatch.setattr(home, "_SEARCH_MEMORY", memory)
    _ = hessian.smallest_curvature
    assert calls[0][2]["max_products"] == products


def test_curvature_along_a_line_is_of_one_direction(searched):
    hessian, _ = searched
    point = hessian.point
    along = hessian.horizontal(point.objective.phi_dot(point.W, random_direction(point)))
    assert hessian.curvature_along_a_line == pytest.approx(np.linalg.norm(along), rel=1e-12)
    assert hessian.products == 1
    whole = Objective(X, symmetric(len(X), seed=1), Gaussian()).point(np.eye(4))
    assert whole.hessian.curvature_along_a_line == 0.0


def test_an_assembled_spectrum_is_exact():
    found = Objective(X, symmetric(len(X), seed=1), Gaussian()).point(W).hessian.smallest_curvature
    assert (found.residual, found.products) == (0.0, 0)


def test_steps_floor_the_diagonal_at_a_hundredth_of_its_largest():
    point = Objective(X, ClassTable.centered(np.arange(len(X)) % 3), Gaussian()).point(W)
    R = random_direction(point)
    expected = point.split.divided(R, *point.split.diagonal(1e-2))
    np.testing.assert_array_equal(point.hessian.precondition(R), expected)
    np.testing.assert_array_equal(point.hessian.precondition(R), expected)  # once more, as kept
