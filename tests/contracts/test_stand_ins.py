"""What an objective decides: rows that stand in, what it keeps, where it may run."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from foreign_arrays import make
from hsiclearn import Objective
from hsiclearn._devices import to_host
from hsiclearn._engines import NystromEngine
from hsiclearn._objective import objective as home
from hsiclearn.exceptions import InvalidKernelError
from hsiclearn.gamma import ClassTable, LowRank
from hsiclearn.kernels import (
    Cauchy,
    Custom,
    Gaussian,
    Linear,
    RelativeGaussian,
    Squared,
)
from registry import KERNELS, orthonormal

ROWS = np.random.default_rng(5).standard_normal((400, 4))
CODES = np.random.default_rng(6).integers(0, 3, 400)


def of_400(engine="nystrom", gamma=None):
    return Objective(ROWS, gamma or ClassTable.centered(CODES), Gaussian(2.0), engine)


@pytest.mark.parametrize(
    ("least", "numbers", "by_pairs", "size"),
    [
        (50, 10**6, False, 50),  # so many at least
        (20, 10**6, False, 40),  # a tenth, where that is more
        (20, 120, False, 30),  # a copy of 120 numbers
        (50, 40, False, 40),  # or of four times as many, where that is less than the least
        (1000, 10**6, False, 400),
        (20, 10**6, True, 100),  # a quarter, pair by pair
    ],
)
def test_how_many_rows_stand_in(least, numbers, by_pairs, size, monkeypatch):
    monkeypatch.setattr(home, "_LEAST", least)
    monkeypatch.setattr(home, "_NUMBERS", numbers)
    objective = of_400()
    objective._engine.is_pairwise = by_pairs
    found = objective.stand_in
    assert found is objective.stand_in
    assert found.n_samples == size
    index = np.sort(np.random.default_rng(0).choice(400, size, replace=False))
    index = index[np.argsort(CODES[index], kind="stable")]  # those of a class beside each other
    np.testing.assert_array_equal(found.gamma.codes, CODES[index])
    centred = ROWS[index] - ROWS[index].mean(axis=0)
    np.testing.assert_allclose(found.X - found.X.mean(axis=0), centred, atol=1e-12)
    np.testing.assert_allclose(found.gamma.table, (400 / size) ** 2 * objective.gamma.table)
    assert not found.has_stand_in
    assert found._stands_in


def test_rows_stand_in_by_the_engine_at_work(monkeypatch):
    """Fewer rows than "auto" would take it for; one of the caller's own is made again."""
    monkeypatch.setattr(home, "_LEAST", 60)
    for asked in ("auto", partial(NystromEngine, rtol=1e-3)):
        objective = of_400()
        objective._engine_like = asked
        found = objective.stand_in
        assert found.engine == "nystrom"
        assert (found._engine_like is asked) == (asked != "auto")


def test_who_has_rows_that_stand_in(monkeypatch):
    for many, has in ((400, True), (401, False)):
        monkeypatch.setattr(home, "_STAND_IN_FROM", many)
        objective = of_400()
        assert objective.has_stand_in == has
        assert not of_400("dense").has_stand_in
        objective._stand_in.append(SimpleNamespace(norm_at_zero=3.0))
        assert objective.clearly_exceeds_nothing(3.01e-6) == has
        assert not objective.clearly_exceeds_nothing(2.99e-6)


def test_rows_of_columns_stand_in_as_they_come(monkeypatch):
    monkeypatch.setattr(home, "_LEAST", 60)
    U = np.random.default_rng(7).standard_normal((400, 2))
    index = np.sort(np.random.default_rng(0).choice(400, 60, replace=False))
    found = of_400(gamma=LowRank.centered(U)).stand_in
    np.testing.assert_allclose(found.gamma.U, (U - U.mean(axis=0))[index], atol=1e-14)


def test_a_sample_estimates_the_sum_over_all_pairs():
    objective = of_400("dense")
    found = objective.sampled(100)
    index = np.sort(np.random.default_rng(0).choice(400, 100, replace=False))
    part = objective.subset(index)
    assert part.n_samples == 100
    frame = orthonormal(4, 2, seed=1)
    assert found.cost(frame) == pytest.approx(16.0 * part.cost(frame), rel=1e-12)
    G = objective.gamma.to_dense()[np.ix_(index, index)]
    w = ROWS[index] @ frame
    K = np.exp(-((w[:, None] - w) ** 2).sum(axis=2) / 8.0)
    assert part.cost(frame) == pytest.approx(-np.sum(G * K), rel=1e-10)


def test_an_objective_of_another_engine_keeps_what_does_not_depend_on_it():
    objective = of_400()
    _ = objective.norm_at_zero, objective.flatness
    same, other = (SimpleNamespace(gamma=g) for g in (objective._engine.gamma, "finer"))
    frame = orthonormal(4, 2, seed=1)
    for engine, keeps in ((same, True), (other, False)):
        twin = objective._by(engine, frame)
        assert twin._engine is engine
        assert twin.anchor is frame
        for name in ("matrix_at_zero", "norm_at_zero", "flatness"):
            assert (name in twin.__dict__) == keeps
    assert objective.sharpened(1.0) is objective
    assert objective.sharpened(10.0) is not objective
    assert objective.held_at(frame).anchor is frame
    exact = of_400("dense")
    assert exact.held_at(frame) is exact
    assert exact.refined(frame, 0.1) is None
    assert objective.refined(frame, 0.1).engine == "nystrom"


