"""The largest eigenpairs of an operator, against a full decomposition."""

import numpy as np
import pytest
from scipy.sparse.linalg import eigsh

from hsiclearn._linalg import eigen, top_eigenpairs
from naive import assert_close
from registry import orthonormal, symmetric

SIZES = [12, 150, 320]  # decomposed whole, the same, and by iteration


class Counted:
    """A matrix as an operator that counts the columns it is applied to."""

    def __init__(self, A):
        self.A, self.columns = A, 0

    def __call__(self, V):
        self.columns += V.shape[1]
        return self.A @ V


def clustered(n, k):
    """k eigenvalues near 1 above a decaying rest, as graphs with clusters have them."""
    vectors = orthonormal(n, n, seed=n)
    values = np.concatenate([np.linspace(1.0, 0.9, k), 0.6 * 0.97 ** np.arange(n - k)])
    return (vectors * values) @ vectors.T


def separate_blocks(n, k):
    """``D^-1/2 K D^-1/2`` of k separate blocks: the eigenvalue 1 occurs k times."""
    codes = np.arange(n) % k
    G = np.random.default_rng(n).uniform(0.5, 1.0, (n, n))
    G = (G + G.T) * (codes[:, None] == codes[None, :])
    root = np.sqrt(G.sum(axis=1))
    return G / np.outer(root, root)


def assert_top(A, spectrum, k, atol):
    n = len(A)
    expected = np.linalg.eigvalsh(A)[::-1]
    values, vectors = spectrum.values, spectrum.vectors
    assert values.shape == (min(k + 1, n),)
    assert vectors.shape == (n, min(k + 1, n))
    assert np.all(np.diff(values) <= 0.0)
    assert_close(values[:k], expected[:k], atol)
    assert_close(vectors.T @ vectors, np.eye(vectors.shape[1]), 1e-8)
    residuals = np.linalg.norm(A @ vectors[:, :k] - vectors[:, :k] * values[:k], axis=0)
    assert residuals.max() <= 10.0 * atol


def guesses(A, k):
    """Good, useless and misleading ones; the last is orthogonal to the answer."""
    n = len(A)
    vectors = np.linalg.eigh(A)[1][:, ::-1]
    noise = np.random.default_rng(7).standard_normal((n, k + 1))
    return {
        "none": None,
        "good": np.linalg.qr(vectors[:, : k + 1] + 1e-4 * noise)[0],
        "exact": vectors[:, : k + 1],
        "useless": np.linalg.qr(noise)[0],
        "orthogonal": vectors[:, -k - 1 :],
    }


@pytest.mark.parametrize("build", [clustered, separate_blocks], ids=["clustered", "blocks"])
@pytest.mark.parametrize("guess", ["none", "good", "exact", "useless", "orthogonal"])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("k", [1, 3])
def test_against_a_full_decomposition(build, guess, n, k):
    A = build(n, k)
    found = top_eigenpairs(lambda V: A @ V, n, k, guesses(A, k)[guess], 1e-8)
    assert_top(A, found, k, 1e-8)


def test_more_equal_eigenvalues_than_were_asked_for():
    """Six blocks, three wanted: any three eigenvectors of the eigenvalue 1."""
    A = separate_blocks(320, 6)
    for guess in guesses(A, 3).values():
        assert_top(A, top_eigenpairs(lambda V: A @ V, 320, 3, guess, 1e-8), 3, 1e-8)


@pytest.mark.parametrize("n", [250, 320])
def test_a_crowded_spectrum(n):
    """A random symmetric matrix has no gap at all."""
    A = symmetric(n, seed=n) / np.sqrt(n)
    assert_top(A, top_eigenpairs(lambda V: A @ V, n, 4, None, 1e-8), 4, 1e-8)


@pytest.mark.parametrize("n", [2, 5, 30, 320])
def test_as_many_as_there_are(n):
    A = symmetric(n, seed=1)
    k = min(n, 40)
    assert_top(A, top_eigenpairs(lambda V: A @ V, n, k, None, 1e-8), k, 1e-8)


def test_a_good_guess_saves_products():
    A = clustered(320, 3)
    fresh, warm = Counted(A), Counted(A)
    top_eigenpairs(fresh, 320, 3, None, 1e-6)
    top_eigenpairs(warm, 320, 3, guesses(A, 3)["exact"], 1e-6)
    assert warm.columns <= fresh.columns < 320


def test_same_input_same_bytes():
    A = clustered(320, 3)
    for guess in guesses(A, 3).values():
        one, two = (top_eigenpairs(lambda V: A @ V, 320, 3, guess, 1e-8) for _ in range(2))
        assert one.vectors.tobytes() == two.vectors.tobytes()


@pytest.mark.parametrize(
    ("limits", "atol"),
    [({"_DENSE_UP_TO": 100}, 1e-8), ({"_MOVED": 1}, 1e-3), ({"_MOVED": 1}, 1e-8)],
    ids=str,
)
def test_where_neither_blocks_nor_dense_routines_will_do(monkeypatch, limits, atol):
    """ARPACK: of a crowded spectrum of many rows, and where a guess was none."""
    asked = []

    def spy(operator, k, **settings):
        asked.append((k, settings["ncv"]))
        return eigsh(operator, k, **settings)

    monkeypatch.setattr(eigen, "eigsh", spy)
    for name, value in limits.items():
        monkeypatch.setattr(eigen, name, value)
    A = symmetric(320, seed=1) / np.sqrt(320)
    guess = None if "_DENSE_UP_TO" in limits else guesses(A, 3)["good"]
    found = top_eigenpairs(lambda V: A @ V, 320, 3, guess, atol)
    assert_top(A, found, 3, atol)
    assert asked == [(4, 8 + (16 if atol == 1e-3 else 36))]
