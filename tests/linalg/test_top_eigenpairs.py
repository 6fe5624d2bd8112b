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


# Which way is taken ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "k", "dense"), [(200, 1, True), (201, 1, False), (216, 14, False), (216, 15, True)]
)
def test_dense_routines_where_they_are_as_fast(n, k, dense):
    """Up to 200 rows, or where twelve blocks of k + 4 columns fill the space."""
    A = clustered(n, k)
    product = Counted(A)
    made = []
    found = top_eigenpairs(product, n, k, None, 1e-3, lambda: made.append(1) or A)
    assert bool(made) is dense
    assert (product.columns == 0) is dense
    assert found.values.shape == (k + 1,)


@pytest.fixture
def ways(monkeypatch):
    """Who is asked, with what; each answers as told, else None."""
    asked, answers = [], {}

    def spy(name):
        plain = getattr(eigen, name)

        def spied(*args, **settings):
            asked.append((name, args, settings))
            answer = answers.get(name)
            return plain(*args, **settings) if answer == "itself" else answer

        monkeypatch.setattr(eigen, name, spied)

    for name in ("moved_top", "_arpack_top", "_holds_more", "block_krylov", "_dense_top"):
        spy(name)
    return asked, answers


def names_of(asked):
    return [name for name, _, _ in asked]


def test_without_a_guess_blocks_then_dense_routines(ways):
    asked, answers = ways
    A, answers["_dense_top"] = clustered(320, 3), "itself"
    found = top_eigenpairs(lambda V: A @ V, 320, 3, None, 1e-8)
    assert names_of(asked) == ["block_krylov", "_dense_top"]
    (minus, start), settings = asked[0][1:]
    assert_close(minus(np.eye(320)), -A, 0.0)
    np.testing.assert_array_equal(start, eigen.start_block(320, 7, None))
    assert settings == {"n_exact": 3, "atol": 1e-8, "max_blocks": 24}
    assert_top(A, found, 3, 1e-8)


def test_of_many_rows_what_a_krylov_space_has_at_the_last(ways, monkeypatch):
    asked, answers = ways
    monkeypatch.setattr(eigen, "_DENSE_UP_TO", 319)
    A, answers["_dense_top"] = clustered(320, 3), "itself"
    top_eigenpairs(lambda V: A @ V, 320, 3, None, 1e-8)
    assert names_of(asked) == ["block_krylov", "_arpack_top", "_dense_top"]
    _, n, k, v0, atol = asked[1][1]
    assert (n, k, atol) == (320, 4, 1e-8)
    np.testing.assert_array_equal(v0, eigen.start_block(320, 7, None).sum(axis=1))
    asked.clear()
    monkeypatch.setattr(eigen, "_LARGEST_DENSE", 319)
    top_eigenpairs(lambda V: A @ V, 320, 3, None, 1e-8)
    assert names_of(asked) == ["block_krylov", "_arpack_top", "block_krylov", "_dense_top"]
    assert asked[2][2]["atol"] == np.inf
    for limit in ("_DENSE_UP_TO", "_LARGEST_DENSE"):
        monkeypatch.setattr(eigen, limit, 320)
    asked.clear()
    top_eigenpairs(lambda V: A @ V, 320, 3, None, 1e-8)
    assert names_of(asked) == ["block_krylov", "_dense_top"]


def test_a_guess_is_moved_then_given_to_arpack_then_to_blocks(ways):
    asked, answers = ways
    A, answers["_dense_top"] = clustered(320, 3), "itself"
    guess = orthonormal(320, 9, seed=1)

    def apply(V):
        return A @ V

    top_eigenpairs(apply, 320, 3, guess, 1e-8)
    assert names_of(asked) == ["moved_top", "_arpack_top", "block_krylov", "_dense_top"]
    _, start, k, atol, most = asked[0][1]
    np.testing.assert_array_equal(start, eigen.start_block(320, 5, guess[:, :4]))
    assert (k, atol, most) == (3, 1e-8, 40)
    np.testing.assert_array_equal(asked[1][1][3], guess.sum(axis=1))
    np.testing.assert_array_equal(asked[2][1][1], eigen.start_block(320, 7, guess[:, :6]))
    asked.clear()
    answers["_arpack_top"] = found = eigen.Spectrum(np.zeros(4), np.eye(320, 4))
    assert top_eigenpairs(apply, 320, 3, guess, 1e-8) is found
    assert names_of(asked) == ["moved_top", "_arpack_top", "_holds_more"]
    np.testing.assert_array_equal(asked[2][1][2], guess[:, :3])
    asked.clear()
    answers["_holds_more"] = True
    top_eigenpairs(apply, 320, 3, guess, 1e-8)
    assert names_of(asked)[2:] == ["_holds_more", "block_krylov", "_dense_top"]
    answers["moved_top"] = found
    assert top_eigenpairs(apply, 320, 3, guess, 1e-8) is found


