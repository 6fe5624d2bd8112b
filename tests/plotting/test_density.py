"""Many rows: every one is counted, and colours are those of the rows in a cell."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from hsiclearn.plotting import ProjectionDisplay
from hsiclearn.plotting._axes import class_style
from hsiclearn.plotting._density import Grid
from hsiclearn.plotting._paint import point_style

N = 1_000_000


@pytest.fixture(scope="module")
def million():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, N)
    return rng.standard_normal((N, 2)) + 4.0 * codes[:, None], codes


def test_a_million_rows_are_all_counted(million):
    Z, codes = million
    display = ProjectionDisplay(Z, y=codes).plot()
    assert display.drawn_as_ == "density"
    assert display.counts_.sum() == N
    image = display.ax_.images[0].get_array()
    assert np.array_equal(image[:, :, 3] > 0, display.counts_ > 0)
    assert len(display.ax_.get_legend().get_texts()) == 3


def test_counts_are_those_of_numpy(million):
    Z, _ = million
    display = ProjectionDisplay(Z).plot()
    left, right, low, high = display.ax_.images[0].get_extent()
    size = display.counts_.shape[0]
    edges = np.linspace(low, high, size + 1), np.linspace(left, right, size + 1)
    expected = np.histogram2d(Z[:, 1], Z[:, 0], bins=edges)[0]
    assert np.abs(display.counts_ - expected).sum() <= 4  # rows on an edge, by rounding


def test_a_real_target_is_its_mean_in_each_cell(million):
    Z, _ = million
    display = ProjectionDisplay(Z, y=Z[:, 0]).plot()
    image = display.ax_.images[0].get_array()
    left, right, *_ = display.ax_.images[0].get_extent()
    width = (right - left) / image.shape[1]
    centres = left + width * (np.arange(image.shape[1]) + 0.5)
    assert np.ma.abs(image - centres).max() <= 0.5 * width + 1e-9


def test_one_component_counts_every_class(million):
    Z, codes = million
    display = ProjectionDisplay(Z[:, :1], y=codes).plot()
    assert display.drawn_as_ == "density"
    assert display.counts_.sum(axis=1).tolist() == np.bincount(codes).tolist()
    assert max(len(rug.get_offsets()) for rug in display.ax_.collections) <= 2001


def test_a_grid_of_pairs_is_a_density_too(million):
    Z, codes = million
    display = ProjectionDisplay(Z[:300_000], y=codes[:300_000], components="pairs").plot()
    assert display.counts_.sum() == 300_000
    assert [len(ax.images) for ax in display.ax_.ravel()] == [0, 0, 1, 0]


def test_a_cell_has_the_mean_colour_of_its_rows():
    colours = np.array([to_rgb(class_style(i)["color"]) for i in range(2)])
    x = np.array([0.0, 0.0, 0.0, 1.0])
    image = Grid.over(x, x, 2).blended(np.array([0, 0, 1, 1]), colours)
    np.testing.assert_allclose(image[0, 0, :3], (2 * colours[0] + colours[1]) / 3)
    np.testing.assert_allclose(image[1, 1, :3], colours[1])
    assert image[0, 0, 3] == 1.0 > image[1, 1, 3] > 0.3
    assert image[0, 1, 3] == image[1, 0, 3] == 0.0


def test_rows_in_one_place_have_a_grid():
    grid = Grid.over(np.ones(3), np.zeros(3), 4)
    assert grid.counts().max() == 3
    assert np.nansum(grid.means(np.ones(3))) == 1.0


def test_points_shrink_and_fade_with_their_number():
    sizes = [point_style(n) for n in (10, 1000, 30_000)]
    assert sizes[0]["s"] > sizes[1]["s"] > sizes[2]["s"] >= 3
    assert sizes[0]["alpha"] > sizes[2]["alpha"] >= 0.3
    assert [style["rasterized"] for style in sizes] == [False, False, True]


def test_a_vector_file_of_many_points_holds_them_as_an_image(tmp_path):
    Z = np.random.default_rng(0).standard_normal((30_000, 2))
    display = ProjectionDisplay(Z, y=np.arange(30_000) % 2).plot()
    assert display.drawn_as_ == "points"
    display.figure_.savefig(tmp_path / "p.svg")
    assert (tmp_path / "p.svg").stat().st_size < 1_000_000
    plt.close(display.figure_)
