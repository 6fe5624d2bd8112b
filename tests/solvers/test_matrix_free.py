"""Many features: the same answers as with d x d arrays, and no such array."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from hsiclearn import Objective, solve
from hsiclearn._certificate import certify
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._solvers.starts import START_NAMES, many_starts, start_from_name
from hsiclearn.gamma import ClassTable, LowRank
from hsiclearn.kernels import Gaussian, Linear, Polynomial, RelativeGaussian
from problems import standardised

KERNELS = {"gaussian": Gaussian(4.0), "polynomial": Polynomial(2, 1.0)}
ENGINES = {
    "gaussian": ["tiled", "nystrom"],
    "polynomial": ["tiled", "nystrom", "features"],
}
CASES = [(name, engine) for name, engines in ENGINES.items() for engine in engines]


def planted(n_samples=260, n_features=40, is_sparse=False, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, n_samples)
    X = rng.standard_normal((n_samples, n_features)) * (
        rng.random((n_samples, n_features)) < (0.3 if is_sparse else 1.0)
    )
    centres = 2.0 * rng.standard_normal((4, 6))
    X[:, :6] += centres[y]
    return (sparse.csr_array(X) if is_sparse else X), y


@pytest.fixture
def matrix_free(monkeypatch):
    """Call it to end the age of arrays."""
    return lambda: monkeypatch.setattr("hsiclearn._linalg.symmetric._LARGEST_WHOLE", 5)


def agree(ours, theirs):
    assert sine_of_largest_angle(theirs.W, ours.W) <= 1e-5
    assert ours.cost == pytest.approx(theirs.cost, rel=1e-8)
    assert ours.status is theirs.status
    for verdict in ("is_lowest", "second_order", "theorem1"):
        assert getattr(ours.certificate, verdict) == getattr(theirs.certificate, verdict)
    assert ours.certificate.full_rank in (None, False)
    q = ours.W.shape[1]
    np.testing.assert_allclose(ours.eigenvalues[:q], theirs.eigenvalues[:q], rtol=1e-6)


@pytest.mark.parametrize("is_sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize(("kernel", "engine"), CASES)
def test_the_same_solution(matrix_free, kernel, engine, is_sparse):
    X, y = planted(is_sparse=is_sparse)
    problem = X, ClassTable.centered(y), KERNELS[kernel], 2
    theirs = solve(*problem, engine=engine)
    assert theirs.converged
    matrix_free()
    agree(solve(*problem, engine=engine), theirs)


@pytest.mark.parametrize("name", ["wine", "breast_cancer"])
def test_the_same_solution_on_real_data(matrix_free, name):
    X, y, median = standardised(name)
    problem = X, ClassTable.centered(y), Gaussian(median), 2
    theirs = solve(*problem, tol=1e-9)
    matrix_free()
    agree(solve(*problem, tol=1e-9), theirs)


@pytest.mark.parametrize("name", [name for name in START_NAMES if name != "phi-identity"])
@pytest.mark.parametrize("kernel", [Gaussian(4.0), Linear(), Polynomial(2, 0.0)], ids=repr)
@pytest.mark.parametrize("q", [1, 2, 3, 5, 7])
def test_the_same_starts(matrix_free, name, kernel, q):
    """Four classes: rank 3, so from q = 4 on columns are grown."""
    X, y = planted()
    objective = Objective(X, ClassTable.centered(y), kernel)
    theirs = start_from_name(name, objective, q, np.random.default_rng(0))
    matrix_free()
    objective = Objective(X, ClassTable.centered(y), kernel)
    ours = start_from_name(name, objective, q, np.random.default_rng(0))
    np.testing.assert_allclose(ours.T @ ours, np.eye(q), atol=1e-6)
    assert sine_of_largest_angle(theirs, ours) <= 1e-4


@pytest.mark.parametrize("q", [2, 5])
def test_the_same_start_with_more_features_than_rows(matrix_free, q):
    X, y = planted(30, 90)
    starts = []
    for _ in range(2):
        objective = Objective(X, ClassTable.centered(y), Gaussian(12.0))
        starts.append(start_from_name("phi-zero", objective, q, np.random.default_rng(0)))
        matrix_free()
    assert sine_of_largest_angle(*starts) <= 1e-4


def test_the_start_that_needs_the_identity_names_another(matrix_free):
    X, y = planted()
    objective = Objective(X, ClassTable.centered(y), Gaussian(4.0))
    matrix_free()
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"phi-identity.*second-moments"):
        start_from_name("phi-identity", objective, 2, rng)
    names = [name for name, _ in many_starts("phi-zero", 4, objective, 2, rng)]
    assert names == ["phi-zero", "second-moments", "random", "random"]


@pytest.mark.parametrize("engine", ["dense", "tiled", "nystrom"])
@pytest.mark.parametrize(
    "kernel",
    [Gaussian(3.0), Linear(), Polynomial(3, 1.0), Gaussian(3.0) + 0.1 * Polynomial(2, 1.0)],
    ids=repr,
)
@pytest.mark.parametrize("gamma", ["centred", "not centred"])
def test_phi_at_zero_by_products(engine, kernel, gamma):
    X, y = planted(90, 12)
    U = np.random.default_rng(2).standard_normal((90, 3))
    gamma = ClassTable.centered(y) if gamma == "centred" else LowRank(U, np.array([1.0, -0.5, 2.0]))
    built = Objective(X, gamma, kernel, engine)._engine
    V = np.random.default_rng(1).standard_normal((12, 3))
    for t in range(len(kernel.terms)):
        forms, products = built.at_zero(t), built.at_zero(t, V)
        for form, product in zip(forms, products, strict=True):
            np.testing.assert_allclose(product, form @ V, atol=1e-10 * np.abs(forms[0]).max())


def test_phi_at_zero_by_products_with_row_scales():
    X, y = planted(90, 12)
    V = np.random.default_rng(1).standard_normal((12, 3))
    for engine in ("tiled", "nystrom"):
        objective = Objective(X, ClassTable.centered(y), RelativeGaussian(), engine)
        whole = objective._engine.at_zero(0)
        products = objective._engine.at_zero(0, V)
        for form, product in zip(whole, products, strict=True):
            np.testing.assert_allclose(product, form @ V, atol=1e-10 * np.abs(whole[0]).max())


def test_phi_is_still_there_for_those_who_ask(matrix_free, monkeypatch):
    X, y = planted(is_sparse=True)
    W = np.linalg.qr(np.random.default_rng(0).standard_normal((40, 2)))[0]
    expected = Objective(X, ClassTable.centered(y), Gaussian(4.0)).phi(W)
    matrix_free()
    objective = Objective(X, ClassTable.centered(y), Gaussian(4.0))
    np.testing.assert_allclose(objective.phi(W), expected, atol=1e-9 * np.abs(expected).max())
    monkeypatch.setattr("hsiclearn._linalg.operator._LARGEST_ON_REQUEST", 30)
    with pytest.raises(MemoryError, match="40 x 40"):
        objective.phi(W)
    point = objective.point(W)
    np.testing.assert_allclose(2.0 * point.phi_W, objective.gradient(W), atol=1e-12)
    assert certify(objective, W).full_rank is None


def test_a_kernel_that_overflows_is_still_noticed(matrix_free):
    X, y = planted()
    matrix_free()
    with (
        np.errstate(over="ignore", invalid="ignore"),
        pytest.raises(ValueError, match="not finite at the start"),
    ):
        solve(1e50 * X, ClassTable.centered(y), Polynomial(7, 1.0), 2, engine="dense")


def test_no_array_of_features_by_features():
    rng = np.random.default_rng(0)
    n, d, nnz = 2000, 20_000, 80_000
    places = rng.integers(0, n, nnz), rng.integers(0, d, nnz)
    X = sparse.csr_array((rng.standard_normal(nnz), places), shape=(n, d)).tolil()
    y = rng.integers(0, 3, n)
    X[:, :6] = rng.standard_normal((n, 6)) + 3.0 * rng.standard_normal((3, 6))[y]
    X = X.tocsr()
    tracemalloc.start()
    try:
        result = solve(X, ClassTable.centered(y), Gaussian(9.0), 2, engine="nystrom")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.converged, result.status
    assert result.certificate.second_order
    assert np.linalg.norm(result.W[:6]) ** 2 > 1.8
    assert peak <= 300e6  # 20000 x 20000 would take 3.2 GB, the rows made dense 320 MB
