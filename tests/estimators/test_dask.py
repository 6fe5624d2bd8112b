"""Fits of rows of Dask: those of the same rows in memory, however they are cut into chunks."""

import pickle
from functools import cache

import dask
import dask.array as da
import dask.bag
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from clusterings import ESTIMATORS, guide_of, two_gaps
from hsiclearn import SupervisedHSIC, find_views
from hsiclearn._alternation import landmarks
from hsiclearn._persistence import load, save
from hsiclearn.exceptions import DegenerateDataError

N, D = 3200, 5
_rng = np.random.default_rng(0)
X = _rng.standard_normal((N, D))
_noise = 0.3 * _rng.standard_normal((N, 2))
_sine = np.sin(2.0 * X[:, 0]) + X[:, 1]
TARGETS = {
    "classes": np.digitize(_sine + _noise[:, 0], [-1.0, 0.5]),
    "text": np.array(["low", "middle", "high"])[np.digitize(_sine, [-1.0, 0.5])],
    "real": _sine + _noise[:, 0],
    "several": np.column_stack([_sine, X[:, 0]]) + _noise,
    "multilabel": np.column_stack([X[:, 0] > 0.0, X[:, 1] ** 2 > 1.0]).astype(int),
}
CHUNKS = {
    "even": (1600, 1600),
    "uneven, some empty": (7, 0, 2193, 0, 1000),
    "one": (3200,),
}
SETTINGS = {"bandwidth": 1.0, "engine": "nystrom", "tol": 1e-12}


def cut(array, chunks):
    """An array of Dask with these chunks of rows, and two of columns where there are several."""
    rest = () if array.ndim == 1 else ((1, array.shape[1] - 1),)
    return da.from_array(array, chunks=(chunks, *rest))


@cache
def fitted(kind, **settings):
    return SupervisedHSIC(2, **SETTINGS | settings).fit(X, TARGETS[kind])


def assert_same_fit(ours, theirs, atol=1e-9):
    """What tells one fit from another, to nine digits."""
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=atol)
    np.testing.assert_allclose(ours.mean_, theirs.mean_, atol=1e-12)
    np.testing.assert_allclose(ours.cost_, theirs.cost_, rtol=1e-10)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(ours.spread_.deviations, theirs.spread_.deviations, rtol=1e-9)
    np.testing.assert_allclose(
        ours.feature_importances_, theirs.feature_importances_, rtol=1e-7, atol=1e-12
    )
    assert ours.certificate_.second_order == theirs.certificate_.second_order
    assert ours.result_.status == theirs.result_.status


@pytest.mark.parametrize(
    ("kind", "chunks"),
    [*((kind, "uneven, some empty") for kind in TARGETS), ("classes", "even"), ("real", "one")],
)
def test_the_fit_is_that_of_rows_in_memory(kind, chunks):
    y = TARGETS[kind]
    ours = SupervisedHSIC(2, **SETTINGS).fit(cut(X, CHUNKS[chunks]), cut(y, (1500, 0, 1700)))
    assert_same_fit(ours, fitted(kind))
    assert ours.target_ == fitted(kind).target_
    assert ours.result_.fitted_on.X is None
    np.testing.assert_array_equal(ours.known_rows_.y, fitted(kind).known_rows_.y)


@pytest.mark.parametrize("kind", ["classes", "real", "several"])
def test_all_pairs_are_those_of_rows_in_memory(kind):
    few = slice(0, 900)
    theirs = SupervisedHSIC(2, **SETTINGS | {"engine": "tiled"}).fit(X[few], TARGETS[kind][few])
    Xd, yd = cut(X[few], (400, 0, 300, 200)), cut(TARGETS[kind][few], (900,))
    ours = SupervisedHSIC(2, **SETTINGS | {"engine": "tiled"}).fit(Xd, yd)
    assert ours.engine_ == "tiled"
    assert_same_fit(ours, theirs)


def test_chunks_of_one_class_each():
    order = np.argsort(TARGETS["classes"], kind="stable")
    y = TARGETS["classes"][order]
    theirs = SupervisedHSIC(2, **SETTINGS).fit(X[order], y)
    chunks = tuple(np.bincount(y).tolist())
    assert_same_fit(
        SupervisedHSIC(2, **SETTINGS).fit(cut(X[order], chunks), cut(y, chunks)), theirs
    )


