"""The rivals written here: their formulas against plain ones, and directions that are known."""

import inspect

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from scipy.optimize import check_grad
from scipy.spatial.distance import cdist
from sklearn.utils.estimator_checks import check_estimator

from hsiclearn.datasets import make_planted
from hsiclearn_benchmarks.quality import rivals
from hsiclearn_benchmarks.quality.rivals import (
    GradientKernelReduction,
    KernelRegressionMetric,
    OuterProductOfGradients,
    RecursiveFeatureMachine,
    WassersteinDiscriminant,
    _packages,
    gkdr,
    mlkr,
    opg,
    rfm,
)
from hsiclearn_benchmarks.quality.rivals._linear import leading, median_distance, responses

OF_GRADIENTS = (RecursiveFeatureMachine, OuterProductOfGradients, GradientKernelReduction)


def angle(W, model):
    return np.degrees(subspace_angles(W, model.components_.T)[0])


def curved(n=400, d=5, seed=0):
    """Rows, a target that is an even function of one direction, and that direction."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    return X, (X @ w) ** 2 + 0.05 * rng.standard_normal(n), w[:, None]


@pytest.mark.parametrize("rival", OF_GRADIENTS)
def test_a_direction_that_is_no_line_is_found(rival):
    X, y, w = curved()
    assert angle(w, rival(1).fit(X, y)) < 5.0


@pytest.mark.parametrize("rival", OF_GRADIENTS)
def test_a_plane_of_classes_is_found(rival):
    X, y, W = make_planted("ring", 600, 4)
    assert angle(W, rival(2).fit(X, y)) < 6.0


@pytest.mark.parametrize("rival", [*OF_GRADIENTS, KernelRegressionMetric])
def test_the_unit_of_a_real_target_changes_nothing(rival):
    X, y, _ = curved(100)
    first, second = (rival(1).fit(X, target).components_ for target in (y, 1000.0 * y + 7.0))
    np.testing.assert_allclose(first, second, rtol=1e-4, atol=1e-6)


def ridge_function(X, Y, M, width, ridge):
    """Kernel ridge regression with Laplace's kernel, plainly."""
    root = np.linalg.cholesky(M)
    kernel = lambda A: np.exp(-cdist(A @ root, X @ root) / width)  # noqa: E731
    alpha = np.linalg.solve(kernel(X) + ridge * np.eye(len(X)), Y)
    return lambda A: kernel(A) @ alpha


def test_gradients_of_kernel_ridge_regression():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((12, 3)), rng.standard_normal((12, 2))
    root = rng.standard_normal((3, 3))
    M = root @ root.T + np.eye(3)
    f = ridge_function(X, Y, M, 4.0, 0.1)
    found = rfm.gradients(X, Y, M, 4.0, 0.1)
    step = 1e-6
    for column in range(3):
        e = step * np.eye(3)[column]
        # A row's own term has a kink there: its two sides cancel.
        expected = (f(X + e) - f(X - e)) / (2.0 * step)
        np.testing.assert_allclose(found[:, :, column], expected, atol=1e-6)


def test_the_matrix_of_the_recursive_feature_machine_is_a_mean_of_outer_products():
    X, y, _ = curved(30, 3)
    X -= X.mean(axis=0)
    model = RecursiveFeatureMachine(2, n_iter=1).fit(X, y)
    G = rfm.gradients(X, responses(y), np.eye(3), 10.0, 1e-3)
    expected = np.mean([g.T @ g for g in G], axis=0)
    np.testing.assert_allclose(model.matrix_, expected, rtol=1e-9)
    # The scores have the two largest parts of the metric.
    values = np.linalg.eigvalsh(expected)[::-1]
    np.testing.assert_allclose((model.components_**2).sum(axis=1), values[:2], rtol=1e-9)


def test_the_diagonal_names_the_columns_that_matter():
    X = np.random.default_rng(0).standard_normal((300, 20))
    model = RecursiveFeatureMachine(2).fit(X, (X[:, 4] * X[:, 7] > 0.0).astype(int))
    assert set(np.argsort(np.diag(model.matrix_))[-2:]) == {4, 7}


def test_slopes_are_those_of_weighted_least_squares():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((40, 3)), rng.standard_normal((40, 2))
    Z, h = X[:, :2], 0.8
    found = opg.slopes(X, Y, Z, h)
    for i in (0, 17, 39):
        others = np.arange(40) != i
        w = np.exp(-((Z[others] - Z[i]) ** 2).sum(axis=1) / (2.0 * h**2))
        w /= w.sum()
        rows = X[others] - w @ X[others]
        C = (rows * w[:, None]).T @ rows
        ridge = opg._RIDGE * np.trace(C) / 3 * np.eye(3)
        expected = np.linalg.solve(C + ridge, (rows * w[:, None]).T @ Y[others])
        np.testing.assert_allclose(found[i], expected.T, rtol=1e-8)


def test_slopes_by_chunks_are_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((40, 3)), rng.standard_normal((40, 2))
    whole = opg.slopes(X, Y, X, 1.0)
    monkeypatch.setattr(opg, "_CHUNK", 7 * 9)
    np.testing.assert_allclose(opg.slopes(X, Y, X, 1.0), whole, rtol=1e-12)


