"""What every display promises: drawn at once, on axes that are given, also from a pipeline."""

import sys

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError

from hsiclearn import SupervisedHSIC
from hsiclearn.exceptions import MissingExtraError
from hsiclearn.plotting import (
    BiplotDisplay,
    ClusteringDisplay,
    ConvergenceDisplay,
    KernelDisplay,
    LoadingsDisplay,
    ProjectionDisplay,
    SpectrumDisplay,
    StabilityDisplay,
    save_picture,
)

WITH_ROWS = {
    "projection": (ProjectionDisplay, {}),
    "pairs": (ProjectionDisplay, {"components": "pairs"}),
    "biplot": (BiplotDisplay, {}),
    "kernel": (KernelDisplay, {}),
    "clustering": (ClusteringDisplay, {}),
    "stability": (StabilityDisplay, {"n_resamples": 4}),
}
WITHOUT = {
    "spectrum": (SpectrumDisplay, {}),
    "graph": (SpectrumDisplay, {"kind": "graph"}),
    "bars": (LoadingsDisplay, {}),
    "heatmap": (LoadingsDisplay, {"kind": "heatmap"}),
    "convergence": (ConvergenceDisplay, {}),
}
OF_CLUSTERS = ("clustering", "graph")


@pytest.fixture(params=[*WITH_ROWS, *WITHOUT])
def draw(request, table, supervised, clusterer):
    """Class, and a function that draws it from a model (by default one that suits it)."""
    own = clusterer if request.param in OF_CLUSTERS else supervised
    cls, settings = {**WITH_ROWS, **WITHOUT}[request.param]
    data = table if request.param in WITH_ROWS else ()

    def from_estimator(model=own, **more):
        return cls.from_estimator(model, *data, **settings, **more)

    return cls, from_estimator


def axes_of(display):
    """All axes of a display, as a list."""
    return [display.ax_] if hasattr(display.ax_, "figure") else list(display.ax_.ravel())


def test_it_is_drawn_at_once_and_says_where(draw):
    cls, from_estimator = draw
    display = from_estimator()
    assert isinstance(display, cls)
    assert all(ax.figure is display.figure_ for ax in axes_of(display))
    assert any(ax.has_data() for ax in axes_of(display))
    assert plt.get_fignums() == [display.figure_.number]


def test_on_axes_that_are_given_no_other_figure_is_made(draw):
    figure, ax = plt.subplots(1, 2)
    display = draw[1](ax=ax[0])
    assert display.figure_ is figure
    assert plt.get_fignums() == [figure.number]
    assert not ax[1].has_data()


def test_it_can_be_drawn_again(draw):
    display = draw[1]()
    first = display.figure_
    assert display.plot() is display
    assert display.figure_ is not first


def test_every_display_can_be_saved(draw, tmp_path):
    display = draw[1]()
    plt.close("all")
    image = plt.imread(save_picture({"a": display, "b": display}, tmp_path / "p.png"))
    assert image.shape == (504, 1200, 4)
    for panel in np.split(image, 2, axis=1):  # each has ink, and some of it beside its title
        assert panel[80:].std(axis=(0, 1))[:3].min() > 0.01
    assert plt.get_fignums() == []


def test_missing_matplotlib_is_named(draw, monkeypatch):
    display = draw[1]()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"Plotting needs matplotlib"):
        display.plot()


def test_a_model_that_is_not_fitted_is_refused(draw):
    with pytest.raises(NotFittedError):
        draw[1](SupervisedHSIC())


@pytest.mark.parametrize("cls", [SpectrumDisplay, LoadingsDisplay, ConvergenceDisplay])
def test_an_estimator_of_others_is_refused(cls, table):
    with pytest.raises(TypeError, match=r"Need an estimator of hsiclearn.*Got PCA"):
        cls.from_estimator(PCA(2).fit(table[0]))
