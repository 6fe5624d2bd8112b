"""What an iterate and an objective decide: yardsticks, rounding, flatness, rows that stand in."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from foreign_arrays import make
from hsiclearn import Objective
from hsiclearn._devices import to_host
from hsiclearn._engines import NystromEngine
from hsiclearn._linalg import DenseSymmetric, Spectrum
from hsiclearn._objective import CurvedPoint
from hsiclearn._objective import objective as home
from hsiclearn._objective.flatness import Flatness
from hsiclearn._objective.rounding import rounding_of_phi
from hsiclearn._rows import as_rows
from hsiclearn.exceptions import InvalidKernelError
from hsiclearn.gamma import ClassTable, Dense, LowRank
from hsiclearn.kernels import (
    Cauchy,
    Custom,
    Gaussian,
    Linear,
    Polynomial,
    RelativeGaussian,
    Squared,
)
from problems import WrittenPoint
from registry import GAMMAS, KERNELS, MATRIX, UNSORTED, D, W, X, orthonormal, symmetric

EPS = np.finfo(float).eps


# Rounding ----------------------------------------------------------------------------------------


def lengths(rows, frame):
    return np.linalg.norm(rows, axis=1), np.linalg.norm(rows @ frame, axis=1)


def shares(term, x, w):
    """g of the formula, term by term written out."""
    if term.pair.is_difference:
        r, s = (np.sqrt(np.mean(v**2)) for v in (x, w))
        slope, bend = (abs(float(g(np.zeros(1))[0])) for g in (term.df, term.d2f))
        return (x + r) ** 2 / r * np.sqrt(slope + bend * ((w + s) ** 2 / s) ** 2)
    if term.coefficients is None:
        return x * np.sqrt(np.abs(term.df(w**2)))
    powers = enumerate(term.coefficients)
    slopes = sum(k * abs(c) * (w**2) ** (k - 1) for k, c in powers if k)
    return x * np.sqrt(slopes)


ROUNDED = {
    "polynomial": Polynomial(3, 0.5),
    "inner, no coefficients": KERNELS["custom-inner"],
    "gaussian": Gaussian(1.3),
    "cauchy": Cauchy(0.7),
    "sum": -2.0 * Gaussian(1.3) + 3.0 * Polynomial(2, 1.0),
}


@pytest.mark.parametrize("name", ROUNDED)
def test_rounding_is_the_sum_without_signs(name):
    """Four units of the last digit of it; one number for each row, whose products bound a pair."""
    kernel = ROUNDED[name]
    found = rounding_of_phi(as_rows(X + 3.0), Dense(MATRIX), kernel, W)
    expected = sum(
        abs(weight) * (g := shares(term, *lengths(X + 3.0, W))) @ np.abs(MATRIX) @ g
        for weight, term in kernel.terms
    )
    assert found == pytest.approx(4.0 * EPS * expected, rel=1e-12)
    sparsely = rounding_of_phi(as_rows(sparse.csr_array(X + 3.0)), Dense(MATRIX), kernel, W)
    assert sparsely == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize("gamma", ["low-rank-signed", "classes-unsorted", "dense"])
def test_rounding_is_the_same_where_the_rows_are(gamma):
    kernel, gamma = ROUNDED["sum"], GAMMAS[gamma][0]
    rows = as_rows(make("strict", X + 3.0))
    assert rows.on_device is not None
    here = rounding_of_phi(as_rows(X + 3.0), gamma, kernel, W)
    there = rounding_of_phi(rows, gamma, kernel, W)
    if isinstance(gamma, ClassTable):  # by what bounds its entries
        factor = gamma.row_factor()
        sizes = np.sqrt((factor.roots**2) @ np.abs(factor.signs))[UNSORTED]
        x, w = lengths(X + 3.0, W)
        here = 4.0 * EPS * sum(abs(t[0]) * (sizes @ shares(t[1], x, w)) ** 2 for t in kernel.terms)
    assert there == pytest.approx(here, rel=1e-10)


def test_rounding_is_asked_once_for_a_point():
    objective = Objective(X + 10.0, MATRIX, Polynomial(2))
    point = objective.point(W)
    found = objective.rounding(point)
    raw = rounding_of_phi(objective.rows, objective.gamma, objective.kernel, W)
    assert found == raw / point.scale
    objective.kernel = None  # whoever would ask again would fail
    assert objective.rounding(point) == found
    centred = Objective(X + 10.0, GAMMAS["dense-centered"][0], Gaussian())
    assert centred.rounding(centred.point(W)) == 0.0


# Flat objectives ---------------------------------------------------------------------------------


def test_flat_is_below_what_phi_and_phi_dot_are_rounding():
    """1e-12 of Phi(0), or what it was summed up from; of Phidot a hundred times that."""
    gamma = GAMMAS["classes-unsorted"][0]
    objective = Objective(X, gamma, Gaussian(1.5), "dense")
    found = Flatness.of(objective, 1e-6)
    zero = np.zeros((D, 1))
    rounding = rounding_of_phi(objective.rows, gamma, objective.kernel, zero)
    assert found.phi == max(1e-12 * objective.norm_at_zero, rounding)
    assert found.phi_dot == pytest.approx(100.0 * found.phi, rel=1e-14)
    little = Objective(X, gamma.scaled(1e-9), Gaussian(1.5), "dense")
    little.__dict__["norm_at_zero"] = 1.0
    assert Flatness.of(little, 1e-6).phi == 1e-12


@pytest.mark.parametrize("kernel", [Gaussian(1.5) + 2.0 * Cauchy(0.4), Polynomial(2, 0.0)])
def test_in_linear_time_flat_is_what_features_are_off_by(kernel):
    """``rtol |Phi(0)| |f''(0)| |x|^2 / |f'(0)|``, of the term that bends most."""
    objective = Objective(X, GAMMAS["classes-unsorted"][0], kernel, "nystrom")
    found = Flatness.of(objective, 1e-3)
    spread = np.sum(np.ptp(X, axis=0) ** 2)
    steepness = 2.0 / 0.4**2 if isinstance(kernel.terms[0][1], Gaussian) else 0.0
    expected = max(100.0 * found.phi, 1e-3 * objective.norm_at_zero * steepness * spread)
    assert found.phi_dot == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("phi", "along", "vanishes"), [(1.1, 0.0, False), (1.0, 2.1, False), (1.0, 2.0, True)]
)
def test_a_point_vanishes_where_phi_and_phi_dot_do(phi, along, vanishes):
    objective = SimpleNamespace(
        clearly_exceeds_nothing=lambda norm: False, flatness=Flatness(1.0, 2.0)
    )
    point = CurvedPoint(objective, W, 5.0, DenseSymmetric(np.diag([phi, 0.0, 0.0, 0.0])))
    point.hessian = SimpleNamespace(curvature_along_a_line=along)
    assert point.vanishes == vanishes
    objective.clearly_exceeds_nothing = lambda norm: norm == phi
    again = CurvedPoint(objective, W, 5.0, point.matrix)
    again.hessian = point.hessian
    assert not again.vanishes


