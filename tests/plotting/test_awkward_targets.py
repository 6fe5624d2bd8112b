"""Any y that a user may have: every display that takes it draws it, or says what is wrong."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import SemiSupervisedHSIC, SupervisedHSIC
from hsiclearn.plotting import BiplotDisplay, ClusteringDisplay, KernelDisplay, ProjectionDisplay

DISPLAYS = (ProjectionDisplay, BiplotDisplay, KernelDisplay)
HALF = np.arange(60) % 2
SOME = np.arange(60) < 20  # the rows that have no y
FLAT = 1e6 + 1e-10 * (np.arange(60) % 3)  # a component that is constant up to rounding


def without(values):
    """An object array with None for some rows."""
    return np.where(SOME, None, np.asarray(values, dtype=object))


# y, the kind it is read as, the note about rows without it
AWKWARD = {
    "floats with NaN": (np.where(SOME, np.nan, HALF + 0.5), "real", "missing (20)"),
    "whole floats with NaN": (np.where(SOME, np.nan, HALF), "classes", "missing (20)"),
    "fractions": (HALF + 0.25, "real", ""),
    "strings with None": (without(np.array(["a", "b"])[HALF]), "classes", "missing (20)"),
    "nullable integers": (pd.array(without(HALF), dtype="Int64"), "classes", "missing (20)"),
    "categories": (pd.Series(without(HALF)).astype("category"), "classes", "missing (20)"),
    "booleans": (HALF == 1, "classes", ""),
    "a column": (HALF[:, None], "classes", ""),
    "as many classes as rows": (np.arange(60), "classes", ""),
}


def texts(display):
    """What the legend says, or for a kernel the names down the side."""
    if isinstance(display, KernelDisplay):
        return [label.get_text() for label in display.ax_[0].get_yticklabels()]
    legend = display.ax_.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


@pytest.mark.parametrize("name", AWKWARD)
@pytest.mark.parametrize("cls", DISPLAYS)
def test_it_is_read_in_the_same_way_and_what_is_missing_is_counted(cls, name, table, supervised):
    y, kind, note = AWKWARD[name]
    display = cls.from_estimator(supervised, table[0], y)
    display.figure_.canvas.draw()
    assert display.target == kind
    assert [text for text in texts(display) if "missing" in text] == ([note] if note else [])


# Every target along one component; over two, and over pairs, the last of them.
CONSTANT = [(name, (0,)) for name in AWKWARD]
CONSTANT += [(list(AWKWARD)[-1], components) for components in ((0, 1), "pairs")]


@pytest.mark.parametrize(("name", "components"), CONSTANT)
def test_it_is_drawn_over_components_that_are_constant_up_to_rounding(name, components):
    y, kind, _ = AWKWARD[name]
    Z = np.column_stack([FLAT, -FLAT])
    display = ProjectionDisplay(Z, y=y, target=kind, components=components).plot()
    display.figure_.canvas.draw()


@pytest.mark.parametrize("kind", ["classes", "real"])
def test_rows_without_a_value_are_grey_and_behind(kind):
    Z, y = np.arange(120.0).reshape(60, 2), np.where(SOME, np.nan, HALF)
    first, *others = ProjectionDisplay(Z, y=y, target=kind).plot().ax_.collections
    np.testing.assert_array_equal(first.get_offsets(), Z[SOME])
    assert np.ptp(first.get_facecolor()[0, :3]) == 0.0
    assert sum(len(dots.get_offsets()) for dots in others) == 40


@pytest.mark.parametrize("kind", ["classes", "real"])
@pytest.mark.parametrize("components", [(0,), (0, 1), "pairs"])
def test_of_very_many_rows_some_may_be_missing(kind, components):
    n = 200_100
    Z = np.random.default_rng(0).standard_normal((n, 2))
    y = np.where(np.arange(n) < 20, np.nan, np.arange(n) % 2)
    display = ProjectionDisplay(Z, y=y, target=kind, components=components).plot()
    display.figure_.canvas.draw()
    assert display.drawn_as_ == "density"


UNKNOWN = {
    "-1": np.where(SOME, -1, HALF),
    "'-1'": np.where(SOME, "-1", np.array(["a", "b"])[HALF]),
    "-1 among strings": np.where(SOME, -1, np.array(["a", "b"], dtype=object)[HALF]),
    "-1.0": np.where(SOME, -1.0, HALF),
}


@pytest.fixture(scope="module")
def partly(table):
    model = SemiSupervisedHSIC(n_clusters=2, n_components=2, init="identity")
    return make_pipeline(StandardScaler(), model).fit(table[0], UNKNOWN["-1"])


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize("cls", DISPLAYS)
def test_labels_that_are_not_known_are_no_class(cls, name, table, partly):
    display = cls.from_estimator(partly, table[0], UNKNOWN[name])
    assert len(texts(display)) == 3
    assert texts(display)[-1] == "not known (20)"


def test_a_kernel_has_the_rows_without_a_label_last(table, supervised):
    display = KernelDisplay.from_estimator(supervised, table[0], AWKWARD["strings with None"][0])
    assert set(display.rows_[-20:]) == set(np.flatnonzero(SOME))


def test_the_last_step_of_pipelines_in_pipelines_tells_how_numbers_are_read(table):
    X, y = table[0], np.arange(60)
    inner = make_pipeline(SupervisedHSIC(2, bandwidth="median", target="real"))
    model = make_pipeline(StandardScaler(), inner).fit(X, y)
    for cls in DISPLAYS:
        assert cls.from_estimator(model, X, y).target == "real"
        assert cls.from_estimator(model, X, y, target="classes").target == "classes"
    assert ProjectionDisplay.from_estimator(PCA(2).fit(X), X, y // 10).target == "classes"


X = np.arange(120.0).reshape(60, 2)
REFUSED = {
    "all missing": ({"y": np.full(60, np.nan)}, r"All 60 are missing: pass y=None"),
    "infinite": ({"y": np.where(SOME, np.inf, 0.5)}, r"Got 20 infinite values"),
    "words as numbers": ({"y": ["a"] * 60, "target": "real"}, r"target='real' needs numbers"),
    "no such kind": ({"y": HALF, "target": "auto"}, r"one of \['classes', 'real'\]. Got 'auto'"),
    "a kernel matrix": ({"y": np.eye(60)}, r"pass labels to colour by"),
    "a colour": ({"y": HALF, "c": "red"}, r"'c' cannot be set for rows that are coloured"),
    "a label": ({"y": HALF, "label": "rows"}, r"Pass y=None, or `class_names`"),
    "an integer": ({"components": 0}, r"a tuple of one or two different numbers.*Got 0"),
    "names": ({"y": HALF, "class_names": ["a"]}, r"each of the 2 classes in y. Got 1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_drawn_is_named_and_leaves_no_figure(name):
    settings, message = REFUSED[name]
    with pytest.raises(ValueError, match=message):
        ProjectionDisplay.from_estimator(PCA(2).fit(X), X, **settings)
    assert plt.get_fignums() == []


def test_a_pipeline_that_ends_with_a_classifier_is_refused_with_a_remedy(table):
    model = make_pipeline(PCA(2), LogisticRegression()).fit(*table)
    with pytest.raises(TypeError, match=r"pass the beginning, like pipeline\[:-1\]. Got Logistic"):
        ProjectionDisplay.from_estimator(model, *table)


@pytest.mark.parametrize("style", [{"c": "red"}, {"color": "red"}, {"label": "rows"}])
def test_without_y_colour_and_label_are_the_users(style):
    (dots,) = ProjectionDisplay(X).plot(**style).ax_.collections
    assert (dots.get_facecolor()[0, 0] == 1.0) == ("label" not in style)


def test_clusters_cannot_be_compared_with_labels_that_are_all_unknown(table, partly):
    with pytest.raises(ValueError, match=r"All 60 in y are -1, not known"):
        ClusteringDisplay.from_estimator(partly, table[0], np.full(60, -1))
    assert plt.get_fignums() == []
