"""ProjectionDisplay: what is drawn, and what is said when it cannot be."""

import sys

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_diabetes, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.exceptions import MissingExtraError
from hsiclearn.plotting import ProjectionDisplay, save_picture


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
    X, y = X[100:200], y[100:200]
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
    y = [f"{i:02d}" for i in range(50)]
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


def test_any_pair_of_components_can_be_drawn():
    Z = np.arange(12.0).reshape(3, 4)
    display = ProjectionDisplay(Z, components=(3, 1)).plot()
    np.testing.assert_array_equal(display.ax_.collections[0].get_offsets(), Z[:, [3, 1]])
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("component 4", "component 2")
    alone = ProjectionDisplay(Z, y=[0, 1, 1], components=(2,)).plot()
    assert alone.ax_.get_xlabel() == "component 3"


def test_pairs_have_scatters_below_the_diagonal_and_histograms_on_it():
    rng = np.random.default_rng(0)
    Z, y = rng.standard_normal((30, 3)), np.arange(30) % 2
    axes = ProjectionDisplay(Z, y=y, components="pairs").plot().ax_
    assert axes.shape == (3, 3)
    np.testing.assert_array_equal(axes[2, 1].collections[0].get_offsets(), Z[y == 0][:, [1, 2]])
    assert [[len(ax.collections) for ax in row] for row in axes] == [
        [0, 0, 0],
        [2, 0, 0],
        [2, 2, 0],
    ]
    assert all(axes[i, i].patches for i in range(3))
    assert not axes[0, 1].axison
    assert axes[0, 2].get_legend() is not None


def test_of_many_components_the_first_six_are_paired():
    display = ProjectionDisplay(np.zeros((4, 8)), components="pairs").plot()
    assert display.ax_.shape == (6, 6)
    assert display.figure_.get_suptitle() == "the first 6 of 8 components"


def test_pairs_of_a_real_target_share_a_colour_bar():
    Z = np.random.default_rng(0).standard_normal((20, 2))
    display = ProjectionDisplay(Z, y=Z[:, 0], components="pairs").plot()
    assert len(display.figure_.axes) == 5


@pytest.mark.parametrize("components", [(0, 2), (0, 0), (-1, 0), (), (0, 1, 1)])
def test_components_that_are_not_there_are_named(components):
    with pytest.raises(ValueError, match=r"numbers from 0 to 1, for there are 2 components"):
        ProjectionDisplay(np.zeros((3, 2)), components=components)


def test_a_word_other_than_pairs_is_refused():
    with pytest.raises(ValueError, match=r"a pair or 'pairs'. Got 'all'"):
        ProjectionDisplay(np.zeros((3, 2)), components="all")


def test_the_legend_of_very_many_classes_ends_with_a_count():
    display = ProjectionDisplay(np.zeros((50, 2)), y=[f"{i:02d}" for i in range(50)]).plot()
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts[-2:] == ["19", "and 30 more"]


def test_a_colour_map_that_is_given_is_that_of_the_bar():
    display = ProjectionDisplay(np.eye(3), y=[0.0, 1.0, 2.0]).plot(cmap="cividis")
    assert display.ax_.collections[0].colorbar.cmap.name == "cividis"


def test_one_axes_that_subplots_did_not_make_cannot_be_split():
    ax = plt.figure().add_axes((0, 0, 1, 1))
    with pytest.raises(ValueError, match=r"2 x 2 panels, and one Axes can be split only if"):
        ProjectionDisplay(np.zeros((3, 2)), components="pairs").plot(ax=ax)


def test_as_many_axes_as_panels_can_be_given():
    axes = plt.subplots(2, 2)[1]
    display = ProjectionDisplay(np.zeros((3, 2)), components="pairs")
    assert display.plot(ax=axes).ax_[1, 0] is axes[1, 0]
    with pytest.raises(ValueError, match=r"2 x 2 panels. Got 2 axes"):
        display.plot(ax=axes[0])


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


def test_of_many_points_no_class_is_drawn_over_the_others():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], 10_000)
    Z = rng.standard_normal((30_000, 2))
    (dots,) = ProjectionDisplay(Z, y=y).plot().ax_.collections
    places, colours = np.asarray(dots.get_offsets()), dots.get_facecolor()[:, :3]
    rows = np.argsort(places[:, 0])[np.argsort(np.argsort(Z[:, 0]))]
    np.testing.assert_array_equal(places[rows], Z)  # every row is there, in another order
    first, second = (
        np.unique(colours[part], axis=0, return_counts=True)[1]
        for part in (slice(0, 15_000), slice(15_000, None))
    )
    assert min(*first, *second) > 4500  # each third of both halves, up to chance
    for label in range(3):
        assert len(np.unique(colours[rows][y == label], axis=0)) == 1
    handles = dots.axes.get_legend().legend_handles
    assert {handle.get_marker() for handle in handles} == {"o"}  # as drawn