@pytest.mark.parametrize("kind", ["classes", "real"])
def test_everything_is_chosen_alike(kind):
    """Rules look at samples, which are the same rows by number."""
    few = slice(0, 2200)
    y = TARGETS[kind][few]
    settings = {"metric": "identity", "engine": "nystrom"}
    theirs = SupervisedHSIC(1, **settings).fit(X[few], y)
    ours = SupervisedHSIC(1, **settings).fit(cut(X[few], (1200, 1000)), cut(y, (2200,)))
    assert ours.selection_.chosen.kernel == theirs.selection_.chosen.kernel
    assert ours.objective_ == theirs.objective_
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-4)
    shares = ours.selection_.explained_share, theirs.selection_.explained_share
    assert shares[0] == pytest.approx(shares[1], rel=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_other_types_of_numbers(dtype):
    few = np.round(10.0 * X).astype(dtype)
    theirs = SupervisedHSIC(2, bandwidth=10.0, tol=1e-5).fit(few.astype(float), TARGETS["classes"])
    ours = SupervisedHSIC(2, bandwidth=10.0, tol=1e-5).fit(cut(few, (N,)), TARGETS["classes"])
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-3)
    assert ours.result_.fitted_on.dtype == ("float32" if dtype == np.float32 else "float64")


def test_sparse_chunks():
    rows = X * (np.abs(X) > 0.8)
    chunks = cut(rows, (1500, 1700)).rechunk({1: -1}).map_blocks(sparse.csr_array)
    theirs = SupervisedHSIC(2, **SETTINGS).fit(sparse.csr_array(rows), TARGETS["classes"])
    ours = SupervisedHSIC(2, **SETTINGS).fit(chunks, TARGETS["classes"])
    assert_same_fit(ours, theirs)


def test_dataframes_have_names_and_unknown_lengths():
    names = [f"column {j}" for j in range(D)]
    frame = pd.DataFrame(X, columns=names).assign(y=TARGETS["text"])
    ddf = dd.from_pandas(frame, npartitions=3)
    ddf = ddf[ddf["column 0"] < 2.0]
    frame = frame[frame["column 0"] < 2.0]
    theirs = SupervisedHSIC(2, **SETTINGS).fit(frame[names], frame["y"])
    ours = SupervisedHSIC(2, **SETTINGS).fit(ddf[names], ddf["y"])
    assert_same_fit(ours, theirs)
    assert list(ours.feature_names_in_) == names
    assert list(ours.classes_) == ["high", "low", "middle"]
    projected = ours.transform(ddf[names])
    np.testing.assert_allclose(projected.compute(), theirs.transform(frame[names]), atol=1e-9)
    categories = ddf["y"].astype("category")
    again = SupervisedHSIC(2, **SETTINGS).fit(ddf[names], categories)
    assert_same_fit(again, ours)


def test_what_is_made_of_other_rows_is_made_when_it_is_asked_for():
    model, calls = fitted("real"), []

    def counted(block):
        calls.append(block.shape)
        return block

    rows = cut(X, CHUNKS["uneven, some empty"]).map_blocks(counted, dtype=float, meta=X[:0])
    Z = model.transform(rows)
    assert isinstance(Z, da.Array)
    assert Z.shape == (N, 2)
    assert not calls
    np.testing.assert_allclose(Z.compute(scheduler="synchronous"), model.transform(X), atol=1e-12)
    assert len(calls) == 2 * 3  # of columns and of rows, but for empty ones
    back = model.inverse_transform(Z)
    assert isinstance(back, da.Array)
    np.testing.assert_allclose(back.compute(), model.inverse_transform(model.transform(X)))


def test_what_is_lazy_is_of_the_model_as_it_was():
    model = SupervisedHSIC(2, **SETTINGS).fit(X, TARGETS["classes"])
    lazy, expected = model.transform(cut(X, (N,))), model.transform(X)
    model.set_params(n_components=1).fit(X[:400], TARGETS["real"][:400])
    np.testing.assert_array_equal(lazy.compute(), expected)


def test_what_would_have_to_be_fetched_is_not_made():
    model = clone(fitted("classes")).set_output(transform="pandas").fit(X[:300], X[:300, 0])
    with pytest.raises(ValueError, match="Use set_output"):
        model.transform(cut(X, (N,)))


