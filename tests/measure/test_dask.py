"""Rows of Dask: what in memory is found is found where they are, and none of them comes here.

Entries are multiples of 1/256, so that sums of them are exact in any order and the same rows become
landmarks; what is left is rounding.
"""

import pickle

import numpy as np
import pytest
from scipy import sparse

from hsiclearn import cka, hsic, hsic_estimate, hsic_test, kernels
from hsiclearn._measure import given
from hsiclearn.exceptions import DependenceWarning

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")

SAME = 1e-10
N = 1200
CHUNKS = (500, 0, 37, 600, 63)
COARSE = pytest.mark.filterwarnings("ignore:HSIC is|CKA is:hsiclearn.exceptions.DependenceWarning")


@pytest.fixture
def many(monkeypatch):
    """A few hundred rows count as too many to be fetched."""
    monkeypatch.setattr(given, "_FEW_ROWS", 100)


def on_grid(X):
    return np.round(256 * X) / 256


def table(n=N, seed=0):
    """Numbers of three columns and of one, and labels, all dependent."""
    rng = np.random.default_rng(seed)
    X = on_grid(rng.standard_normal((n, 3)))
    y = on_grid(X[:, 0] ** 2 + rng.standard_normal(n))
    return X, y, np.select([y > 1, X[:, 1] > 0], ["high", "b"], "low")


def spread(values, chunks=CHUNKS):
    """In chunks of rows, one of them empty."""
    values = np.asarray(values)
    return da.from_array(values, chunks=(chunks, *values.shape[1:]))


def measures(estimator):
    def test(X, Y, **settings):
        result = hsic_test(X, Y, **settings)
        return [result.statistic, result.null.mean(), result.null.std()]

    common = {"estimator": estimator, "max_landmarks": 60}
    return [(measure, common) for measure in (hsic, cka, test)]


SIDES = {
    "columns, column": (0, 1),
    "columns, classes": (0, 2),
    "column, classes": (1, 2),
    "classes, column": (2, 1),
}


@COARSE
@pytest.mark.parametrize("estimator", ["biased", "unbiased"])
@pytest.mark.parametrize("sides", SIDES)
def test_values_are_those_in_memory(many, sides, estimator):
    X, Y = (table()[i] for i in SIDES[sides])
    for measure, settings in measures(estimator):
        expected = measure(X, Y, engine="nystrom", **settings)
        found = measure(spread(X), spread(Y, 7 * (171,) + (3,)), **settings)
        assert found == pytest.approx(expected, rel=SAME)


@COARSE
@pytest.mark.parametrize(
    "kernel",
    [
        "distance",
        "linear",
        kernels.Polynomial(2, 0.7),
        kernels.Cauchy(1.5),
        -kernels.Squared(),
        2.0 * kernels.Gaussian(0.5) + 0.1 * kernels.Linear(),
    ],
    ids=repr,
)
def test_every_kernel(many, kernel):
    X, y, labels = table()
    for Y in (y, labels, X[:, ::-1] ** 2):
        settings = {"kernel_x": kernel, "max_landmarks": 60}
        expected = hsic(X, Y, engine="nystrom", **settings)
        assert hsic(spread(X), spread(Y, (1000, 200)), **settings) == pytest.approx(
            expected, rel=SAME
        )


def test_few_rows_are_fetched_and_the_answer_is_that_of_memory():
    X, y, labels = table(700)
    chunks = (300, 400)
    for Y in (y, labels):
        found = hsic_estimate(spread(X, chunks), spread(Y, (1, 699)))
        assert found.value == hsic(X, Y)
        assert found.engine == "tiled"
        assert found.reason.startswith("Rows of Dask, few enough to be fetched. 700 rows")
        settings = {"method": "permutation", "n_permutations": 19}
        result = hsic_test(spread(X, chunks), spread(Y, chunks), **settings)
        assert result.pvalue == hsic_test(X, Y, **settings).pvalue


def test_what_was_done_is_on_the_record(many):
    X, y, _ = table()
    result = hsic_test(spread(X), spread(y))
    assert (result.method, result.engine) == ("gamma", "nystrom")
    assert result.estimate.reason == "1200 rows of Dask: one pass over them, where they are."
    assert result.estimate.kernel_y == hsic_test(X, y).estimate.kernel_y


