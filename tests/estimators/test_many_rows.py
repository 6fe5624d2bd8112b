"""Rows from files, streams and sparse matrices, through the estimator; and what it costs."""

import os
import subprocess
import sys
import tracemalloc
from functools import cache

import numpy as np
import pytest
from scipy import sparse

from hsiclearn import SupervisedHSIC, solve
from hsiclearn._engines.features import Accuracy
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._result import Status
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, Polynomial, RelativeGaussian


def planted(n, d=8, seed=0, tails=None):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    noise = rng.standard_normal((n, d)) if tails is None else rng.standard_t(tails, (n, d))
    return noise + rng.standard_normal((3, d))[y], y


X, y = planted(6000)
X.setflags(write=False)


@cache
def exact_fit():
    return SupervisedHSIC(2, bandwidth="median", engine="tiled").fit(X, y)


class Parquet:
    """What a reader of row groups looks like."""

    def __iter__(self):
        for start in range(0, 6000, 1300):
            yield X[start : start + 1300]


def sources(folder):
    file = np.memmap(folder / "x", np.float64, "w+", shape=X.shape)
    file[:] = X
    return {
        "array": X,
        "memmap": file,
        "callable": lambda: iter(Parquet()),
        "iterable": Parquet(),
        "sparse": sparse.csr_matrix(X),
        "sparse array": sparse.csc_array(X),
    }


@pytest.mark.parametrize(
    "name", ["array", "memmap", "callable", "iterable", "sparse", "sparse array"]
)
def test_the_answer_does_not_depend_on_where_the_rows_are(name, tmp_path):
    source = sources(tmp_path)[name]
    model = SupervisedHSIC(2, bandwidth=exact_fit().bandwidth_).fit(source, y)
    assert model.engine_ == "nystrom"
    assert model.converged_
    assert sine_of_largest_angle(model.components_.T, exact_fit().components_.T) < 1e-5
    assert model.cost_ == pytest.approx(exact_fit().cost_, rel=1e-4)
    np.testing.assert_allclose(model.mean_, exact_fit().mean_, atol=1e-12)
    np.testing.assert_allclose(model.transform(source), X @ model.components_.T, atol=1e-10)
    assert model.certificate_.second_order


@pytest.mark.parametrize("name", ["callable", "sparse", "sparse array"])
def test_the_median_is_that_of_the_table(name, tmp_path):
    model = SupervisedHSIC(2, bandwidth="median", max_iter=1).fit
    with pytest.warns(match="budget"):
        found = model(sources(tmp_path)[name], y).bandwidth_
    assert found == pytest.approx(exact_fit().bandwidth_, rel=1e-9)


def test_single_precision():
    model = SupervisedHSIC(2, bandwidth="median").fit(X.astype(np.float32), y)
    assert sine_of_largest_angle(model.components_.T, exact_fit().components_.T) < 1e-3
    assert model.transform(X[:5].astype(np.float32)).dtype == np.float32
    assert model.components_.dtype == np.float64


@pytest.mark.parametrize("tol", [1e-6, 1e-8])
@pytest.mark.parametrize("share", [1.0, 0.35])
def test_heavy_tails_and_small_bandwidths(tol, share):
    table, codes = planted(1200, d=6, seed=1, tails=2.5)
    kernel = Gaussian(share * exact_fit().bandwidth_)
    gamma = ClassTable.centered(codes)
    ours = solve(table, gamma, kernel, 2, tol=tol, engine="nystrom")
    exact = solve(table, gamma, kernel, 2, tol=tol, engine="tiled")
    assert sine_of_largest_angle(ours.W, exact.W) < 1e3 * tol * min(1.0, 1e3 * tol**0.5)
    assert ours.engine_error.angle <= 1e4 * tol
    assert ours.engine_error.guaranteed