def test_the_type_of_what_is_lazy_is_that_of_what_comes():
    frame = dd.from_pandas(pd.DataFrame(X.astype(np.float32)), npartitions=2)
    for rows in (cut(X.astype(np.float32), (N,)), frame):
        lazy = fitted("classes").transform(rows)
        assert lazy.dtype == lazy.compute().dtype == np.float32


@pytest.mark.parametrize("kind", TARGETS)
def test_the_score_is_that_of_rows_in_memory(kind):
    model, y = fitted(kind), TARGETS[kind]
    expected = model.score(X[:900], y[:900])
    found = model.score(cut(X[:900], (400, 500)), cut(y[:900], (900,)))
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_fitted_model_is_here(tmp_path):
    model = SupervisedHSIC(2, **SETTINGS).fit(cut(X, (1000, 2200)), cut(TARGETS["real"], (N,)))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    save(model, tmp_path / "model.hsic")
    np.testing.assert_array_equal(load(tmp_path / "model.hsic").transform(X), model.transform(X))


@pytest.mark.parametrize("kind", ["text", "real"])
def test_few_rows_of_dask_come_here(kind):
    few = slice(0, 300)
    theirs = SupervisedHSIC(2).fit(X[few], TARGETS[kind][few])
    ours = SupervisedHSIC(2).fit(cut(X[few], (100, 0, 200)), cut(TARGETS[kind][few], (300,)))
    assert ours.engine_ == theirs.engine_
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-9)
    assert ours.result_.fitted_on.X == theirs.result_.fitted_on.X


def test_groups_may_be_anywhere():
    groups = np.arange(N) // 40
    theirs = SupervisedHSIC(1, engine="nystrom").fit(X, TARGETS["classes"], groups=groups)
    model = SupervisedHSIC(1, engine="nystrom")
    ours = model.fit(cut(X, (N,)), cut(TARGETS["classes"], (N,)), groups=cut(groups, (1000, 2200)))
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-5)


def test_weights_of_classes_and_starts():
    settings = SETTINGS | {"class_weight": "balanced", "n_init": 3}
    theirs = SupervisedHSIC(2, **settings).fit(X, TARGETS["text"])
    ours = SupervisedHSIC(2, **settings).fit(cut(X, (2200, 1000)), cut(TARGETS["text"], (N,)))
    assert_same_fit(ours, theirs)


def test_the_answer_does_not_depend_on_what_ran_before():
    rows, y = cut(X, (1500, 1700)), cut(TARGETS["real"], (N,))
    one, two = (SupervisedHSIC(2, bandwidth=1.0).fit(rows, y) for _ in range(2))
    np.testing.assert_array_equal(one.components_, two.components_)


def test_whether_rows_are_kept_is_said(monkeypatch):
    rows, y = da.random.default_rng(0).normal(size=(500, 3), chunks=(200, 3)), X[:500, 0] > 0.0
    settings = {"bandwidth": 1.0, "engine": "nystrom"}
    model = SupervisedHSIC(1, **settings).fit(rows, y)
    assert "3 chunks of Dask's, kept in memory" in model.result_.engine_reason
    monkeypatch.setattr("hsiclearn._rows._dask.keeping._SHARE", 0.0)
    again = SupervisedHSIC(1, **settings).fit(rows, y)
    assert "3 chunks of Dask's, made anew in each pass" in again.result_.engine_reason
    np.testing.assert_array_equal(model.components_, again.components_)


# Bad input -------------------------------------------------------------------------------------


def spoilt(row, value):
    rows = X.copy()
    rows[row, 2] = value
    return cut(rows, (1000, 1000, 1200))


