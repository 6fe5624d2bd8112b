"""Bad input: a clear error with the rule, the values seen and the remedy; nothing half-fitted."""

import re
from datetime import date

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from hsiclearn import SupervisedHSIC
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.kernels import Custom, Multiquadratic, Polynomial, RelativeGaussian, Squared
from problems import standardised

rng = np.random.default_rng(0)
X = rng.standard_normal((20, 3))
y = rng.integers(0, 2, 20)


def with_entry(value):
    bad = X.copy()
    bad[3, 1] = value
    return bad


def nearly_all_equal():
    rows = np.zeros((20, 3))
    rows[:4] = X[:4]
    return rows


CASES = {
    "NaN": ({}, with_entry(np.nan), y, "Input X contains NaN"),
    "infinity": ({}, with_entry(np.inf), y, "Input X contains infinity"),
    "one class": ({}, X, np.ones(20, int), "at least 2 classes. Got 1 class, [1], in 20 rows"),
    "constant real y": ({}, X, np.ones(20), "y is constant over 20 rows"),
    "one row": ({}, X[:1], y[:1], "minimum of 2 is required"),
    "constant columns": ({}, np.ones((20, 3)), y, "All 3 columns of X are constant over 20 rows"),
    "equal rows": ({}, np.tile(X[:1], (20, 1)), y, "All 3 columns of X are constant"),
    "small X": ({}, 1e-80 * X, y, "scale the columns, e.g. by StandardScaler"),
    "smaller X": ({}, 1e-200 * X, y, "Divide X by its largest entry first"),
    "small X, scales by neighbours": (
        {"kernel": RelativeGaussian()},
        1e-80 * X,
        y,
        "Typical ones are 1.5e-80 apart: scale the columns",
    ),
    "an overflow at W = I": (
        {"kernel": Polynomial(9), "init": "phi-identity"},
        1e20 * X,
        y,
        "standardise the columns of X, or lower the degree",
    ),
    "median 0": ({}, nearly_all_equal(), y, "median distance is 0 over 20 rows"),
    "q > d": ({"n_components": 4}, X, y, "Got n_components=4 and n_features=3"),
    "short y": ({}, X, y[:-1], "inconsistent numbers of samples: [20, 19]"),
    "complex X": ({}, X + 1j, y, "Complex data not supported"),
    "zero bandwidth": ({"bandwidth": 0.0}, X, y, "Got 0.0 instead"),
    "negative bandwidth": ({"bandwidth": -1.0}, X, y, "Got -1.0 instead"),
    "asymmetric kernel of y": (
        {"target": "precomputed"},
        X,
        rng.standard_normal((20, 20)),
        "must be symmetric. Entry (",
    ),
    "precomputed shape": ({"target": "precomputed"}, X, X, "Got shape (20, 3)"),
    "y is None": ({}, X, None, "requires y to be passed"),
    "no label at all": ({}, X, np.zeros((20, 2), int), "y is constant over 20 rows"),
    "constant kernel of y": (
        {"target": "precomputed"},
        X,
        np.ones((20, 20)),
        "y is constant over 20 rows",
    ),
    "huge X in single precision": (
        {},
        (1e20 * X).astype(np.float32),
        y,
        "Scale the columns, or pass them as float64",
    ),
    "small X in single precision": (
        {},
        (1e-25 * X).astype(np.float32),
        y,
        "X in single precision must vary by 1e-20 at least",
    ),
    "NaN in y": ({}, X, np.where(y, np.nan, 1.0), "Input y contains NaN"),
    "missing label": ({}, X, np.array(["a", None] * 10, object), "10 of 20 labels are missing"),
    "weights for real y": ({"class_weight": "balanced"}, X, X[:, 0], "for classes only"),
    "integer matrix": ({}, X, np.arange(40).reshape(20, 2), "cannot tell what y is"),
    "init shape": (
        {"init": np.eye(3)},
        X,
        y,
        "(n_components, n_features) = (2, 3), like `components_`. Got (3, 3)",
    ),
    "mixed labels": ({}, X, np.array(["a", 1] * 10, object), "Got a mixture of ['int', 'str']"),
    "negative class weight": (
        {"class_weight": {0: -1.0, 1: 1.0}},
        X,
        y,
        "finite weights >= 0, not all 0. Got {0: -1.0, 1: 1.0}",
    ),
    "huge X": ({}, X * 1e160, y, "The largest entry seen is"),
    "dependent init": ({"init": np.ones((2, 3))}, X, y, "Their rank is 1"),
    "init and n_init": ({"init": np.eye(2, 3), "n_init": 2}, X, y, "needs `init` by name"),
    "infinite slope": (
        {
            "kernel": Custom(
                lambda b: np.exp(-np.sqrt(b)),
                lambda b: -np.exp(-np.sqrt(b)) / (2 * np.sqrt(b)),
                lambda b: np.exp(-np.sqrt(b)) * (1 / b + b**-1.5) / 4,
            )
        },
        X,
        y,
        "f'(0) must be finite",
    ),
    "wrong derivative": (
        {"kernel": Custom(np.exp, lambda b: -np.exp(b), np.exp)},
        X,
        y,
        "disagrees with the numerical derivative",
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value", "ignore:overflow")
def test_message_and_untouched_estimator(case):
    settings, X_bad, y_bad, message = CASES[case]
    model = SupervisedHSIC(**settings)
    before = dict(vars(model))
    with pytest.raises(ValueError, match=re.escape(message)):
        model.fit(X_bad, y_bad)
    assert vars(model) == before
    with pytest.raises(NotFittedError):
        model.transform(X)


def test_object_columns_that_are_no_numbers():
    bad = X.astype(object)
    bad[5, 2] = "blue"
    with pytest.raises(ValueError, match=r"column 2.*'blue'.*encode"):
        SupervisedHSIC().fit(bad, y)


def test_object_columns_that_are_numbers_are_fine():
    np.testing.assert_array_equal(
        SupervisedHSIC().fit(X.astype(object), y).components_,
        SupervisedHSIC().fit(X, y).components_,
    )


def test_a_failed_refit_leaves_the_first_fit():
    model = SupervisedHSIC().fit(X, y)
    before = model.transform(X)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(with_entry(np.nan)[:, :2], y)
    np.testing.assert_array_equal(model.transform(X), before)


def test_a_refit_forgets_the_classes():
    model = SupervisedHSIC(1).fit(X, y)
    assert hasattr(model, "classes_")
    assert not hasattr(model.fit(X, X[:, 0]), "classes_")


def test_not_converging_always_warns():
    wine, labels, _ = standardised("wine")
    with pytest.warns(ConvergenceWarning, match="iteration budget ran out.*Raise max_iter"):
        model = SupervisedHSIC(max_iter=1).fit(wine, labels)
    assert not model.converged_
    assert model.components_.shape == (2, 13)


def test_cycling_of_the_printed_algorithm_is_not_silent():
    """At digits, q = 2, the lowest-eigenvector rule has no fixed point near the minimum."""
    digits, labels, median = standardised("digits")
    settings = {"n_components": 2, "bandwidth": median}
    with pytest.warns(ConvergenceWarning, match="Algorithm 1 cycles"):
        printed = SupervisedHSIC(**settings, solver="ism+").fit(digits, labels)
    assert not printed.converged_
    assert not printed.certificate_.is_lowest
    assert printed.cost_ > SupervisedHSIC(**settings).fit(digits, labels).cost_


@pytest.mark.parametrize("kernel", [Squared(), Multiquadratic(1.0)])
def test_kernels_that_flee_dependence_say_so(kernel):
    wine, labels, _ = standardised("wine")
    with pytest.warns(DependenceWarning, match=re.escape(f"Use kernel=-{kernel!r}")):
        fleeing = SupervisedHSIC(kernel=kernel).fit(wine, labels)
    seeking = SupervisedHSIC(kernel=-kernel).fit(wine, labels)
    # As printed, the best there is to find is no dependence at all.
    assert abs(fleeing.cost_) <= 0.1 * abs(seeking.cost_)


def test_missing_labels_of_pandas():
    labels = pd.Series(["a", pd.NA] * 10, dtype="string")
    with pytest.raises(ValueError, match="10 of 20 labels are missing"):
        SupervisedHSIC().fit(X, labels)


def test_a_bandwidth_far_too_small_is_not_called_converged():
    """Every kernel value underflows: the objective is flat, and nothing can be verified."""
    wine, labels, _ = standardised("wine")
    with pytest.warns(ConvergenceWarning, match="Phi vanishes.*Raise the bandwidth"):
        model = SupervisedHSIC(n_components=9, bandwidth=0.05).fit(wine, labels)
    assert not model.converged_
    assert model.certificate_.second_order is None
    assert np.isnan(model.certificate_.stationarity)


def test_the_budget_may_be_spent_exactly():
    wine, labels, _ = standardised("wine")
    model = SupervisedHSIC().fit(wine, labels)
    again = SupervisedHSIC(max_iter=model.n_iter_).fit(wine, labels)  # warnings are errors here
    assert again.converged_
    assert again.n_iter_ == model.n_iter_


def test_warnings_point_at_the_line_that_called_fit():
    wine, labels, _ = standardised("wine")
    with pytest.warns(ConvergenceWarning) as record:
        SupervisedHSIC(max_iter=1).fit(wine, labels)
    assert record[0].filename == __file__
    with pytest.warns(DependenceWarning) as record:
        SupervisedHSIC(kernel=Squared()).fit(wine, labels)
    assert record[0].filename == __file__


@pytest.mark.parametrize(
    ("values", "target", "message"),
    [(12, "classes", "pass floats or target='real'"), (25, "real", "pass target='classes'")],
)
def test_integers_that_may_be_meant_otherwise_are_questioned(values, target, message):
    X, y = rng.standard_normal((60, 3)), 3 * (np.arange(60) % values)
    with pytest.warns(DependenceWarning, match=message) as record:
        model = SupervisedHSIC(bandwidth="median").fit(X, y)
    assert record[0].filename == __file__
    assert model.target_ == target
    SupervisedHSIC(bandwidth="median", target=target).fit(X, y)


@pytest.mark.parametrize("labels", [[f"row {i}" for i in range(50)], np.arange(50)])
def test_a_class_for_each_row_is_refused(labels):
    with pytest.raises(ValueError, match="50 different labels in 50 rows: too many for classes"):
        SupervisedHSIC(target="classes").fit(rng.standard_normal((50, 3)), labels)


def test_classes_of_few_rows_are_taken_if_somebody_insists():
    X, labels = rng.standard_normal((50, 3)), [f"pair {i // 2}" for i in range(49)] + ["pair x"]
    labels[:4] = "abcd"
    with pytest.raises(ValueError, match="target='classes' takes them as they are"):
        SupervisedHSIC(bandwidth="median").fit(X, labels)
    model = SupervisedHSIC(bandwidth="median", target="classes").fit(X, labels)
    assert len(model.classes_) == len(set(labels))


@pytest.mark.parametrize(
    "y",
    [
        np.arange(30).astype("datetime64[D]"),
        pd.Series(pd.date_range("2020-01-01", periods=30)),
        pd.Series(pd.date_range("2020-01-01", periods=30, tz="UTC")),
        [date(2020, 1, 1 + i) for i in range(30)],
        np.arange(30).astype("timedelta64[h]"),
    ],
)
def test_dates_are_no_classes_by_themselves(y):
    with pytest.raises(ValueError, match="does not take dates or durations"):
        SupervisedHSIC().fit(rng.standard_normal((30, 3)), y)


def test_a_balanced_design_is_flat():
    """Each row once with either label: HSIC is 0 for every W, and what is left is rounding."""
    design = np.array([[a, b, c] for a in (0, 1, 2) for b in (0, 0.3, 0.6) for c in (0, 7, 14)])
    X, y = np.concatenate([design, design]), np.repeat([0, 1], len(design))
    with pytest.warns(ConvergenceWarning, match="Phi vanishes.*a balanced design"):
        model = SupervisedHSIC(1, bandwidth="median").fit(X, y)
    assert not model.converged_
    assert not model.certificate_.verified
    assert model.certificate_.second_order is None
