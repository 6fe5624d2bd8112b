"""ProjectionDisplay: what is drawn, and what is said when it cannot be."""

import sys

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_diabetes, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.exceptions import MissingExtraError
from hsiclearn.plotting import ProjectionDisplay, save_picture


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return X, y, make_pipeline(StandardScaler(), SupervisedHSIC(n_components=2)).fit(X, y)


def test_classes_get_their_own_colour_and_marker(wine):
    X, y, model = wine
    display = ProjectionDisplay.from_estimator(model, X, y)
    dots = display.ax_.collections
    assert [len(d.get_offsets()) for d in dots] == [59, 71, 48]
    assert len({tuple(d.get_facecolor()[0]) for d in dots}) == 3
    assert len({d.get_paths()[0].vertices.tobytes() for d in dots}) == 3
    assert [t.get_text() for t in display.ax_.get_legend().get_texts()] == ["0", "1", "2"]
    assert display.figure_ is display.ax_.figure
    np.testing.assert_allclose(dots[0].get_offsets(), model.transform(X)[y == 0])


def test_draws_on_given_axes_with_given_names_and_style(wine):
    X, y, model = wine
    figure, ax = plt.subplots()
    names = ["a", "b", "c"]
    display = ProjectionDisplay.from_estimator(model, X, y, ax=ax, class_names=names, s=5)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert ax.collections[0].get_sizes()[0] == 5
    assert [t.get_text() for t in ax.get_legend().get_texts()] == names
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("component 1", "component 2")


def test_a_real_target_is_a_colour_bar():
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:100], y[:100]
    model = SupervisedHSIC(n_components=2).fit(X, y)
    display = ProjectionDisplay.from_estimator(model, X, y)
    np.testing.assert_allclose(display.ax_.collections[0].get_array(), y)
    assert len(display.figure_.axes) == 2
    assert display.ax_.get_legend() is None


def test_integers_are_read_as_the_estimator_read_them():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 3))
    y = np.arange(50)
    model = SupervisedHSIC(n_components=2, bandwidth="median", target="real").fit(X, y)
    assert ProjectionDisplay.from_estimator(model, X, y).target == "real"
    assert ProjectionDisplay.from_estimator(model, X, np.repeat(["a", "b"], 25)).target == "classes"


def test_one_component_has_a_row_per_class(wine):
    X, y, _ = wine
    model = make_pipeline(StandardScaler(), SupervisedHSIC(n_components=1)).fit(X, y)
    display = ProjectionDisplay.from_estimator(model, X, y)
    assert [t.get_text() for t in display.ax_.get_yticklabels()] == ["0", "1", "2"]
    assert len(display.ax_.collections) == 3  # rugs
    assert len(display.ax_.patches) == 3  # histograms


def test_one_component_and_a_real_target_are_the_two_axes():
    display = ProjectionDisplay(np.zeros((4, 1)), y=np.linspace(0, 1, 4)).plot()
    np.testing.assert_allclose(display.ax_.collections[0].get_offsets()[:, 1], np.linspace(0, 1, 4))


@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_without_y_all_rows_look_alike(n_components):
    display = ProjectionDisplay(np.zeros((4, n_components))).plot()
    assert len(display.ax_.collections) == 1
    assert display.ax_.get_legend() is None


def test_fifty_classes_all_look_different():
    y = np.arange(50)
    dots = ProjectionDisplay(np.zeros((50, 2)), y=y).plot().ax_.collections
    looks = {(tuple(d.get_facecolor()[0]), d.get_paths()[0].vertices.tobytes()) for d in dots}
    assert len(looks) == 50


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"projection": np.zeros(3)}, r"`projection` must have shape"),
        ({"projection": np.zeros((3, 2)), "y": np.zeros((3, 2))}, r"`y` must hold one value"),
        ({"projection": np.zeros((3, 2)), "y": [0, 1]}, r"`y` must hold one value"),
    ],
)
def test_wrong_shapes_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        ProjectionDisplay(**arguments)


def test_class_names_must_fit():
    with pytest.raises(ValueError, match=r"each of the 2 classes in y. Got 1"):
        ProjectionDisplay(np.zeros((2, 2)), y=[0, 1], class_names=["a"]).plot()


def test_save_picture_replaces_the_file_and_leaves_nothing_else(tmp_path, wine):
    X, y, model = wine
    display = ProjectionDisplay(model.transform(X), y=y)
    path = tmp_path / "new" / "two.png"
    for _ in range(2):
        assert save_picture({"left": display, "right": display}, path) == path
    assert [p.name for p in path.parent.iterdir()] == ["two.png"]
    height, width, _ = plt.imread(path).shape
    assert (width, height) == (1200, 504)


def test_missing_matplotlib_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    display = ProjectionDisplay(np.zeros((4, 2)))
    for draw in (display.plot, lambda: save_picture({"": display}, tmp_path / "p.png")):
        with pytest.raises(
            MissingExtraError, match=r"Plotting needs matplotlib.*hsic-learn\[plot\]"
        ):
            draw()
