"""Which directions add nothing to a kernel."""

import numpy as np
import pytest
from scipy import sparse

from hsiclearn._rows import as_rows, hardly_vary, spread_along


@pytest.mark.parametrize(
    ("deviations", "bandwidth", "expected"),
    [
        ([1.59, 0.019], 1.24, [False, True]),  # breast cancer: CKA is the same without the second
        ([1.0, 0.06], 1.0, [False, False]),
        ([1.0, 0.04], 1.0, [False, True]),
        ([1.0, 0.06], 100.0, [False, False]),  # beside the others, where the kernel is wide
        ([1.0, 0.01], None, [False, False]),
        ([1.0, 1e-9], None, [False, True]),
        ([0.0], 1.0, [True]),
    ],
)
def test_a_direction_counts_beside_the_bandwidth_or_the_widest(deviations, bandwidth, expected):
    assert hardly_vary(deviations, bandwidth).tolist() == expected


def along(z, bandwidth=None):
    """The spread of rows with the columns z, along each."""
    X = np.column_stack([z]) if np.ndim(z) == 1 else np.asarray(z)
    return spread_along(as_rows(X), np.eye(X.shape[1]), X.mean(axis=0), bandwidth)


def table(n=500):
    """A thin cloud with two rows far above it, beside a direction that varies."""
    X = np.random.default_rng(0).standard_normal((n, 2)) * [1.0, 0.005]
    X[[17, 342], 1] = [2.0, 1.5]
    return X


def test_deviations_are_those_of_the_columns():
    X = np.random.default_rng(1).standard_normal((20_000, 3)) + 1e7  # several chunks, far from 0
    np.testing.assert_allclose(along(X).deviations, X.std(axis=0), rtol=1e-10)


def test_two_rows_above_a_line_carry_the_direction():
    found = along(table(), 1.0)
    assert [rows.tolist() for rows in found.carriers] == [[], [17, 342]]
    expected = np.square([2.0, 1.5]).sum() / np.square(table()[:, 1]).sum()
    assert found.shares[1] == pytest.approx(expected, abs=0.01)
    (remark,) = found.remarks()
    assert remark.startswith("component 2 is carried by 2 of 500 rows, far from all others")
    assert "rows 17, 342." in remark


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, np.float32])
def test_it_does_not_matter_what_holds_the_rows(make):
    X = np.vstack([np.zeros((9_000, 2)), table()])  # in the second chunk
    found = spread_along(as_rows(make(X)), np.eye(2), X.mean(axis=0))
    assert found.carriers[1].tolist() == [9_017, 9_342]


@pytest.mark.parametrize("n", [100, 500, 5_000])
def test_tails_and_rare_indicators_are_no_handful(n):
    rng = np.random.default_rng(n)
    rare = np.zeros(n)
    rare[: round(0.03 * n)] = 1.0
    shapes = [rng.standard_t(3, n), rng.lognormal(size=n), rng.laplace(size=n), rare]
    assert all(rows.size == 0 for rows in along(np.column_stack(shapes)).carriers)


def test_eleven_rows_are_no_handful_and_few_rows_have_no_exceptions():
    z = np.random.default_rng(0).standard_normal(2_000)
    z[:11] = 1e3
    assert along(z).carriers[0].size == 0
    assert along(z[1:]).carriers[0].tolist() == list(range(10))
    assert along(np.r_[1e3, np.zeros(15)]).carriers[0].size == 0


def test_a_narrow_direction_is_called_narrow_and_no_more():
    X = table() * [1.0, 0.1]
    (remark,) = along(X, 1.0).remarks("--components {}".format)
    assert remark == (
        "component 2 hardly varies beside the bandwidth (sd 0.011, bandwidth 1): it adds nothing; "
        "try --components 1"
    )


def test_several_narrow_directions_are_told_at_once():
    X = np.random.default_rng(0).standard_normal((60, 5)) * [1.0, 0.01, 0.0, 0.02, 0.0]
    flat, narrow = along(X, 1.0).remarks()
    assert (
        flat == "components 3, 5 are the same for all rows, so they say nothing; try n_components=1"
    )
    assert narrow.startswith("components 2, 4 hardly vary beside the bandwidth (sd 0.0")
    assert narrow.endswith(" at most, bandwidth 1): they add nothing; try n_components=1")


def test_equal_rows_are_told_without_dividing_by_0():
    (remark,) = along(np.column_stack([np.arange(30.0), np.ones(30)])).remarks()
    assert remark == (
        "component 2 is the same for all rows, so it says nothing; try n_components=1"
    )
