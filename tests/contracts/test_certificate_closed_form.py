"""Figures of a certificate by hand: X = I, a linear kernel and a diagonal Gamma, Phi = -Gamma."""

import numpy as np
import pytest

from hsiclearn import Objective, certify
from hsiclearn.gamma import Dense, LowRank
from hsiclearn.kernels import Linear

SIZES = np.array([4.0, 3.0, 2.0, 1.0])
NORM = np.sqrt(30.0)
ROWS = np.vstack([np.eye(4), np.zeros((3, 4))])  # more rows than columns


def diagonal(sizes=SIZES):
    """Phi has the eigenvalues ``-sizes`` along the columns."""
    gamma = np.zeros((7, 7))
    gamma[:4, :4] = np.diag(sizes)
    return Objective(ROWS, Dense(gamma), Linear())


def along(*columns):
    return np.eye(4)[:, list(columns)]


@pytest.mark.parametrize(
    ("columns", "curvature", "gap"),
    [((0,), 1.0, 1.0), ((0, 1), 1.0, 1.0), ((1,), -1.0, 1.0), ((0, 2), -1.0, 1.0), ((3,), -3, 1.0)],
)
def test_curvature_is_the_smallest_difference_of_eigenvalues(columns, curvature, gap):
    """Out of the subspace less in it; the gap is between the q-th and the next of all."""
    certificate = certify(diagonal(), along(*columns))
    assert certificate.curvature == pytest.approx(curvature / NORM, rel=1e-12)
    assert certificate.eigengap == pytest.approx(gap / NORM, rel=1e-12)
    assert certificate.orthogonality == certificate.stationarity == 0.0
    is_lowest = curvature > 0
    assert certificate.is_lowest == certificate.second_order == certificate.theorem1 == is_lowest
    assert certificate.verified == is_lowest


@pytest.mark.parametrize(("share", "passes"), [(0.9, True), (1.1, False)])
def test_verdicts_change_at_the_tolerance(share, passes):
    """The first direction is worse than the second by a little more, or less, than ``tol``."""
    tol = 1e-3
    sizes = SIZES.copy()
    sizes[0] = 3.0 - share * tol * np.sqrt(3.0**2 + 3.0**2 + 2.0**2 + 1.0)
    certificate = certify(diagonal(sizes), along(0), tol=tol)
    assert certificate.curvature == pytest.approx(-share * tol, rel=1e-3)
    assert certificate.second_order == certificate.is_lowest == passes


@pytest.mark.parametrize(("share", "passes"), [(0.999, True), (1.001, False)])
def test_a_gradient_passes_up_to_the_tolerance(share, passes):
    """Turned by a small angle t between eigenvalues a and b: the gradient is ``|a - b| t``."""
    tol = 1e-4
    angle = 0.5 * np.arcsin(2.0 * share * tol * NORM)
    W = np.cos(angle) * along(0) + np.sin(angle) * along(1)
    certificate = certify(diagonal(), W, tol=tol)
    assert certificate.stationarity == pytest.approx(share * tol, rel=1e-9)
    assert certificate.verified == passes


def test_rank_is_known_where_rows_can_tell():
    full, less = certify(diagonal(), along(0)), certify(diagonal([4.0, 3.0, 2.0, 0.0]), along(0))
    assert full.full_rank is True
    assert less.full_rank is False
    as_many = Objective(np.eye(4), Dense(np.diag(SIZES)), Linear())
    assert certify(as_many, along(0)).full_rank is False  # of four centred rows there are three


def test_the_whole_space_leaves_nothing_to_choose():
    certificate = certify(diagonal(), np.eye(4))
    assert certificate.curvature == certificate.eigengap == np.inf
    assert certificate.verified
    assert certificate.theorem1


@pytest.mark.parametrize(("error", "passes"), [(0.99e-3, True), (1.01e-3, False)])
def test_a_thousandth_off_is_still_a_basis(error, passes):
    W = along(0, 1) * np.array([1.0, np.sqrt(1.0 + error)])
    if passes:
        assert certify(diagonal(), W).orthogonality == pytest.approx(error, rel=1e-9)
    else:
        with pytest.raises(ValueError, match=r"is 0\.00101, .* explains 0\.001 at most"):
            certify(diagonal(), W)


def test_nothing_is_certified_where_phi_is_nothing():
    certificate = certify(Objective(ROWS, LowRank(np.zeros((7, 1))), Linear()), along(0))
    assert np.isnan([certificate.stationarity, certificate.curvature, certificate.eigengap]).all()
    assert certificate.second_order is certificate.theorem1 is None
    assert certificate.is_lowest is certificate.full_rank is certificate.verified is False
    assert certificate.verdict.startswith("Nothing can be verified")


def test_the_gradient_of_the_objective_is_the_one_judged():
    W = np.linalg.qr(np.arange(8.0).reshape(4, 2) ** 2)[0]
    phi = -np.diag(SIZES)
    expected = np.linalg.norm((np.eye(4) - W @ W.T) @ phi @ W) / NORM
    assert certify(diagonal(), W).stationarity == pytest.approx(expected, rel=1e-12)
