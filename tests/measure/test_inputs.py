"""What may be passed, how it is read, and what is said of the rest."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from hsiclearn import cka, hsic, hsic_estimate, hsic_test
from hsiclearn.exceptions import DependenceWarning, InvalidKernelError
from measure.direct import related

X, Y = related(60, 2)
CODES = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
NAMES = np.array(["a", "b", "c"])[CODES]


def kernel_of(data):
    return hsic_estimate(data, Y).kernel_x


@pytest.mark.parametrize(
    "labels",
    [
        CODES,
        CODES[:, None],
        NAMES,
        CODES > 0,
        CODES.astype("uint8"),
        list(NAMES),
        pd.Series(NAMES),
        pd.Series(NAMES).astype("category"),
        pd.DataFrame({"y": NAMES}),
        pl.Series(NAMES),
    ],
)
def test_one_column_that_is_not_floating_point_is_classes(labels):
    assert kernel_of(labels) == "delta"
    flat = np.asarray(labels).ravel()
    assert hsic(X, labels) == pytest.approx(hsic(X, flat, kernel_y="delta"))


@pytest.mark.parametrize(
    "numbers",
    [
        CODES.astype(float),
        np.column_stack([CODES, CODES]),
        X,
        X.tolist(),
        pd.DataFrame(X),
        pl.DataFrame(X),
        np.column_stack([CODES > 0, CODES > 1]),
    ],
)
def test_floating_point_or_several_columns_are_numbers(numbers):
    assert kernel_of(numbers).startswith("Gaussian")


def test_a_name_forces_one_reading():
    forced = hsic_estimate(CODES, Y, kernel_x="gaussian")
    assert forced.kernel_x.startswith("Gaussian")
    assert hsic(CODES.astype(float), Y, kernel_x="delta") == hsic(CODES, Y)
    with pytest.raises(ValueError, match="kernel 'delta'"):
        hsic(NAMES, Y, kernel_x="gaussian")
    with pytest.raises(ValueError, match="one label per row"):
        hsic(X, Y, kernel_x="delta")


def test_many_different_integers_are_a_quantity():
    assert hsic(np.arange(60), Y) == hsic(np.arange(60.0), Y)
    assert hsic(np.arange(60), Y, kernel_x="delta") != hsic(np.arange(60), Y)


def test_integers_that_may_be_meant_otherwise_are_questioned():
    counts = np.arange(60) % 12
    with pytest.warns(DependenceWarning, match="12 different integers in 60 rows, taken as class"):
        hsic(counts, Y)
    codes = np.arange(60) % 25 + 5
    with pytest.warns(DependenceWarning, match="taken as a quantity. If that is wrong, pass kern"):
        hsic(codes, Y)
    hsic(counts, Y, kernel_x="delta")
    hsic(codes, Y, kernel_x="gaussian")


@pytest.mark.parametrize("constant", [np.ones(60), np.ones((60, 3)), ["a"] * 60, np.zeros(60, int)])
@pytest.mark.parametrize("engine", ["auto", "tiled", "nystrom"])
@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
def test_a_constant_side_is_independent_of_everything(constant, engine, estimator):
    settings = {"engine": engine, "estimator": estimator}
    assert hsic(constant, Y, **settings) == 0.0
    assert cka(Y, constant, **settings) == 0.0
    assert hsic_test(constant, Y, **settings).pvalue == 1.0


def test_most_rows_equal():
    """The median of all distances is 0 there; that of the values that differ is not."""
    x = np.zeros(60)
    x[:10] = np.arange(10.0)
    estimate = hsic_estimate(x, Y)
    assert estimate.kernel_x == "Gaussian(bandwidth=3.0)"


@pytest.mark.parametrize(
    ("args", "settings", "message"),
    [
        ((X, Y[:50]), {}, "60 rows in X and 50 in Y"),
        ((X, np.r_[Y[:-1], [[np.nan, 0.0]]]), {}, "column 0: impute or drop"),
        ((X, np.r_[Y[:-1], [[0.0, np.inf]]]), {}, "Y must be finite"),
        ((X, [None, *NAMES[1:]]), {}, "1 of 60 labels are missing"),
        ((X, [1, *NAMES[1:]]), {"kernel_y": "delta"}, ""),
        ((X[:1], Y[:1]), {}, "at least 2 rows. Got 1"),
        ((X[:3], Y[:3]), {"estimator": "unbiased"}, "at least 4 rows. Got 3"),
        ((X[:0], Y[:0]), {}, "not empty"),
        ((X[None], Y), {}, "Got shape"),
        ((sparse.csr_matrix(X), Y), {"kernel_x": "distance"}, "toarray"),
        ((X, Y), {"kernel_x": "rbf"}, "`kernel_x` must be one of"),
        ((X, Y), {"bandwidth_y": "mean"}, "`bandwidth_y` must be 'median'"),
        ((X, Y), {"estimator": "best"}, "`estimator` must be one of"),
        ((X, Y), {"engine": "fast"}, "`engine` must be one of"),
        ((X, Y), {"max_landmarks": 0}, "`max_landmarks` must be an integer >= 1"),
        ((X, Y), {"block_size": 2.5}, "`block_size` must be an integer >= 4"),
        ((X, Y), {"kernel_x": "precomputed"}, "shape \\(n_samples, n_samples\\)"),
        ((X[:2, :2], Y[:2]), {"kernel_x": "precomputed"}, "symmetric"),
        ((1e80 * X, Y), {}, "Scale the columns"),
        ((np.eye(60), Y), {"kernel_x": "precomputed", "engine": "nystrom"}, "engine='tiled'"),
    ],
)
def test_bad_input_is_told_what_is_wrong(args, settings, message):
    if not message:  # numbers and strings in one list become strings
        assert hsic(*args, **settings) > 0
        return
    with pytest.raises(ValueError, match=message):
        hsic(*args, **settings)


@pytest.mark.parametrize("bandwidth", [0.0, -1.0, np.nan])
def test_bandwidths_are_positive(bandwidth):
    with pytest.raises(InvalidKernelError, match="bandwidth"):
        hsic(X, Y, bandwidth_x=bandwidth)


def test_bad_tests():
    with pytest.raises(ValueError, match="`method` must be one of"):
        hsic_test(X, Y, method="chi2")
    with pytest.raises(ValueError, match="`n_permutations` must be an integer"):
        hsic_test(X, Y, method="permutation", n_permutations=0)
    with pytest.raises(ValueError, match="at least 6 rows"):
        hsic_test(X[:5], Y[:5])


def test_mixed_labels():
    with pytest.raises(ValueError, match="comparable"):
        hsic(X, np.array([1, *NAMES[1:]], dtype=object), kernel_y="delta")


@pytest.mark.parametrize("bad", [None, "mean", [1.0]])
def test_a_bandwidth_is_a_number_or_the_median(bad):
    with pytest.raises(ValueError, match="`bandwidth_x` must be 'median' or a positive number"):
        hsic(np.arange(9.0), np.arange(9.0), bandwidth_x=bad)


@pytest.mark.parametrize("dtype", ["datetime64[D]", "timedelta64[D]", complex])
def test_dates_durations_and_complex_numbers_are_no_labels(dtype):
    with pytest.raises(ValueError, match="Numbers or labels are needed"):
        hsic(np.arange(9).astype(dtype), np.arange(9.0))
