"""Tiles of rows in single precision: few rows are taken in double, as on the host."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from foreign_arrays import make
from hsiclearn import SupervisedHSIC, solve
from hsiclearn._engines import DenseEngine, DevicePairs
from hsiclearn._engines.device import pairs
from hsiclearn._rows import DeviceRows
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian

pytestmark = pytest.mark.usefixtures("tensors_stay")

_rng = np.random.default_rng(0)
X = _rng.standard_normal((300, 5)).astype(np.float32)
CODES = (X[:, 0] * X[:, 1] > 0).astype(int)
GAMMA = ClassTable.centered(CODES)
W = np.linalg.qr(_rng.standard_normal((5, 2)))[0]


def engine(rows):
    return DevicePairs(DeviceRows(make("torch", rows)), GAMMA, Gaussian(1.0))


def exact(rows):
    return DenseEngine(rows.astype(np.float64), GAMMA, Gaussian(1.0)).contract(W)[1]


def distance(found, right):
    return np.linalg.norm(found - right) / np.linalg.norm(right)


def test_few_rows_are_taken_in_double_precision():
    assert distance(engine(X).contract(W)[1], exact(X)) < 1e-12
    assert engine(X).error(W, 1.0).relative == 0.0
    assert engine(X).noise == 0.0


@pytest.mark.parametrize("offset", [0.0, 30.0, 300.0])
def test_of_many_rows_the_error_is_said(monkeypatch, offset):
    """Two clusters far apart: squared distances are differences of large numbers."""
    monkeypatch.setattr(pairs, "_IN_DOUBLE", 100)
    rows = X + np.float32(offset) * np.where(CODES, 1, -1)[:, None].astype(np.float32)
    tiles = engine(rows)
    found = distance(tiles.contract(W)[1], exact(rows))
    said = tiles.error(W, 1.0)
    assert 0.0 < found <= 3.0 * said.relative
    assert not said.guaranteed
    assert distance(tiles.refined(W, 0.1).contract(W)[1], exact(rows)) < 1e-9


@pytest.mark.filterwarnings("ignore:Component 2 hardly varies")
def test_a_fit_of_columns_that_nearly_depend_on_each_other():
    """Steps out of a saddle, on which the gradient must grow."""
    table, y = load_breast_cancer(return_X_y=True)
    table = ((table - table.mean(axis=0)) / table.std(axis=0)).astype(np.float32)
    settings = {"bandwidth": 3.0, "objective": "dependence", "metric": "identity"}
    host = SupervisedHSIC(2, **settings).fit(table, y)
    model = SupervisedHSIC(2, **settings).fit(make("torch", table), y)
    assert model.converged_
    assert model.cost_ == pytest.approx(host.cost_, rel=1e-6)


def test_in_single_precision_a_solve_ends_where_it_does_in_double(monkeypatch):
    """Made exact where single precision stalls."""
    host = solve(X, GAMMA, Gaussian(1.0), 2)
    monkeypatch.setattr(pairs, "_IN_DOUBLE", 100)
    there = solve(make("torch", X), GAMMA, Gaussian(1.0), 2, tol=1e-5)
    assert there.certificate.second_order
    assert there.cost == pytest.approx(host.cost, rel=1e-5)


def test_any_range_of_single_precision():
    """As long as squares are numbers of double precision."""
    for unit in (1e-18, 1e18):
        rows = DeviceRows(make("torch", X * np.float32(unit)))
        found = DevicePairs(rows, GAMMA, Gaussian(unit)).contract(W)[1]
        assert distance(found, exact(X)) < 1e-5  # Phi has no unit: a slope, 1 / unit^2, times X'X
