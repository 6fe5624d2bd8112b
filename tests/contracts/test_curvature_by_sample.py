"""The smallest curvature of very many rows: by a sample, one product, and what these tell."""

import numpy as np
import pytest

from hsiclearn import Objective, certify
from hsiclearn._objective import hessian
from hsiclearn._objective import objective as home
from hsiclearn._rows import as_rows, rows_stand_out
from hsiclearn._solvers import SpectralSolver
from hsiclearn._solvers._base import run
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian
from registry import orthonormal

N, D = 12_000, 5
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, D))
NOISE = RNG.standard_normal((N, 2))
CLEAR = (X[:, 0] + 0.5 * NOISE[:, 0] > 0) + 2 * (X[:, 1] + 0.5 * NOISE[:, 1] > 0.5)
FLAT = (np.sin(2.0 * X[:, 0]) + 0.5 * NOISE[:, 0] > 0).astype(int)
WIDE = Gaussian(3.4)


def at_optimum(codes):
    objective = Objective(X, ClassTable.centered(codes), WIDE, "nystrom")
    return run(SpectralSolver(objective, 1e-8), orthonormal(D, 2, seed=1), max_iter=100).point


@pytest.fixture
def few_rows_are_many(monkeypatch):
    monkeypatch.setattr(home, "_STAND_IN_FROM", N)
    monkeypatch.setattr(home, "_LEAST", 3000)
    monkeypatch.setattr(hessian, "_WORTH", N * D)
    monkeypatch.setattr(hessian, "_SHARE", 1e-2)


def both(W, codes, monkeypatch):
    """The point where all rows tell everything, and where some of them do."""
    gamma = ClassTable.centered(codes)
    whole = Objective(X, gamma, WIDE, "nystrom").point(W)
    assert whole.hessian.judged is None
    monkeypatch.setattr(home, "_STAND_IN_FROM", N)
    monkeypatch.setattr(home, "_LEAST", 3000)
    monkeypatch.setattr(hessian, "_WORTH", N * D)
    monkeypatch.setattr(hessian, "_SHARE", 1e-2)
    return whole, Objective(X, gamma, WIDE, "nystrom").point(W)


def test_clear_curvature_is_that_of_all_rows(monkeypatch):
    whole, some = both(at_optimum(CLEAR).W, CLEAR, monkeypatch)
    judged, exact = some.hessian.judged, whole.hessian.smallest_curvature
    assert judged is not None
    assert judged.n_rows == 3000
    assert some.hessian.smallest_curvature.value == pytest.approx(exact.value, rel=0.03)
    assert some.hessian.smallest_curvature.value >= exact.value * (1.0 - 1e-3)
    # z'Hz, of all rows: what the sample says of z is something else.
    Z = judged.pair.vector
    assert judged.pair.value == pytest.approx(np.vdot(Z, whole.hessian.apply(Z)), rel=1e-3)


def test_the_sample_is_off_by_no_more_than_is_allowed(monkeypatch):
    """``|E|`` itself, which only a test can afford."""
    whole, some = both(at_optimum(CLEAR).W, CLEAR, monkeypatch)
    stand_in = some.bent_as(some.objective.stand_in).hessian
    E = stand_in._matrices[1] - whole.hessian._matrices[1]
    assert np.linalg.norm(E, 2) <= 2.0 * some.hessian.judged.off


def test_theorem_1_is_judged_alike(monkeypatch):
    whole, some = both(at_optimum(CLEAR).W, CLEAR, monkeypatch)
    lowest = float(np.linalg.eigvalsh(whole.hessian._matrices[0])[0])
    assert some.hessian.judged is not None
    for bound in lowest + np.array([-1.0, -1e-3, 1e-3, 1.0]) * abs(lowest):
        assert some.hessian.phi_dot_exceeds(bound) == whole.hessian.phi_dot_exceeds(bound)


def test_a_direction_that_is_nearly_flat_is_a_matter_for_all_rows(monkeypatch):
    whole, some = both(at_optimum(FLAT).W, FLAT, monkeypatch)
    assert some.hessian.judged is None
    value = some.hessian.smallest_curvature.value
    assert value == pytest.approx(whole.hessian.smallest_curvature.value, rel=1e-6)


def test_so_is_a_saddle(few_rows_are_many):
    W = np.eye(D)[:, 3:]
    assert Objective(X, ClassTable.centered(CLEAR), WIDE, "nystrom").point(W).hessian.judged is None


def test_a_sample_of_something_else_is_found_out(few_rows_are_many):
    W = at_optimum(CLEAR).W
    objective = Objective(X, ClassTable.centered(CLEAR), WIDE, "nystrom")
    other = Objective(X[:3000], ClassTable.centered(CLEAR[:3000]).scaled((N / 300) ** 2), WIDE)
    objective._stand_in.append(other)
    assert objective.point(W).hessian.judged is None


def test_the_certificate_says_who_judged(few_rows_are_many):
    W, gamma = at_optimum(CLEAR).W, ClassTable.centered(CLEAR)
    judged = certify(Objective(X, gamma, WIDE, "nystrom"), W)
    assert judged.verified
    assert judged.curvature_rows == 3000
    assert "as far as 3000 of them tell" in judged.verdict
    assert certify(Objective(X[:3000], gamma.take(np.arange(3000)), WIDE), W).curvature_rows is None


def test_rows_that_stand_out_are_asked_themselves(few_rows_are_many):
    """A saddle that only two rows far out make one: no sample that misses them may judge."""
    rng = np.random.default_rng(0)
    half = rng.standard_normal((N // 2, D))
    codes = np.arange(N // 2) % 2
    half[:, 0] = np.where(codes == 0, 1.6, 5.0) * rng.choice([-1.0, 1.0], N // 2)
    half[0, 0], half[0, 4], codes[0] = 0.0, 200.0, 0
    table = np.concatenate([half, half * np.array([1.0, 1.0, 1.0, 1.0, -1.0])])
    both_codes = np.concatenate([codes, codes])
    objective = Objective(table, ClassTable.centered(both_codes), Gaussian(1.0), "nystrom")
    assert objective.point(np.eye(D)[:, :1]).hessian.judged is None
    assert rows_stand_out(as_rows(table), 1e-2)
    assert not rows_stand_out(as_rows(X), 1e-2)