def test_what_arpack_is_told(monkeypatch):
    told = []
    A = clustered(30, 3)
    v0 = np.ones(30)
    scale = np.linalg.norm(A @ v0) / np.linalg.norm(v0)

    def spy(operator, k, **settings):
        told.append((k, settings))
        return np.arange(4.0), np.eye(30, 4)

    monkeypatch.setattr(eigen, "eigsh", spy)
    for atol, room in ((0.99e-4 * scale, 30), (1.01e-4 * scale, 24)):
        found = eigen._arpack_top(lambda V: A @ V, 30, 4, v0, atol)
        k, settings = told.pop()
        assert settings.pop("v0") is v0
        assert settings.pop("tol") == pytest.approx(atol / scale, rel=1e-13)
        assert (k, settings) == (4, {"ncv": room, "which": "LA", "maxiter": 80})
    np.testing.assert_array_equal(found.values, [3.0, 2.0, 1.0, 0.0])
    eigen._arpack_top(lambda V: A @ V, 30, 4, np.zeros(30), 1e-8)
    assert told.pop()[1]["tol"] == pytest.approx(1e292)
    np.testing.assert_array_equal(found.vectors, np.eye(30, 4)[:, ::-1])

    def fails(*args, **settings):
        raise eigen.ArpackError(-1)

    monkeypatch.setattr(eigen, "eigsh", fails)
    assert eigen._arpack_top(lambda V: A @ V, 30, 4, v0, 1e-8) is None


@pytest.mark.parametrize(("more", "holds"), [(0.9e-3, False), (1.1e-3, True)])
def test_a_guess_may_hold_more_than_was_found(more, holds):
    """One of two equal eigenvalues, of which a single vector sees one."""
    values = np.r_[2.0, 1.0 + more, 1.0, 0.5, np.zeros(6)]
    found = eigen.Spectrum(np.array([2.0, 1.0]), np.eye(10)[:, [0, 2]])
    for guess in (np.eye(10)[:, :2], (np.eye(10)[:, :2] + np.eye(10)[:, [2, 0]]) / 2**0.5):
        asked = eigen._holds_more(lambda V: values[:, None] * V, found, guess, 1e-3)
        assert asked is holds
    outside = eigen._holds_more(lambda V: values[:, None] * V, found, np.eye(10)[:, 4:6], 1e-3)
    assert outside is False


def test_of_an_uneven_array_its_symmetric_part_counts():
    A = np.array([[1.0, 4.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    expected = np.linalg.eigvalsh(0.5 * (A + A.T))[::-1]
    assert_close(eigen._dense_top(A, 2).values, expected[:2], 1e-14)


def test_as_much_as_was_found_is_no_more():
    found = eigen.Spectrum(np.array([2.0, 1.0]), np.eye(5)[:, [0, 2]])
    values = np.array([2.0, 1.5, 1.0, 0.0, 0.0])
    assert not eigen._holds_more(lambda V: values[:, None] * V, found, np.eye(5, 2), 0.5)
    assert eigen._holds_more(lambda V: values[:, None] * V, found, np.eye(5, 2), 0.499)


@pytest.mark.parametrize(
    ("n", "asked_for"),
    [
        (1500, ["block_krylov", "_dense_top"]),
        (1501, ["block_krylov", "_arpack_top", "_dense_top"]),
        (6000, ["block_krylov", "_arpack_top", "_dense_top"]),
        (6001, ["block_krylov", "_arpack_top", "block_krylov"]),
    ],
)
def test_sizes_from_which_dense_routines_take_too_long_or_too_much(n, asked_for, ways, monkeypatch):
    asked, _ = ways
    monkeypatch.setattr(np, "eye", lambda n: np.zeros((2, 2)))  # it would take 288 MB
    answers = iter([None, eigen.Spectrum(np.zeros(2), np.zeros((2, 2)))])
    monkeypatch.setattr(
        eigen,
        "block_krylov",
        lambda *_, **__: asked.append(("block_krylov", 0, 0)) or next(answers),
    )
    top_eigenpairs(lambda V: V[:2], n, 1, None, 1e-8)
    assert names_of(asked) == asked_for