@pytest.mark.parametrize("few", [True, False])
def test_data_frames_of_unknown_lengths(monkeypatch, few):
    monkeypatch.setattr(given, "_FEW_ROWS", 5000 if few else 100)
    X, y, labels = table()
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=y, label=labels)
    frame["kind"] = pd.Categorical(frame.label)
    frame["group"] = pd.Categorical((25 * y).astype(int))  # numbers that are names
    frame["count"] = pd.array((100 * y).astype(int), dtype="Int64")
    frame["single"] = y.astype(np.float32)
    far = dd.from_pandas(frame, npartitions=5)
    far = far[far.b > -1.5]  # of unknown lengths, and with gaps in the index
    frame = frame[frame.b > -1.5]
    for column in ("y", "label", "kind", "group", "count", "single"):
        expected = hsic(frame[["a", "b"]], frame[column], engine="nystrom")
        settings = {"engine": "nystrom"} if few else {}
        found = hsic(far[["a", "b"]], far[column], **settings)
        assert found == pytest.approx(expected, rel=SAME)
    assert hsic(far[["y"]], far[["label"]]) == pytest.approx(
        hsic(frame.y, frame.label, engine="dense" if few else "nystrom"), rel=SAME
    )


@COARSE
def test_sparse_chunks(many):
    _, y, _ = table()
    S = sparse.random(N, 12, 0.3, format="csr", random_state=0)
    S.data = on_grid(S.data)
    for kernel in ("gaussian", "linear"):
        settings = {"kernel_x": kernel, "max_landmarks": 60}
        expected = hsic(S, y, engine="nystrom", **settings)
        for make in (sparse.csr_array, sparse.csr_matrix):
            far = spread(S.toarray()).map_blocks(make)
            assert hsic(far, spread(y, 1200 * (1,)), **settings) == pytest.approx(
                expected, rel=SAME
            )
        assert hsic(S, spread(y), **settings) == pytest.approx(expected, rel=SAME)


def test_chunks_of_one_class_and_a_side_in_memory(many):
    _, y, _ = table()
    y = np.sort(y)
    labels = np.where(y > 1, "late", "early")  # one class in all chunks but one
    expected = cka(y, labels, engine="nystrom")
    assert cka(spread(y), spread(labels)) == pytest.approx(expected, rel=SAME)
    assert cka(spread(y), labels) == pytest.approx(expected, rel=SAME)
    assert cka(y, spread(labels)) == pytest.approx(expected, rel=SAME)


def test_units_and_constants(many):
    X, y, labels = table()
    for factor in (2.0**-300, 2.0**190):
        expected = cka(factor * X, y, kernel_x="linear", engine="nystrom")
        found = cka(factor * spread(X), spread(y), kernel_x="linear")
        assert found == pytest.approx(expected, rel=SAME)
    constant = spread(np.full(N, 3.5))
    assert hsic(constant, spread(y)) == 0.0
    assert hsic_test(spread(labels), constant).pvalue == 1.0


def test_dependence_is_found_and_independence_is_not(many):
    X, y, labels = table()
    assert hsic_test(spread(X), spread(y)).pvalue < 1e-10
    assert hsic_test(spread(y), spread(labels)).pvalue < 1e-10
    pvalues = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x, y = on_grid(rng.standard_normal(400)), on_grid(rng.exponential(size=400))
        pvalues.append(hsic_test(spread(x, (150, 250)), spread(y, (400,))).pvalue)
    assert 0.35 < np.mean(pvalues) < 0.65
    assert np.count_nonzero(np.array(pvalues) < 0.05) <= 6  # 2 are to be expected, 7 are 1 in 200
    assert 12 <= np.count_nonzero(np.array(pvalues) < 0.5) <= 28


@pytest.mark.parametrize("few", [True, False])
def test_an_error_names_the_chunk(monkeypatch, few):
    monkeypatch.setattr(given, "_FEW_ROWS", 5000 if few else 100)
    X, y, labels = table()
    where = r"In chunk 3 \(rows 537 to 1136\): "
    X[1000, 1] = np.nan
    with pytest.raises(ValueError, match=where + "X must be finite. 1 columns"):
        hsic(spread(X), spread(y))
    some = labels.astype(object)
    some[600:602] = None
    with pytest.raises(ValueError, match=where + "Y contains NaN: 2 of 600 labels are missing"):
        hsic_test(spread(y), spread(some))
    mixed = y.astype(object)
    mixed[600] = "?"
    with pytest.raises(ValueError, match=where + "Y must hold numbers"):
        hsic(spread(y), spread(mixed), kernel_y="gaussian")