BAD = {
    "not a number": (
        lambda: (spoilt(1500, np.nan), TARGETS["real"]),
        r"In chunk 1 \(rows 1000 to 1999\): X must be finite. 1 columns hold NaN",
    ),
    "no target": (
        lambda: (cut(X, (N,)), np.where(np.arange(N) == 9, np.nan, TARGETS["real"])),
        r"In chunk 0 .*Input y contains NaN",
    ),
    "other columns in a chunk": (
        lambda: (
            cut(X, (1000, 2200)).rechunk({1: -1}).map_blocks(lambda b: b[:, : 5 - len(b) // 2200]),
            TARGETS["real"],
        ),
        r"shape that its collection says. Got \(2200, 4\) in chunk 1 \(rows 1000 to 3199\)",
    ),
    "objects": (
        lambda: (cut(X.astype(object), (N,)), TARGETS["real"]),
        "X must hold real numbers. Got dtype object",
    ),
    "columns unknown": (
        lambda: (da.from_array(X).map_blocks(abs, chunks=((N,), (np.nan,))), TARGETS["real"]),
        "a known number of columns. Got an unknown number of columns",
    ),
    "text in a frame": (
        lambda: (dd.from_pandas(pd.DataFrame({"a": X[:, 0], "b": TARGETS["text"]})), X[:, 1]),
        "X must hold numbers. 1 of its columns do not, b",
    ),
    "other rows": (
        lambda: (cut(X, (N,)), cut(TARGETS["real"][:-5], (N - 5,))),
        "X and `y` must have the same number of rows. Got 3200 and 3195",
    ),
    "one row": (lambda: (cut(X[:1], (1,)), np.ones(1)), "at least 2 rows and 1 column"),
    "too many classes": (
        lambda: (cut(X, (N,)), np.array([f"row {i}" for i in range(N)])),
        "y has 3200 different labels in 3200 rows",
    ),
    "no label": (
        lambda: (cut(X, (1500, 1700)), np.where(np.arange(N) == 2000, None, TARGETS["text"])),
        r"In chunk 1 .*Input y contains NaN: 1 of 1700 labels are missing",
    ),
    "labels of two kinds": (
        lambda: (
            cut(X, (1500, 1700)),
            np.array([0, 1] * 750 + ["a", "b"] * 850, dtype=object),
        ),
        r"The labels in y must be comparable. Got a mixture of \['int', 'str'\]",
    ),
    "many chunks for all pairs": (
        lambda: (cut(X, (8,) * 400), TARGETS["classes"]),
        "400 chunks make 80200 tasks a pass",
    ),
    "a bag": (
        lambda: (dask.bag.from_sequence([1, 2]), X[:2, 0]),
        "an array or a dataframe of Dask",
    ),
    "a delayed target": (
        lambda: (cut(X, (N,)), dask.delayed(np.ones)(N)),
        "`y` must be an array, a dataframe or a series",
    ),
    "a kernel": (
        lambda: (cut(X[:300], (300,)), cut(np.eye(300), (300,))),
        "precomputed",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_clear_error(what):
    make, message = BAD[what]
    target = "precomputed" if what == "a kernel" else "auto"
    engine = "tiled" if what == "many chunks for all pairs" else "auto"
    model = SupervisedHSIC(2, bandwidth=1.0, target=target, engine=engine)
    with pytest.raises((ValueError, TypeError), match=message):
        model.fit(*make())
    assert not [name for name in vars(model) if name.endswith("_")]


def test_data_that_leave_nothing_to_find():
    with pytest.raises(DegenerateDataError, match="All 5 columns of X are constant"):
        SupervisedHSIC(1).fit(cut(np.ones((N, D)), (1000, 2200)), TARGETS["real"])
    with pytest.raises(DegenerateDataError, match="at least 2 classes"):
        SupervisedHSIC(1).fit(cut(X, (1000, 2200)), cut(np.array(["a"] * N), (N,)))
    late = np.where(np.arange(N) < 2500, 0.0, TARGETS["real"])  # constant in the first chunk
    SupervisedHSIC(1, bandwidth=1.0).fit(cut(X, (1000, 2200)), cut(late, (1000, 2200)))
    with pytest.raises(DegenerateDataError, match="y is constant"):
        SupervisedHSIC(1).fit(cut(X, (1000, 2200)), cut(np.ones(N), (N,)))


@pytest.mark.parametrize("engine", ["dense"])
def test_engines_that_need_all_rows_here(engine):
    with pytest.raises(ValueError, match="all pairs of rows in one array"):
        SupervisedHSIC(1, bandwidth=1.0, engine=engine).fit(cut(X, (N,)), TARGETS["classes"])


def test_new_rows_of_other_columns():
    with pytest.raises(ValueError, match="X must have 5 columns"):
        fitted("real").transform(cut(X[:, :4], (N,)))


# Clusterings -----------------------------------------------------------------------------------


ROWS, GIVEN, _, STARTS = two_gaps(600)


@pytest.fixture
def few(monkeypatch, without_refits):
    monkeypatch.setattr(landmarks, "_LANDMARKS", 128)
    monkeypatch.setattr(landmarks, "_ALL_PAIRS_UP_TO", 200)


def cluster(name, rows, y):
    start = STARTS["other" if name == "alternative" else "given"]
    settings = {"n_components": 1, "init": start, "kernel": "gaussian", "bandwidth": 1.5}
    return ESTIMATORS[name](tol=1e-10, **settings).fit(rows, y)


GUIDES = {
    "unsupervised": None,
    "semi-supervised": guide_of("semi-supervised", GIVEN),
    "semi-supervised text": np.where(
        guide_of("semi-supervised", GIVEN) < 0, "-1", np.array(["a", "b"])[GIVEN]
    ),
    "alternative": GIVEN,
    "alternative to two": np.column_stack([GIVEN, np.arange(600) % 3]),
}


@pytest.mark.parametrize("guide", GUIDES)
@pytest.mark.parametrize("chunks", [(600,), (50, 0, 250, 300)])
def test_clusters_are_those_of_rows_in_memory(few, guide, chunks):
    name, y = guide.split()[0], GUIDES[guide]
    theirs = cluster(name, ROWS, y)
    ours = cluster(name, cut(ROWS, chunks), None if y is None else cut(y, (100, 500)))
    assert ours.engine_ == "landmarks"
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-9)
    for attribute in ("labels_", "embedding_"):
        lazy = getattr(ours, attribute)
        assert isinstance(lazy, da.Array)
        found = lazy.compute()
        if attribute == "labels_":
            np.testing.assert_array_equal(found, theirs.labels_)
        else:
            np.testing.assert_allclose(found, theirs.embedding_, atol=1e-8)
    predicted = ours.predict(cut(ROWS, (300, 300)))
    np.testing.assert_array_equal(predicted.compute(), theirs.predict(ROWS))
    assert ours.agreement_ == theirs.agreement_


def test_scores_guide_where_they_are(few):
    scores = GIVEN[:, None] + 0.1 * np.random.default_rng(1).standard_normal((600, 2))
    theirs = cluster("semi-supervised", ROWS, scores)
    ours = cluster("semi-supervised", cut(ROWS, (350, 250)), cut(scores, (600,)))
    assert np.mean(ours.labels_.compute() == theirs.labels_) == 1.0


def test_few_rows_come_here(few):
    ours = cluster("unsupervised", cut(ROWS[:150], (100, 50)), None)
    theirs = cluster("unsupervised", ROWS[:150], None)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_array_equal(ours.components_, theirs.components_)


def test_labels_of_rows_elsewhere_do_not_go_with_a_model(few, tmp_path):
    model = cluster("unsupervised", cut(ROWS, (300, 300)), None)
    again = pickle.loads(pickle.dumps(model))
    assert not hasattr(again, "labels_")
    with pytest.raises(AttributeError, match=r"predict\(X\) makes the labels again"):
        again.labels_  # noqa: B018
    np.testing.assert_array_equal(again.predict(ROWS), model.predict(ROWS))
    save(model, tmp_path / "model.hsic")
    np.testing.assert_array_equal(load(tmp_path / "model.hsic").predict(ROWS), model.predict(ROWS))


def test_views_of_rows_elsewhere(few):
    settings = {"n_components": 1, "kernel": "gaussian", "bandwidth": 1.5, "init": "identity"}
    ours = find_views(cut(ROWS, (300, 300)), 2, **settings)
    theirs = find_views(ROWS, 2, **settings)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine.labels_.compute(), other.labels_)


def test_a_label_that_is_missing_names_its_chunk(few):
    partial = np.where(np.arange(600) == 450, np.nan, -1.0)
    with pytest.raises(ValueError, match=r"In chunk 1 \(rows 300 to 599\): Labels must be finite"):
        ESTIMATORS["semi-supervised"](guidance="labels").fit(
            cut(ROWS, (300, 300)), cut(partial, (600,))
        )