# Points ------------------------------------------------------------------------------------------


def test_what_follows_from_phi():
    phi = symmetric(D, seed=3)
    point = WrittenPoint(None, W, -2.0, phi)
    values = np.linalg.eigvalsh(phi)
    assert point.norm == pytest.approx(np.linalg.norm(phi))
    assert point.scale == point.norm
    np.testing.assert_allclose(point.rayleigh, W.T @ phi @ W, atol=1e-14)
    residual = phi @ W - W @ W.T @ phi @ W
    np.testing.assert_allclose(point.residual, residual, atol=1e-14)
    assert point.stationarity == pytest.approx(np.linalg.norm(residual) / np.linalg.norm(phi))
    spectrum = Spectrum(values, np.eye(D))
    assert point.eigengap(spectrum) == pytest.approx(values[2] - values[1])
    promised = np.trace(W.T @ phi @ W) - values[:2].sum()
    assert point.promised_decrease(spectrum) == pytest.approx(promised)
    assert WrittenPoint(None, np.eye(D), 0.0, phi).eigengap(spectrum) == np.inf
    assert not point.vanishes
    nothing = WrittenPoint(None, W, 0.0, np.zeros((D, D)))
    assert nothing.vanishes
    assert nothing.stationarity == 0.0


@pytest.mark.parametrize(("slope", "tolerance"), [(0.0, 1e-8), (1.0, 0.05)])
def test_a_step_needs_no_more_digits_than_it_has(slope, tolerance):
    """A twentieth of the gradient, but eight digits at least of what is known."""
    point, asked = WrittenPoint(None, W, 0.0, symmetric(D, seed=3)), []
    point.matrix = SimpleNamespace(improved=lambda V, rtol: asked.append((V, rtol)))
    point.stationarity = slope
    _ = point.step_spectrum
    assert asked == [(W, tolerance)]


@pytest.mark.parametrize(("cost", "scale"), [(-1e4, 1.0), (1.01e4, 3.0), (-1.01e4, 3.0)])
def test_the_scale_is_the_curvature_where_phi_is_small_beside_the_cost(cost, scale):
    """A ten-thousandth of it; then 1e-5 of the curvature, if that is more."""
    point = CurvedPoint(None, W, cost, DenseSymmetric(np.diag([1.0, 0.0, 0.0, 0.0])))
    point.hessian = SimpleNamespace(curvature_along_a_line=3e5)
    assert point.scale == pytest.approx(scale)
    flat = CurvedPoint(None, W, cost, point.matrix)
    flat.hessian = SimpleNamespace(curvature_along_a_line=0.9e5)
    assert flat.scale == 1.0


def test_a_point_is_held_until_it_has_turned_away():
    """By a sine of 0.1; one that was never held keeps the values it has."""
    turned = lambda sine: np.array([[np.sqrt(1 - sine**2)], [sine]])  # noqa: E731
    frame = np.array([[1.0], [0.0]])
    held = SimpleNamespace(point=lambda V: CurvedPoint(held, V, 7.0, "new"), anchor=None)
    objective = SimpleNamespace(anchor=None, held_at=lambda V: held)
    point = CurvedPoint(objective, frame, 5.0, "old")
    point.is_stiff = True
    first = point.held()
    assert (first.objective, first.cost, first.matrix, first.is_stiff) == (held, 5.0, "old", True)
    objective.anchor = frame
    for sine, cost in ((0.099, 5.0), (0.101, 7.0)):
        point = CurvedPoint(objective, turned(sine), 5.0, "old")
        point.is_stiff = True
        found = point.held()
        assert (found is point) == (cost == 5.0)
        assert (found.cost, found.is_stiff) == (cost, True)
        assert point.held(within=0.2) is point
    objective.held_at = lambda V: objective  # exact: there is nothing to hold
    assert point.held() is point


# Objectives --------------------------------------------------------------------------------------

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