def test_what_needs_pairs_of_rows_is_refused(many):
    X, y, _ = table()
    X, y = spread(X), spread(y)
    for settings, message in [
        ({"method": "permutation"}, "Got 1200 rows of Dask.*use method='gamma'"),
        ({"engine": "tiled"}, "Got 1200 rows of Dask.*use engine='nystrom'"),
        ({"engine": "block"}, "Got 1200 rows of Dask.*use engine='nystrom'"),
        ({"kernel_x": kernels.RelativeGaussian()}, "neighbours.*use kernel 'gaussian'"),
    ]:
        with pytest.raises(ValueError, match=message):
            hsic_test(X, y, **settings)
    with pytest.raises(ValueError, match="Got 1200 rows of Dask, too many"):
        hsic(spread(np.eye(N)), y, kernel_x="precomputed")
    with pytest.raises(ValueError, match=r"Of 3000 rows.*X has more, under kernel 'delta'"):
        hsic(spread(np.arange(3000.0), (3000,)), spread(np.ones(3000), (3000,)), kernel_x="delta")
    with pytest.raises(ValueError, match=r"same number of rows\. Got 1200 and 5"):
        hsic(X, np.arange(5.0))
    with pytest.raises(TypeError, match=r"X must be .* of Dask. Got Bag"):
        hsic(dd.from_pandas(pd.DataFrame({"a": [1.0, 2.0]}), npartitions=1).to_bag(), y)


def test_a_large_error_has_a_remedy_that_rows_of_dask_can_take(many):
    X = np.random.default_rng(0).standard_normal((N, 20))
    with pytest.warns(DependenceWarning, match="or rows drawn at random, in memory"):
        hsic(spread(X), spread(X[:, 0]), max_landmarks=20)


@COARSE
def test_nothing_of_the_size_of_the_rows_travels(many, monkeypatch):
    """Twice the rows in as many chunks: the tasks are as large, and so are the answers."""
    column = pytest.importorskip("hsiclearn._rows._dask.column")
    seen = []
    packed, compute = column.packed, column.Graph.compute

    def noted_packed(task):
        data, columns = packed(task)
        seen.append(len(data))
        return data, columns

    def noted_compute(graph, keys):
        answer = compute(graph, keys)
        seen.append(len(pickle.dumps(answer)))
        return answer

    monkeypatch.setattr(column, "packed", noted_packed)
    monkeypatch.setattr(column.Graph, "compute", noted_compute)
    sizes = []
    for n in (4000, 8000):
        X, y, labels = table(n)
        chunks = 4 * (n // 4,)
        hsic_test(spread(X, chunks), spread(labels, (n // 2, n // 2)), max_landmarks=30)
        settings = {"max_landmarks": 30, "kernel_x": "distance", "kernel_y": "linear"}
        cka(spread(X, chunks), spread(y, chunks), **settings)
        sizes.append(np.array(seen))
        seen.clear()
    assert sizes[0].size == sizes[1].size
    np.testing.assert_allclose(sizes[1], sizes[0], atol=100)  # a number has a digit more
    assert sizes[1].max() < 60_000  # bytes: a sample of rows; all of them are 192,000


@COARSE
def test_weights_beside_the_rows(many):
    X, y, labels = table()
    v = on_grid(np.random.default_rng(0).uniform(0.25, 4.0, N))
    for Y, kernel, weights in [(y, "gaussian", v), (labels, "distance", spread(v, 6 * (200,)))]:
        settings = {"kernel_x": kernel, "max_landmarks": 60}
        expected = hsic_test(X, Y, engine="nystrom", sample_weight=v, **settings)
        found = hsic_test(spread(X), spread(Y), sample_weight=weights, **settings)
        assert found.statistic == pytest.approx(expected.statistic, rel=SAME)
        assert found.error == pytest.approx(expected.error, rel=SAME)
        assert found.null == pytest.approx(expected.null, rel=SAME)


def test_weights_of_few_rows_and_of_labels():
    X, y, labels = table(700)
    v = 1.0 + np.arange(700) % 3
    found = hsic_test(spread(X, (300, 400)), spread(y, (700,)), sample_weight=spread(v, (1, 699)))
    expected = hsic_test(X, y, sample_weight=v)
    assert (found.statistic, found.pvalue) == (expected.statistic, expected.pvalue)
    found = hsic_test(spread(labels, (700,)), spread(y > 0, (700,)), sample_weight=v)
    assert found.pvalue == hsic_test(labels, y > 0, sample_weight=v).pvalue
    ones = np.ones(700)
    assert hsic(spread(X, (700,)), spread(y, (700,)), sample_weight=ones) == hsic(X, y)


def test_weights_that_rows_of_dask_cannot_have():
    X, y, _ = (spread(part, (700,)) for part in table(700))
    v = np.arange(700.0)
    with pytest.raises(ValueError, match=r"must be positive.*X\[sample_weight > 0\]"):
        hsic(X, y, sample_weight=v)
    with pytest.raises(ValueError, match=r"use method='gamma', or pass X, Y and sample_weight in"):
        hsic_test(X, y, sample_weight=1 + v, method="permutation")
    with pytest.raises(ValueError, match=r"In chunk 0 .* must be finite"):
        hsic(X, y, sample_weight=spread(np.where(v == 3, np.nan, v), (700,)))
