"""Fitted models that the tests of the page share."""

import json
import re
from types import SimpleNamespace

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import AlternativeHSIC, SupervisedHSIC
from hsiclearn.datasets import make_two_views


@pytest.fixture(scope="session")
def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler(), SupervisedHSIC(n_components=2)).fit(X, y)
    return SimpleNamespace(X=X, y=y.rename("cultivar"), model=model)


@pytest.fixture(scope="session")
def views():
    X, given, _ = make_two_views("blobs", 200)
    model = AlternativeHSIC(n_clusters=2, n_components=2, init="identity").fit(X, given)
    return SimpleNamespace(X=X, y=given, model=model)


@pytest.fixture(scope="session")
def line():
    """A quick fit to a real target, one direction."""
    X = np.random.default_rng(0).standard_normal((120, 3))
    y = X[:, 0] ** 2
    return SimpleNamespace(X=X, y=y, model=SupervisedHSIC(1, bandwidth=1.0, n_init=2).fit(X, y))


@pytest.fixture(scope="session")
def read_script():
    """The JSON or text of a script element of a page."""

    def read(page, identifier):
        found = re.search(rf'<script type="([^"]*)" id="{identifier}">(.*?)</script>', page, re.S)
        kind, content = found.groups()
        return json.loads(content, parse_constant=_refuse) if "json" in kind else content

    return read


def _refuse(literal):
    raise AssertionError(f"{literal} is no JSON")
