"""The rule behind engine="auto"."""

import numpy as np
import pytest
from scipy import sparse

from hsiclearn._engines import choose_engine
from hsiclearn._objective import Objective
from hsiclearn._rows import as_rows
from hsiclearn.gamma import ClassTable, Dense
from hsiclearn.kernels import Gaussian, Polynomial


def table(n, d=4):
    return np.random.default_rng(0).standard_normal((n, d))


def chosen(n, kernel=None, gamma=None, X=None, q=2):
    gamma = ClassTable.centered(np.arange(n) % 3) if gamma is None else gamma
    X = table(n) if X is None else X
    return choose_engine(as_rows(X), gamma, kernel or Gaussian(2.0), q)


@pytest.mark.parametrize(
    ("n", "name"),
    [(10, "dense"), (400, "dense"), (401, "tiled"), (5000, "tiled"), (5001, "nystrom")],
)
def test_by_the_number_of_rows(n, name):
    assert chosen(n).name == name


def test_a_small_bandwidth_needs_too_many_landmarks():
    choice = chosen(6000, Gaussian(0.02))
    assert choice.name == "tiled"
    assert "landmarks" in choice.reason


def test_polynomials_are_exact_in_linear_time():
    assert chosen(401, Polynomial(3)).name == "features"
    assert chosen(300, Polynomial(3)).name == "dense"
    assert chosen(6000, Polynomial(3) + Gaussian(2.0)).name == "nystrom"


def test_sparse_rows_and_streams_never_become_dense():
    X = table(500)
    assert chosen(500, X=sparse.csr_array(X)).name == "nystrom"
    assert chosen(500, X=lambda: iter([X])).name == "nystrom"


def test_a_gamma_known_pair_by_pair_is_visited_pair_by_pair():
    assert chosen(500, gamma=Dense(np.eye(500))).name == "tiled"


def test_it_can_be_asked_why():
    objective = Objective(table(6000), ClassTable.centered(np.arange(6000) % 3), Gaussian(2.0))
    assert objective.engine == "nystrom"
    assert "landmarks stand for 6000 rows" in objective.engine_reason
    asked = Objective(table(50), Dense(np.eye(50)), Gaussian(2.0), "tiled")
    assert asked.engine_reason == "It was asked for."


def test_many_classes_are_visited_pair_by_pair():
    """Sums for each class cost more than pairs do where a class has a few rows."""
    codes = np.arange(6000) % 1500
    choice = chosen(6000, gamma=ClassTable.centered(codes))
    assert choice.name == "tiled"
    assert "1500 classes" in choice.reason
    assert chosen(6000, gamma=ClassTable.centered(codes % 700)).name == "nystrom"