def test_a_line_around_every_row_is_the_line():
    X = np.random.default_rng(0).standard_normal((100, 3))
    found = opg.slopes(X, X @ np.array([[1.0], [-2.0], [0.5]]), X, 3.0)
    np.testing.assert_allclose(found[:, 0], np.tile([1.0, -2.0, 0.5], (100, 1)), rtol=0.01)


def test_a_row_far_from_all_has_no_slope():
    X = np.vstack([np.random.default_rng(0).standard_normal((50, 2)), [[40.0, 40.0]]])
    found = opg.slopes(X, X[:, :1], X, 0.5)
    assert not found[-1].any()
    assert found[:-1].any()


def test_outer_products_do_not_see_the_scale_of_columns():
    X, y, w = curved()
    scales = np.array([1.0, 10.0, 0.1, 3.0, 1.0])
    plain, scaled = (OuterProductOfGradients(1).fit(A, y) for A in (X, X * scales))
    np.testing.assert_allclose(
        np.abs(scaled.components_ * scales), np.abs(plain.components_), atol=1e-6
    )
    assert angle(w, plain) < 5.0


def test_the_matrix_of_gradient_kernel_reduction_by_its_definition():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((15, 3)), rng.standard_normal((15, 2))
    s, t, epsilon, n = 1.3, 0.9, 1e-2, 15
    K, G_Y = np.exp(-(cdist(X, X) ** 2) / (2 * s**2)), np.exp(-(cdist(Y, Y) ** 2) / (2 * t**2))
    inverse = np.linalg.inv(K + n * epsilon * np.eye(n))
    F = inverse @ G_Y @ inverse
    expected = np.zeros((3, 3))
    for i in range(n):
        D = K[:, i, None] * (X - X[i]) / s**2  # the gradients of k(x_j, x) at x = x_i
        expected += D.T @ F @ D / n
    np.testing.assert_allclose(gkdr.gradient_matrix(X, Y, s, t, epsilon), expected, rtol=1e-9)


def test_the_gradient_of_a_gaussian_kernel():
    x, z, s, step = np.array([0.3, -1.0]), np.array([1.0, 0.2]), 0.7, 1e-6
    k = lambda u: np.exp(-((z - u) ** 2).sum() / (2 * s**2))  # noqa: E731
    numerical = [(k(x + step * e) - k(x - step * e)) / (2 * step) for e in np.eye(2)]
    np.testing.assert_allclose(k(x) * (z - x) / s**2, numerical, rtol=1e-7)


def test_the_gradient_of_the_error_of_kernel_regression():
    rng = np.random.default_rng(0)
    X, y, A = rng.standard_normal((20, 4)), rng.standard_normal(20), rng.standard_normal((2, 4))

    def error(entries):
        return mlkr.error_and_gradient(entries.reshape(2, 4), X, y)[0]

    def gradient(entries):
        return mlkr.error_and_gradient(entries.reshape(2, 4), X, y)[1].ravel()

    assert check_grad(error, gradient, A.ravel()) < 1e-5 * np.linalg.norm(gradient(A.ravel()))
    weights = np.exp(-(cdist(X @ A.T, X @ A.T) ** 2))
    np.fill_diagonal(weights, 0.0)
    expected = ((weights @ y / weights.sum(axis=1) - y) ** 2).sum()
    assert error(A.ravel()) == pytest.approx(expected)


def test_kernel_regression_finds_a_direction():
    X, _, w = curved(300, 4)
    y = np.tanh(2.0 * X @ w[:, 0])
    model = KernelRegressionMetric(1).fit(X, y)
    assert angle(w, model) < 3.0


def test_one_value_has_no_directions():
    for rival in OF_GRADIENTS:
        with pytest.raises(ValueError, match="Got 1 from 20 rows"):
            rival().fit(np.eye(20), np.zeros(20, dtype=int))


def test_what_they_share():
    values, vectors = leading(np.diag([1.0, 3.0, 2.0]), 2)
    np.testing.assert_allclose(values, [3.0, 2.0])
    np.testing.assert_allclose(np.abs(vectors), [[0, 0], [1, 0], [0, 1]])
    assert median_distance(np.array([[0.0], [0.0], [1.0], [3.0]])) == 2.0
    np.testing.assert_array_equal(responses(np.array([5, 9, 5])), [[1, 0], [0, 1], [1, 0]])


def test_wasserstein_discriminant_directions():
    pytest.importorskip("ot", reason="The extra `rivals` is not installed.")
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 40)
    X = rng.standard_normal((120, 6)) * np.array([0.3, 0.3, 2.0, 2.0, 2.0, 2.0])
    X[:, :2] += 3.0 * np.array([[1.0, 0.0], [-0.5, 0.9], [-0.5, -0.9]])[y]
    model = WassersteinDiscriminant(2).fit(X, y)
    assert angle(np.eye(6)[:, :2], model) < 5.0
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(2), atol=1e-9)


def test_a_package_that_is_not_there_is_named():
    with pytest.raises(ModuleNotFoundError, match=r"package None Such.*benchmarks\[rivals\]"):
        _packages.package("none_such", "None Such")


@pytest.mark.parametrize("rival", [*OF_GRADIENTS, KernelRegressionMetric])
def test_they_are_estimators(rival):
    check_estimator(rival(1), on_skip=None)


def test_all_say_where_they_are_published():
    for name in rivals.__all__:
        assert "References" in inspect.getdoc(getattr(rivals, name))
