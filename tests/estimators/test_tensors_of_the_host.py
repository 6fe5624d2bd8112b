"""Tensors of torch's CPU: numpy sees them without a copy, so fits are its, bit by bit."""

import numpy as np
import pytest

from clusterings import ESTIMATORS, guide_of, two_gaps
from hsiclearn import SupervisedHSIC, hsic, solve
from hsiclearn._rows import ArrayRows, as_rows
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian

torch = pytest.importorskip("torch", reason="torch is an optional extra")

_rng = np.random.default_rng(0)
X = _rng.standard_normal((150, 4))
Y = np.sin(2.0 * X[:, 0]) + X[:, 1]
CODES = np.digitize(Y, [0.0])


def test_the_table_is_not_copied():
    tensor = torch.from_numpy(X.copy())
    rows = as_rows(tensor)
    assert isinstance(rows, ArrayRows)
    assert np.shares_memory(rows.whole_array(), tensor.numpy())
    assert as_rows(tensor.float()).dtype == np.float32
    assert as_rows(tensor.T).shape == (4, 150)
    np.testing.assert_array_equal(as_rows((10 * tensor).int()).take(np.arange(3)) % 1, 0.0)


@pytest.mark.parametrize("y", [CODES, Y])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_fit_has_the_same_bits_and_its_attributes_are_tensors(y, dtype):
    table = X.astype(dtype)
    host = SupervisedHSIC(1).fit(table, y)
    model = SupervisedHSIC(1).fit(torch.from_numpy(table), torch.from_numpy(y))
    assert isinstance(model.components_, torch.Tensor)
    assert model.components_.numpy().tobytes() == host.components_.tobytes()
    assert model.engine_ == host.engine_
    assert isinstance(model.transform(torch.from_numpy(table)), torch.Tensor)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_clusters_have_the_same_labels(estimator):
    table, given, _, starts = two_gaps(120)
    guide, build = guide_of(estimator, given), ESTIMATORS[estimator]
    settings = {"n_components": 1, "init": starts["given"]}
    host = build(**settings).fit(table, guide)
    model = build(**settings).fit(torch.from_numpy(table.copy()), guide)
    np.testing.assert_array_equal(model.labels_.numpy(), host.labels_)


def test_measures_and_solves_are_those_of_numpy():
    tensor = torch.from_numpy(X)
    assert hsic(tensor, torch.from_numpy(Y)) == hsic(X, Y)
    gamma = ClassTable.centered(CODES)
    theirs, ours = (solve(rows, gamma, Gaussian(1.5), 1) for rows in (X, tensor))
    assert theirs.W.tobytes() == ours.W.tobytes()


def test_what_is_no_table_of_numbers_is_an_error():
    with pytest.raises(ValueError, match=r"detach\(\)"):
        SupervisedHSIC(1).fit(torch.from_numpy(X.copy()).requires_grad_(), CODES)
    with pytest.raises(ValueError, match="float16"):
        SupervisedHSIC(1).fit(torch.from_numpy(X).half(), CODES)