def test_an_evaluation_is_kept_until_w_or_the_engine_changes():
    objective, frame = of_400("dense"), np.array(orthonormal(4, 2, seed=1))
    asked, real = [], objective._engine.contract
    objective._engine.contract = lambda V: asked.append(1) or real(V)
    first = objective.point(frame)
    assert objective.point(frame.copy()).matrix is first.matrix
    frame[:, 0] *= -1.0  # what the caller does with W is no matter of ours
    assert objective.point(frame).matrix is not first.matrix
    assert len(asked) == 2


@pytest.mark.parametrize(
    "kernel", [Linear(), Squared(), Gaussian(0.7) - 2.0 * Cauchy(), RelativeGaussian(5)]
)
def test_phi_at_zero_is_that_of_a_constant_slope(kernel):
    """``-c f'(0) X' L(Gamma) X``; with it the columns that are asked for alone."""
    objective = Objective(ROWS, ClassTable.centered(CODES), kernel, "dense")
    G, expected = objective.gamma.to_dense(), np.zeros((4, 4))
    for weight, term in kernel.terms:
        scales = term.row_scales(ROWS)
        S = G if scales is None else G * np.outer(scales, scales)
        slope = weight * float(term.df(np.zeros(1))[0])
        L = 2.0 * (np.diag(S.sum(axis=1)) - S) if term.pair.is_difference else S
        expected -= slope * (ROWS.T @ L @ ROWS)
    np.testing.assert_allclose(objective.phi_at_zero, expected, atol=1e-10 * np.abs(expected).max())
    np.testing.assert_allclose(objective.norm_at_zero, np.linalg.norm(expected))


def test_a_kernel_of_ones_own_is_checked_near_its_rows():
    """Of differences on centred rows, of inner products on the rows as they are."""
    seen = []

    def f(b):
        seen.append(np.max(np.abs(b)))
        return np.exp(-b)

    for pair in ("difference", "inner"):
        seen.clear()
        kernel = Custom(f, lambda b: -np.exp(-b), lambda b: np.exp(-b), pair=pair)
        rows = np.full((30, 1), 2.0) + np.linspace(-2.0, 2.0, 30)[:, None]
        Objective(rows, np.eye(30), kernel, "dense")
        largest = (rows[19, 0] - rows[0, 0]) ** 2 if pair == "difference" else rows[19, 0] ** 2
        assert max(seen) == pytest.approx(largest, rel=1e-3)  # of the first twenty rows


def test_frames_of_whole_numbers_are_frames():
    objective = of_400("dense")
    assert objective.cost(np.eye(4, dtype=int)) == objective.cost(np.eye(4))
    assert objective.cost(np.eye(4, dtype=bool)) == objective.cost(np.eye(4))
    assert objective.n_samples == 400
    np.testing.assert_allclose(objective.gram, objective.X.T @ objective.X)


# Rows on a device --------------------------------------------------------------------------------


def on_device(kernel=None, **given):
    rows, gamma = make("strict", ROWS), ClassTable.centered(CODES)
    return Objective(rows, gamma, kernel or Gaussian(2.0), "nystrom", **given)


def test_all_pairs_of_a_device_where_one_is_quick_enough(monkeypatch):
    objective, asked = on_device(n_components=3, rtol=1e-4), []
    for name in (None, "nystrom"):
        monkeypatch.setattr(home, "exact_on_device", lambda *a, name=name: asked.append(a) or name)
        twin = objective.exact_twin(12.0)
        assert (twin is None) == (name is None)
    assert asked[0][3:] == (3, 12.0)
    assert (twin.n_components, twin._rtol) == (3, 1e-4)
    assert "was not exact enough: all pairs instead" in twin.engine_reason
    objective._engine.is_pairwise = True  # it is exact
    assert objective.exact_twin(12.0) is None


def test_a_kernel_of_ones_own_must_run_where_the_rows_are():
    assert on_device(KERNELS["custom-difference"]).engine == "nystrom"
    here = Custom(lambda b: 1.0 / (1.0 + b), lambda b: -1.0 / (1.0 + b) ** 2, of_numpy)
    with pytest.raises(InvalidKernelError, match="must take arrays of the library that X is of"):
        on_device(here)
    assert Objective(ROWS, ClassTable.centered(CODES), here, "nystrom").n_samples == 400


def of_numpy(beta):
    """The second derivative, but an array of numpy whatever it is given."""
    return np.asarray(2.0 / (1.0 + to_host(beta)) ** 3)


@pytest.mark.parametrize("slope", [np.inf, np.nan])
def test_a_kernel_must_have_a_slope_at_zero(slope):
    rough = Custom(
        lambda b: np.exp(-b),
        lambda b: np.where(b == 0.0, slope, -np.exp(-b)),
        lambda b: np.exp(-b),
        pair="inner",
    )
    with pytest.raises(InvalidKernelError, match=r"f'\(0\) must be finite"):
        Objective(np.arange(1.0, 6.0)[:, None], np.eye(5), rough, "dense")
