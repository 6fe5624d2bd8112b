"""Models to draw, fitted once, and no figure left open after a test."""

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC, UnsupervisedHSIC


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def table():
    """Sixty rows of two classes in five named columns of unlike scales."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    X = rng.standard_normal((60, 5)) * [1.0, 5.0, 0.2, 1.0, 3.0]
    X[:, 0] += 3.0 * y
    return pd.DataFrame(X, columns=["a$b$c", "_b", "<script>", "d", "x" * 40]), y


@pytest.fixture(scope="session")
def supervised(table):
    return make_pipeline(StandardScaler(), SupervisedHSIC(2, bandwidth="median")).fit(*table)


@pytest.fixture(scope="session")
def clusterer(table):
    model = UnsupervisedHSIC(n_clusters=2, n_components=2, init="identity")
    return make_pipeline(StandardScaler(), model).fit(table[0])
