"""What was fitted is on the result: sizes, digests, versions."""

import numpy as np
import pytest
from scipy import sparse

import hsiclearn
from hsiclearn import AlternativeHSIC, SemiSupervisedHSIC, SupervisedHSIC, UnsupervisedHSIC
from hsiclearn._result import digest_of
from hsiclearn._rows import as_rows

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 4))
X[30:, 0] += 8.0
CODES = np.repeat([0, 1], 30)
NAMES = np.array(["no", "yes"])[CODES]


def fitted(model, X, y=None):
    return model.fit(X, y).result_.fitted_on


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (SupervisedHSIC(1, bandwidth=1.0), NAMES),
        (UnsupervisedHSIC(2, 1, init="identity"), None),
        (SemiSupervisedHSIC(2, 1, init="identity"), np.where(np.arange(60) % 30 == 0, CODES, -1)),
        (SemiSupervisedHSIC(2, 1, init="identity"), X[:, :2]),
        (AlternativeHSIC(2, 1, init="identity"), NAMES),
    ],
    ids=["supervised", "unsupervised", "labels", "scores", "alternative"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::hsiclearn.exceptions.DependenceWarning")
def test_every_estimator_records_its_data(model, y):
    on = fitted(model, X, y)
    assert (on.n_rows, on.dtype) == (60, "float64")
    assert digest_of(X) == on.X
    assert dict(on.versions)["hsiclearn"] == hsiclearn.__version__
    codes = CODES if y is NAMES else y
    assert on.y == (None if y is None else digest_of(codes))


def test_names_of_classes_do_not_matter_but_their_rows_do():
    model = SupervisedHSIC(1, bandwidth=1.0)
    assert fitted(model, X, NAMES) == fitted(model, X, CODES)
    other = CODES.copy()
    other[7] = 1
    assert fitted(model, X, other).y != fitted(model, X, CODES).y


def test_of_a_kernel_matrix_the_numbers():
    K = (NAMES[:, None] == NAMES).astype(float)
    assert fitted(SupervisedHSIC(1, bandwidth=1.0, target="precomputed"), X, K).y == digest_of(K)


def test_no_digest_reads_a_stream(monkeypatch):
    read = []

    def recorded(values):
        read.append(values)
        return digest_of(values)

    monkeypatch.setattr("hsiclearn._estimators._base.digest_of", recorded)
    on = fitted(SupervisedHSIC(1, bandwidth=1.0), lambda: iter([X]), CODES)
    assert (on.n_rows, on.X, on.y) == (60, None, digest_of(CODES))
    assert [type(values) for values in read] == [np.ndarray]  # y alone


def test_a_digest_tells_any_entry_and_no_container():
    assert (
        digest_of(X) == digest_of(as_rows(sparse.csr_array(X))) == digest_of(np.asfortranarray(X))
    )
    for i, j in [(0, 0), (59, 3)]:
        other = X.copy()
        other[i, j] *= 1.0 + 1e-6
        assert digest_of(other) != digest_of(X)
    assert digest_of(X[:, ::-1]) != digest_of(X)
    assert digest_of(X[::-1]) != digest_of(X)


def test_the_largest_numbers_have_a_digest():
    assert digest_of(np.full((5, 2), 1e308)) == digest_of(np.full((5, 2), 1e308))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [50, 9000])  # rows in one chunk, and in two
def test_rows_and_arrays_have_the_same_digest(dtype, n):
    """A report is given arrays, a fit makes rows of them; single precision is no matter."""
    table = np.random.default_rng(1).standard_normal((n, 3)).astype(dtype)
    expected = digest_of(table.astype(np.float64))
    assert digest_of(table) == expected
    assert digest_of(as_rows(table)) == expected
    assert digest_of(as_rows(sparse.csr_array(table))) == expected
