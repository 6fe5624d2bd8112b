"""A browser that opens pages from files, and watches what they do.

Run with ``python -m pytest browser``; it needs playwright and an installed Chromium.
"""

import shutil
from types import SimpleNamespace

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pytest
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_diabetes, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import AlternativeHSIC, SupervisedHSIC
from hsiclearn.datasets import make_two_views
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.plotting import report

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = ("no-sandbox", "disable-gpu", "disable-quic", "no-first-run")
_FLAGS += ("disable-background-networking", "disable-component-update", "disable-sync")


@pytest.fixture(scope="session")
def browser():
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.fail(f"No browser found: none of {_NAMES} is on PATH. Install Debian's chromium.")
    with sync_playwright() as playwright:
        flags = [f"--{flag}" for flag in _FLAGS]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """Open a file and return its page; whatever it complains of or asks for fails the test."""
    contexts, trouble = [], []

    def note(request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            trouble.append(f"request: {request.url}")

    def open_page(path, **settings):
        size = {"width": 1000, "height": 900}
        context = browser.new_context(**{"viewport": size, "color_scheme": "light", **settings})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: trouble.append(f"error: {error}"))
        page.on("request", note)
        page.goto(path.as_uri())
        if settings.get("java_script_enabled", True):
            page.wait_for_function("window.hsiclearnReport && window.hsiclearnReport.drawn() > 0")
            page.locator("#scatter").scroll_into_view_if_needed()
            page.wait_for_timeout(350)  # the map takes the wheel only when the page stands still
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def wine(folder):
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler(), SupervisedHSIC(n_components=3)).fit(X, y)
    path = report(model, X, y, folder / "wine.html", class_names=["a", "b", "c"])
    return SimpleNamespace(X=X, y=y, model=model, path=path)


@pytest.fixture(scope="session")
def diabetes(folder):
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = SupervisedHSIC(n_components=1, bandwidth="median").fit(X, y)
    return SimpleNamespace(X=X, y=y, path=report(model, X, y, folder / "diabetes.html"))


@pytest.fixture(scope="session")
def views(folder):
    X, given, _ = make_two_views("blobs", 200)
    model = AlternativeHSIC(n_clusters=2, n_components=2).fit(X, given)
    return SimpleNamespace(X=X, y=given, path=report(model, X, given, folder / "views.html"))


@pytest.fixture(scope="session")
def noise(folder):
    """Fewer rows than columns, and nothing to find."""
    X, y = np.random.default_rng(0).standard_normal((48, 120)), np.arange(48) % 4
    with pytest.warns(DependenceWarning):
        model = SupervisedHSIC(n_components=2).fit(X, y)
    return SimpleNamespace(X=X, y=y, model=model, path=report(model, X, y, folder / "noise.html"))


@pytest.fixture(scope="session")
def many(folder):
    """A hundred thousand rows of twenty columns."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 100_000)
    X = rng.standard_normal((100_000, 20))
    X[:, 0] += 2 * (y % 2)
    X[:, 1] += 2 * (y // 2)
    model = SupervisedHSIC(n_components=2, bandwidth="median").fit(X[:2000], y[:2000])
    return SimpleNamespace(X=X, y=y, path=report(model, X, y, folder / "many.html"))
