"""``sample_weight``: weight 2 is a row repeated, weight 0 one that is absent."""

import re
import tempfile
import warnings

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from foreign_arrays import make
from hsiclearn import SupervisedHSIC, load, save, solve
from hsiclearn._devices import to_host
from hsiclearn._linalg import orthonormal_basis, sine_of_largest_angle
from hsiclearn.exceptions import CheckpointError
from hsiclearn.gamma import ClassTable, Weighted
from hsiclearn.kernels import Polynomial

N = 60
rng = np.random.default_rng(0)
X = rng.standard_normal((N, 4))
V = rng.integers(0, 4, N)
ROWS = np.repeat(np.arange(N), V)
TARGETS = {
    "classes": (X[:, 0] * X[:, 1] > 0.0).astype(int) + (X[:, 2] > 1.0),
    "real": np.sin(2.0 * X[:, 0]) + 0.1 * rng.standard_normal(N),
    "several": np.column_stack([X[:, 0] + 0.1 * rng.standard_normal(N), 50.0 * X[:, 1] ** 2]),
    "multilabel": (X[:, :2] > 0.0).astype(int),
}
FIXED = {"bandwidth": 1.3, "tol": 1e-11, "max_iter": 300}


def check_alike(weighted, repeated, atol=1e-10):
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=atol)
    np.testing.assert_allclose(weighted.mean_, repeated.mean_, atol=1e-12)
    np.testing.assert_allclose(
        weighted.spread_.deviations, repeated.spread_.deviations, atol=10 * atol
    )
    np.testing.assert_allclose(
        weighted.feature_importances_, repeated.feature_importances_, atol=10 * atol
    )
    assert weighted.cost_ == pytest.approx(repeated.cost_, rel=1e-9)


def mapped(X):
    """The same in a file."""
    with tempfile.TemporaryFile() as file:
        table = np.memmap(file, mode="w+", shape=X.shape, dtype=X.dtype)
    table[:] = X
    return table


class Folds:
    """Splits that are known, whatever groups there are."""

    def __init__(self, fold):
        self.fold = fold

    def split(self, X, y=None, groups=None):
        for k in range(3):
            yield np.flatnonzero(self.fold != k), np.flatnonzero(self.fold == k)


@pytest.mark.parametrize("engine", ["dense", "tiled", "nystrom"])
@pytest.mark.parametrize("kind", TARGETS)
def test_weights_are_repeated_rows_in_every_engine(kind, engine):
    y, model = TARGETS[kind], SupervisedHSIC(2, engine=engine, **FIXED)
    weighted = model.fit(X, y, sample_weight=V)
    found = weighted.components_
    check_alike(weighted, SupervisedHSIC(2, engine=engine, **FIXED).fit(X[ROWS], y[ROWS]))
    assert np.array_equal(weighted.components_, found)


@pytest.mark.parametrize(
    "how",
    [
        {"kernel": Polynomial(2), "engine": "features"},
        {"solver": "stiefel"},
        {"metric": "covariance"},
    ],
)
def test_so_they_are_for_other_kernels_solvers_and_metrics(how):
    y = TARGETS["real"]
    fits = (SupervisedHSIC(2, **{**FIXED, "tol": 1e-9} | how) for _ in range(2))
    weighted = next(fits).fit(X, y, sample_weight=V)
    repeated = next(fits).fit(X[ROWS], y[ROWS])
    check_alike(weighted, repeated, 1e-6 if "solver" in how else 1e-8)


