"""The alternation as printed: its cost written out, diagonal zero."""

import numpy as np
import pytest

from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, Status, UnsupervisedHSIC
from hsiclearn.exceptions import DegenerateDataError
from hsiclearn.kernels import Gaussian, RelativeGaussian
from naive import assert_close
from naive_clustering import kernel_matrix, neighbour_scales
from registry import one_hot

rng = np.random.default_rng(0)
N, K = 60, 3
X = rng.standard_normal((N, 4)) + 3.0 * np.eye(4)[np.arange(N) % 3]
GIVEN = rng.integers(0, 2, N)
H = np.eye(N) - 1.0 / N


def graph(kernel, W):
    """K without its diagonal; scales are those of all columns, as printed."""
    scales = [
        neighbour_scales(X, term.n_neighbors, term.floor) if hasattr(term, "floor") else None
        for _, term in kernel.terms
    ]
    matrix = kernel_matrix(kernel, X @ W, scales)
    return matrix - np.diag(np.diag(matrix))


def embedding(matrix, k=K):
    """Top eigenpairs of ``H D^-1/2 K D^-1/2 H``."""
    root = np.sqrt(matrix.sum(axis=1))
    values, vectors = np.linalg.eigh(H @ (matrix / np.outer(root, root)) @ H)
    return values[::-1][: k + 1], vectors[:, ::-1][:, :k]


@pytest.mark.parametrize("kernel", [Gaussian(2.0), RelativeGaussian()], ids=repr)
def test_the_unguided_cost(kernel):
    model = UnsupervisedHSIC(K, objective="paper", kernel=kernel).fit(X)
    matrix = graph(kernel, model.components_.T)
    values, Y = embedding(matrix)
    assert_close(model.graph_eigenvalues_, values, 1e-8)
    expected = -np.sum((H @ Y @ Y.T @ H) * matrix)
    assert model.cost_ == pytest.approx(expected, rel=1e-6)
    assert model.result_.history[-1].cost == model.cost_
    assert model.result_.status is Status.EIGENVALUES_SETTLED
    assert_close(model.embedding_ @ model.embedding_.T, Y @ Y.T, 1e-6)


def psi_of(known):
    """``Psi``, labels centred over the rows that have one."""
    U = np.where(known[:, None], one_hot(GIVEN), 0.0)
    U[known] -= U[known].mean(axis=0)
    return U @ U.T


@pytest.mark.parametrize(
    ("estimator", "n_known", "sign"), [(AlternativeHSIC, N, 1.0), (SemiSupervisedHSIC, 20, -1.0)]
)
def test_the_guided_cost_takes_mu_as_it_is(estimator, n_known, sign):
    mu, kernel, known = 0.01, Gaussian(2.0), np.arange(N) < n_known
    model = estimator(2, objective="paper", kernel=kernel, mu=mu)
    model.fit(X, np.where(known, GIVEN, -1))
    matrix = graph(kernel, model.components_.T)
    _, Y = embedding(matrix, 2)
    V = Y / np.sqrt(matrix.sum(axis=1))[:, None]
    expected = -np.sum((V @ V.T) * matrix) + sign * mu * np.sum(psi_of(known) * matrix)
    assert model.cost_ == pytest.approx(expected, rel=1e-6)


def test_deterministic_and_fit_for_prediction():
    one, two = (UnsupervisedHSIC(K, objective="paper").fit(X) for _ in range(2))
    assert one.components_.tobytes() == two.components_.tobytes()
    assert one.labels_.tobytes() == two.labels_.tobytes()
    assert np.mean(one.predict(X) == one.labels_) >= 0.9
    assert one.starts_ == ()


def test_rows_without_neighbours_are_an_error():
    model = UnsupervisedHSIC(K, objective="paper", kernel=Gaussian(1e-4))
    with pytest.raises(DegenerateDataError, match=r"60 of 60 rows have no neighbour.*'exact'"):
        model.fit(X)
