"""Below what size Phi is rounding, and an objective flat."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from foreign_arrays import make
from hsiclearn import Objective, Status, solve
from hsiclearn._linalg import DenseSymmetric
from hsiclearn._objective import CurvedPoint
from hsiclearn._objective.flatness import Flatness
from hsiclearn._objective.rounding import rounding_of_phi
from hsiclearn._rows import as_rows
from hsiclearn.exceptions import NotConvergedWarning
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import (
    Cauchy,
    Gaussian,
    Polynomial,
)
from registry import GAMMAS, KERNELS, MATRIX, UNSORTED, D, W, X

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


def test_rows_in_one_place_tell_nothing_where_no_slope_does():
    """Of ``(x_i'WW'x_j)^2`` Phi(0) is 0; a centred Gamma takes away what equal rows share."""
    row = np.array([0.34558418, 0.82161814, 0.33043706, -1.3031572, 0.9053559])
    gamma = ClassTable.centered(np.array([0, 1]))
    with pytest.warns(NotConvergedWarning, match="Phi vanishes"):
        result = solve(np.stack([row, row]), gamma, Polynomial(2, 0.0), 1, init="second-moments")
    assert result.status is Status.VANISHED
    assert not result.certificate.verified