@pytest.mark.parametrize(
    "form",
    [
        sparse.csr_array,
        lambda X: lambda: iter([X[:17], X[17:]]),
        lambda X: make("strict", X),
        mapped,
    ],
    ids=["sparse", "blocks", "device", "mapped"],
)
def test_tables_of_any_form_take_them(form):
    """Blocks, and files that are mapped, keep the rows of weight 0, which weigh nothing."""
    y = TARGETS["classes"]
    weighted = SupervisedHSIC(2, **FIXED).fit(form(X), y, sample_weight=V)
    expected = SupervisedHSIC(2, **FIXED).fit(X[ROWS], y[ROWS])
    stays = callable(form(X)) or isinstance(form(X), np.memmap)
    assert weighted.result_.fitted_on.n_rows == (N if stays else np.count_nonzero(V))
    np.testing.assert_allclose(to_host(weighted.components_), expected.components_, atol=1e-8)
    assert weighted.score(form(X), y, sample_weight=V) == pytest.approx(
        SupervisedHSIC(2, **FIXED).fit(X, y, sample_weight=V).score(X, y, sample_weight=V), abs=1e-6
    )


def test_rows_of_dask_take_them():
    da = pytest.importorskip("dask.array")
    y, chunks = TARGETS["classes"], (20, 0, 40)
    there = da.from_array(X, chunks=(chunks, 4)), da.from_array(y, chunks=(chunks,))
    model = SupervisedHSIC(2, engine="nystrom", **FIXED)
    model.fit(*there, sample_weight=da.from_array(V, chunks=(chunks,)))
    expected = SupervisedHSIC(2, engine="nystrom", **FIXED).fit(X[ROWS], y[ROWS])
    check_alike(model, expected, 1e-8)
    assert model.result_.fitted_on.weights is not None


def test_a_weight_of_zero_is_an_absent_row_to_the_byte():
    """Also among the splits, the names of classes, and where rows are drawn and numbered."""
    y = np.array(["a", "b", "c"])[TARGETS["classes"]]
    y[:2], table = "gone", X.copy()
    table[:2], table[30] = 1e3, [60.0, 0.0, 0.0, 0.0]
    v = np.ones(N)
    v[[0, 1, 17]] = 0.0
    kept = np.flatnonzero(v)
    fold = np.arange(N) % 3
    pairs = list(Folds(fold).split(X))
    model = SupervisedHSIC(1, cv=pairs, objective="dependence", metric="identity")
    with pytest.warns(UserWarning, match="row 30"):
        model.fit(table, y, sample_weight=v, groups=None)
    alone = clone(model).set_params(cv=Folds(fold[kept]))
    with pytest.warns(UserWarning, match="row 27"):
        alone.fit(table[kept], y[kept])
    assert model.components_.tobytes() == alone.components_.tobytes()
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.selection_.chosen == alone.selection_.chosen
    assert model.selection_.out_of_fold.rows.tolist() == kept.tolist()
    assert model.spread_.carriers[0].tolist() == [30]
    assert model.result_.fitted_on.n_rows == N - 3


@pytest.mark.parametrize("kind", ["classes", "several"])
def test_rows_held_out_are_so_with_all_their_weight(kind):
    """The table with repeated rows, where all copies of a row are a group: the same choice."""
    y, fold = TARGETS[kind], np.arange(N) % 3
    pairs = list(Folds(fold).split(X))
    weighted = SupervisedHSIC(2, cv=pairs, objective="dependence").fit(X, y, sample_weight=V)
    repeated = SupervisedHSIC(2, cv=Folds(fold[ROWS]), objective="dependence")
    repeated.fit(X[ROWS], y[ROWS], groups=ROWS)
    mine, theirs = weighted.selection_, repeated.selection_
    assert len(mine.candidates) == len(theirs.candidates)
    assert (mine.chosen.start, mine.chosen.metric) == (theirs.chosen.start, theirs.chosen.metric)
    assert mine.chosen.bandwidth == pytest.approx(theirs.chosen.bandwidth, rel=1e-10)
    assert mine.chosen.held_out == pytest.approx(theirs.chosen.held_out, abs=1e-5)
    spaces = (orthonormal_basis(model.components_.T) for model in (weighted, repeated))
    assert sine_of_largest_angle(*spaces) < 1e-6