def test_polynomials_in_linear_time_are_exact():
    rows, gamma = X[:3000], ClassTable.centered(y[:3000])
    ours = solve(rows, gamma, Polynomial(2), 2)
    exact = solve(rows, gamma, Polynomial(2), 2, engine="tiled")
    assert (ours.engine, exact.engine) == ("features", "tiled")
    assert ours.cost == pytest.approx(exact.cost, rel=1e-12)
    assert sine_of_largest_angle(ours.W, exact.W) < 1e-7


def test_a_real_target():
    rows = X[:2000]
    target = rows[:, 0] ** 2 + 0.1 * rows[:, 1]
    ours, exact = (
        SupervisedHSIC(1, bandwidth="median", engine=e).fit(rows, target)
        for e in ("nystrom", "tiled")
    )
    assert sine_of_largest_angle(ours.components_.T, exact.components_.T) < 1e-4


def test_row_scales_in_linear_time():
    gamma = ClassTable.centered(y[:600])
    ours, exact = (
        solve(X[:600], gamma, RelativeGaussian(30), 2, engine=e) for e in ("nystrom", "tiled")
    )
    assert not ours.engine_error.guaranteed
    assert sine_of_largest_angle(ours.W, exact.W) < 1e-3


def few_landmarks(monkeypatch):
    monkeypatch.setattr(
        "hsiclearn._engines.linear.engine.Accuracy", lambda rtol, _: Accuracy(rtol, 40)
    )


def test_too_few_landmarks_are_said_so(monkeypatch):
    """No more landmarks allowed, all pairs too slow: the answer stands, unproven."""
    few_landmarks(monkeypatch)
    monkeypatch.setattr("hsiclearn._solvers.stages._PATIENCE", 0.0)
    with pytest.warns(match="landmarks allowed are too few"):
        result = solve(X[:1500], ClassTable.centered(y[:1500]), Gaussian(1.25), 2, engine="nystrom")
    assert result.status is Status.COARSE
    assert not result.converged
    assert result.engine_error.angle > 1e-2


def test_all_pairs_where_landmarks_do_not_do(monkeypatch):
    few_landmarks(monkeypatch)
    result = solve(X[:1500], ClassTable.centered(y[:1500]), Gaussian(1.25), 2, engine="nystrom")
    assert result.engine == "tiled"
    assert "not exact enough" in result.engine_reason
    assert result.engine_error.relative == 0.0


def test_a_sample_comes_first_where_rows_are_many(monkeypatch, capsys):
    monkeypatch.setattr("hsiclearn._solvers.stages._SAMPLE", 1000)
    model = SupervisedHSIC(2, bandwidth="median", init="random", verbose=1).fit(X, y)
    stages = [line for line in capsys.readouterr().out.splitlines() if "engine" in line]
    assert stages[0].startswith("1000 rows")
    assert stages[1].startswith("6000 rows")
    assert sine_of_largest_angle(model.components_.T, exact_fit().components_.T) < 1e-4


@cache
def fit_in_unit(scale, dtype):
    table, codes = planted(1500, d=5, seed=3)
    model = SupervisedHSIC(2, bandwidth="median", engine="nystrom")
    return model.fit((scale * table).astype(dtype), codes)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("scale", [1e-20, 1e-10, 1e10, 1e15])
def test_the_unit_does_not_matter(scale, dtype):
    plain, scaled = fit_in_unit(1.0, dtype), fit_in_unit(scale, dtype)
    assert scaled.converged_
    assert sine_of_largest_angle(plain.components_.T, scaled.components_.T) < 1e-3


@pytest.mark.parametrize("offset", [10.0, 2000.0, 1e6])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_columns_far_from_zero(offset, dtype):
    """A year in a sparse table: rows are centred, and the stated error holds."""
    table = X[:1500] + offset
    seen = table.astype(dtype)  # what is left of the digits
    ours = SupervisedHSIC(2, bandwidth=exact_fit().bandwidth_).fit(sparse.csr_array(seen), y[:1500])
    exact = SupervisedHSIC(2, bandwidth=exact_fit().bandwidth_, engine="tiled").fit(
        seen.astype(np.float64), y[:1500]
    )
    assert sine_of_largest_angle(ours.components_.T, exact.components_.T) < 1e-3
    assert ours.result_.engine_error.relative >= 0.0