def test_columns_are_chosen_by_weight():
    y, how = TARGETS["real"], {"n_features_to_select": 2, "bandwidth": "median"}
    weighted = SupervisedHSIC(1, **how).fit(X, y, sample_weight=V)
    repeated = SupervisedHSIC(1, **how).fit(X[ROWS], y[ROWS])
    assert np.array_equal(weighted.support_, repeated.support_)
    assert weighted.bandwidth_ == pytest.approx(repeated.bandwidth_, rel=1e-12)
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-6)


def test_weights_of_one_change_nothing_and_weights_of_seven_only_the_cost():
    y = TARGETS["classes"]
    plain = SupervisedHSIC(2, **FIXED).fit(X, y)
    ones = SupervisedHSIC(2, **FIXED).fit(X, y, sample_weight=[1] * N)
    assert ones.components_.tobytes() == plain.components_.tobytes()
    sevens = SupervisedHSIC(2, **FIXED).fit(X, y, sample_weight=np.full(N, 7.0))
    np.testing.assert_allclose(sevens.components_, plain.components_, atol=1e-9)
    assert sevens.cost_ == pytest.approx(49.0 * plain.cost_, rel=1e-9)
    assert sevens.result_.fitted_on.weights != plain.result_.fitted_on.weights is None


def test_made_to_predict_is_by_weight():
    """Rows of hardly any weight are noise: a fit that counted them would look elsewhere."""
    table = rng.standard_normal((300, 3))
    y = np.sin(2.0 * table[:, 0])
    y[150:] = np.sin(2.0 * table[150:, 1])
    v = np.where(np.arange(300) < 150, 1.0, 1e-3)
    model = SupervisedHSIC(1, objective="prediction").fit(table, y, sample_weight=v)
    assert model.objective_ == "prediction"
    a = np.abs(model.components_[0]) / np.linalg.norm(model.components_[0])
    assert a[0] > 0.99
    assert model.score(table, y, sample_weight=v) > 0.9 > model.score(table, y)


def test_the_score_counts_copies(tmp_path):
    y = TARGETS["real"]
    model = SupervisedHSIC(2, **FIXED).fit(X, y, sample_weight=V)
    repeated = model.score(X[ROWS], y[ROWS])
    assert model.score(X, y, sample_weight=V) == pytest.approx(repeated, rel=1e-12)
    save(model, tmp_path / "m.hsic")
    again = load(tmp_path / "m.hsic")
    assert np.array_equal(again.known_rows_.weights, V[V > 0])
    assert again.score(X, y, sample_weight=V) == model.score(X, y, sample_weight=V)
    assert again.result_.fitted_on == model.result_.fitted_on


def test_they_are_routed():
    y, seen = TARGETS["real"], V.astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        model = SupervisedHSIC(1, bandwidth="median")
        model.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=True), model)
        pipeline.fit(X, y, sample_weight=seen)
        search = GridSearchCV(model, {"bandwidth": [0.5, 2.0]}, cv=3)
        search.fit(X, y, sample_weight=seen)
    scaled = StandardScaler().fit(X, sample_weight=seen).transform(X)
    alone = SupervisedHSIC(1, bandwidth="median").fit(scaled, y, sample_weight=seen)
    assert np.array_equal(pipeline[-1].components_, alone.components_)
    test = np.arange(20)
    first = SupervisedHSIC(1, bandwidth=0.5).fit(X[20:], y[20:], sample_weight=seen[20:])
    expected = first.score(X[test], y[test], sample_weight=seen[test])
    assert search.cv_results_["split0_test_score"][0] == pytest.approx(expected, rel=1e-12)


def test_a_checkpoint_of_other_weights_is_refused(tmp_path):
    y, how = TARGETS["classes"], FIXED | {"checkpoint": tmp_path / "c.npz"}
    SupervisedHSIC(2, **how).fit(X, y, sample_weight=V)
    again = SupervisedHSIC(2, resume=True, **how)
    with pytest.raises(CheckpointError, match="gamma was"):
        again.fit(X, y, sample_weight=np.roll(V, 1) + 0.5)