def test_saddles_are_left_in_single_precision():
    rng = np.random.default_rng(0)
    table = rng.standard_normal((1500, 8))
    codes = (table[:, 0] + table[:, 1] ** 2 > 1).astype(int) + (table[:, 2] > 1)
    table[np.abs(table) < 1] = 0.0
    thin = sparse.csr_array(table.astype(np.float32))
    ours = SupervisedHSIC(2, bandwidth="median").fit(thin, codes)
    exact = SupervisedHSIC(2, bandwidth=ours.bandwidth_, engine="tiled").fit(table, codes)
    assert ours.converged_
    assert ours.certificate_.second_order
    assert sine_of_largest_angle(ours.components_.T, exact.components_.T) < 1e-2


# What it costs ------------------------------------------------------------------------------------


def test_nothing_of_the_size_of_the_table_is_copied():
    table, codes = planted(120_000, d=64)
    size = table.nbytes
    tracemalloc.start()
    try:
        model = SupervisedHSIC(2, bandwidth=6.0).fit(table, codes)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert model.engine_ == "nystrom"
    assert peak < size  # some 40 MB of buffers, whatever the size; a copy alone is 61


SPARSE = """
import numpy as np
from scipy import sparse
from hsiclearn import SupervisedHSIC
rng = np.random.default_rng(0)
y = rng.integers(0, 3, 3000)
noise, signal = rng.integers(0, 20000, (3000, 40)), 10 * y[:, None] + rng.integers(0, 10, (3000, 3))
columns = np.concatenate([noise, signal], axis=1)
values = np.concatenate([rng.random((3000, 40)), np.full((3000, 3), 2.0)], axis=1)
X = sparse.csr_array((values.ravel(), columns.ravel(), np.arange(0, 43 * 3000 + 1, 43)),
    shape=(3000, 20000))
X.sum_duplicates()
model = SupervisedHSIC(2, bandwidth="median").fit(X, y)
assert model.converged_, model.result_
assert np.abs(model.components_[:, :30]).max() > 10 * np.abs(model.components_[:, 30:]).max()
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):  # ru_maxrss would begin at that of the process that forked
        print(line.split()[1])
"""


@pytest.mark.long
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads Linux's /proc")
def test_a_wide_sparse_matrix_stays_sparse():
    """A matrix of 20,000 x 20,000 would take 3.2 GB, the table itself 480 MB."""
    run = subprocess.run(
        [sys.executable, "-c", SPARSE], capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < 600_000  # kilobytes, up to 300,000 of them libraries and their threads


# Bad input ----------------------------------------------------------------------------------------


def test_an_iterator_is_refused():
    with pytest.raises(ValueError, match="X is an iterator, which can be read only once"):
        SupervisedHSIC(1).fit(iter([X]), y)


def test_a_stream_and_its_target_must_agree():
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[6000, 10\]"):
        SupervisedHSIC(1).fit(Parquet(), y[:10])


def test_a_stream_of_one_row():
    with pytest.raises(ValueError, match=r"at least 2 rows. Got 1"):
        SupervisedHSIC(1).fit(lambda: iter([X[:1]]), y[:1])


def test_a_stream_with_other_features_is_not_transformed():
    with pytest.raises(ValueError, match="X has 3 features, but SupervisedHSIC is expecting 8"):
        exact_fit().transform(lambda: iter([X[:, :3]]))


def test_a_stream_with_a_hole():
    broken = X.copy()
    broken[4000, 5] = np.nan
    with pytest.raises(ValueError, match=r"must be finite.*column 5"):
        SupervisedHSIC(1).fit(lambda: iter([broken]), y)