def test_solve_takes_a_weighted_gamma():
    codes, v = TARGETS["classes"], V.astype(float)
    weighted = solve(X, Weighted(ClassTable.centered(codes, row_weights=v), v), "gaussian", 2)
    repeated = solve(X[ROWS], ClassTable.centered(codes[ROWS]), "gaussian", 2)
    assert weighted.cost == pytest.approx(repeated.cost, rel=1e-10)


def test_what_is_no_weight_is_refused():
    model, y = SupervisedHSIC(2), TARGETS["classes"]
    for wrong, said in (
        (np.ones(N - 1), f"for each of the {N} rows"),
        (np.zeros(N), "this weight is zero on every row"),
        (np.full(N, -1.0), "no negative number"),
    ):
        with pytest.raises(ValueError, match=re.escape(said)):
            model.fit(X, y, sample_weight=wrong)
    assert not hasattr(model, "components_")
    with pytest.raises(ValueError, match=re.escape("shape (60,). Got shape (2,)")):
        Weighted(ClassTable.centered(y), [1.0, 2.0])
    with pytest.raises(ValueError, match="finite and not negative"):
        Weighted(ClassTable.centered(y), np.full(N, -1.0))


def table_of_counts():
    """Cells of a table of three factors: a row for each class in each, and how many there are."""
    cells = np.array([[a, b] for a in range(3) for b in range(2)], dtype=float)
    shares = np.array([0.9, 0.8, 0.7, 0.2, 0.2, 0.1])
    counts = np.column_stack([np.round(100 * shares), np.round(100 * (1 - shares))])
    return np.repeat(cells, 2, axis=0), np.tile(["a", "b"], 6), counts.ravel().astype(int)


def told_of_cells(model, *args, **kwargs):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model.fit(*args, **kwargs)
    return any("cells of a table of counts" in str(w.message) for w in told)


def test_a_table_of_counts_is_told_that_what_is_held_out_is_predicted_by_its_opposite():
    cells, y, counts = table_of_counts()
    model = SupervisedHSIC(1, metric="identity", objective="dependence", tol=1e-3)
    assert told_of_cells(model, cells, y, sample_weight=counts)
    assert model.selection_.explained_share < 0.0  # though the table is far from independent
    predicts = SupervisedHSIC(1, objective="prediction", bandwidth=1.0)
    assert told_of_cells(predicts, cells, y, sample_weight=counts)
    narrow = SupervisedHSIC(1, bandwidth=1.0, n_features_to_select=2)
    assert told_of_cells(
        narrow, np.column_stack([cells, cells[:, 0] ** 2]), y, sample_weight=counts
    )


def test_other_tables_with_weights_are_not_told_of_cells():
    cells, y, counts = table_of_counts()
    fixed = SupervisedHSIC(1, bandwidth="median")
    assert not told_of_cells(fixed, cells, y, sample_weight=counts)  # which holds nothing out
    model = SupervisedHSIC(1, metric="identity", objective="dependence", tol=1e-3)
    units = np.repeat(np.arange(12), 3)  # of the same cells, three of each
    v = 1.0 + np.arange(36.0) % 2
    assert not told_of_cells(model, cells[units], y[units], sample_weight=v)
    groups = np.arange(12) // 2
    assert not told_of_cells(model, cells, y, groups=groups, sample_weight=counts)


def test_heavy_rows_are_among_those_that_score_knows():
    """40 of 4000 rows carry nine tenths of the weight: an even draw would have ten of them."""
    table = np.random.default_rng(0).standard_normal((4000, 2))
    weights = np.where(np.arange(4000) < 40, 900.0, 1.0)
    model = SupervisedHSIC(1, bandwidth=1.0, tol=1e-3)
    known = model.fit(table, table[:, 0], sample_weight=weights).known_rows_
    heavy = known.weights > 2.0 * np.median(known.weights)
    assert np.count_nonzero(heavy) == 40
    assert known.weights[heavy].sum() / known.weights.sum() == pytest.approx(0.9, abs=0.02)
