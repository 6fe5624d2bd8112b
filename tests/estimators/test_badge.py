"""The badge: about the answer, not about the tolerance."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import Neighbours, SupervisedHSIC
from hsiclearn._estimators import badge_of
from hsiclearn.exceptions import DependenceWarning
from hsiclearn.inspection import badge
from problems import standardised


@pytest.fixture(scope="module")
def wine():
    X, y, _ = standardised("wine")
    return SupervisedHSIC(2, bandwidth="median").fit(X, y)


def seen(fitted, *, share=0.5, n=200, neighbours=None, **certificate):
    """The estimator as if these figures had been found on rows held out."""
    selection = None
    if share is not None:
        found = {"explained_share": share, "found_dependence": share > 0.02, "n_held_out": n}
        selection = SimpleNamespace(**found, neighbours=neighbours)
    return SimpleNamespace(
        certificate_=replace(fitted.certificate_, **certificate),
        selection_=selection,
        n_components_=2,
        n_features_in_=13,
    )


def neighbours(in_subspace, *, on_all_columns=0.91, chance=0.4, measure="accuracy"):
    return Neighbours(15, measure, in_subspace, on_all_columns, chance)


UNVERIFIED = {"stationarity": 1e-2}
FIRST_ORDER = {"second_order": None}


@pytest.mark.parametrize(
    ("figures", "kind", "title"),
    [
        ({"neighbours": neighbours(0.93)}, "good", "Holds for other rows: accuracy 0.93"),
        ({"share": 0.962}, "good", "Holds for other rows: 96.2% of the target explained"),
        ({"neighbours": neighbours(0.93), **UNVERIFIED}, "partial", "Holds for other rows"),
        ({"share": 0.05}, "partial", "Little holds for other rows: 5.0%"),
        # A small share, and yet neighbours predict well: some of many classes may be known.
        (
            {"share": 0.08, "neighbours": neighbours(0.8)},
            "partial",
            "Holds in part for other rows: acc",
        ),
        ({"share": 0.08, "neighbours": neighbours(0.45), "n": 9000}, "partial", "Little holds"),
        # Two values of y far off: R^2 falls below 0, the share does not mind.
        ({"neighbours": neighbours(-0.1, chance=0.0, measure="R^2")}, "partial", "Holds in part"),
        # A rare class, which neighbours outvote: the share knows it, and rows are many.
        (
            {"share": 0.09, "neighbours": neighbours(0.96, chance=0.96)},
            "partial",
            "Little holds for other rows: 9.0%",
        ),
        ({"share": -0.2}, "bad", "Found nothing that holds for other rows (verified optimum"),
        ({"share": -0.2, **UNVERIFIED}, "bad", "Found nothing that holds for other rows"),
        # 64 rows of noise: 3.6 % explained, and neighbours within two standard errors of chance.
        ({"share": 0.036, "n": 64, "neighbours": neighbours(0.18, chance=0.14)}, "bad", "Found no"),
        ({"share": None}, "neutral", "Optimum verified; not tried on other rows"),
        ({"share": None, **FIRST_ORDER}, "partial", "Optimum verified to first order; not tried"),
        ({"share": None, **UNVERIFIED}, "bad", "Optimum not verified; not tried"),
    ],
)
def test_what_rows_held_out_say_comes_before_the_optimum(wine, figures, kind, title):
    found = badge_of(seen(wine, **figures))
    assert found.kind == kind
    assert found.title.startswith(title)


def test_r_squared_needs_two_standard_errors(wine):
    """Of a y that depends on nothing, R^2 of k neighbours has deviation 2 / sqrt(k n)."""
    n, k, rng = 2000, 15, np.random.default_rng(0)
    y = rng.standard_normal((200, n))
    y -= y.mean(axis=1, keepdims=True)
    among = rng.integers(n, size=(n, k))
    error = np.square(y - y[:, among].mean(axis=2)).mean(axis=1)
    spread = (1.0 - error / np.square(y).mean(axis=1)).std()
    assert spread == pytest.approx(0.5 / np.sqrt(n), rel=0.15)
    low = neighbours(1.9 * 0.5 / np.sqrt(n), chance=0.0, measure="R^2")
    high = neighbours(2.1 * 0.5 / np.sqrt(n), chance=0.0, measure="R^2")
    assert "explained" in badge_of(seen(wine, share=0.03, n=n, neighbours=low)).title
    assert "R^2" in badge_of(seen(wine, share=0.03, n=n, neighbours=high)).title


def test_the_sentence_has_the_figures_people_know(wine):
    found = badge_of(seen(wine, share=0.962, neighbours=neighbours(0.931)))
    assert found.sentence == (
        "On rows held out: 96.2% of the target explained; 15-NN accuracy 0.93 in these 2 "
        "directions, 0.91 on all 13 columns, 0.40 by chance. The optimum of the fit is verified."
    )


def test_a_perfect_fit_of_noise_is_not_good():
    """More columns than rows: every class falls on a point of its own, and none of it holds."""
    X, y = np.random.default_rng(0).standard_normal((64, 300)), np.arange(64) % 8
    with pytest.warns(DependenceWarning):
        model = make_pipeline(StandardScaler(), SupervisedHSIC(2)).fit(X, y)
    assert model[-1].certificate_.verified
    assert badge(model).kind == "bad"


def test_a_notebook_shows_the_same_badge(wine):
    found = badge(wine)
    for html in (wine._repr_html_(), wine._repr_mimebundle_()["text/html"]):
        assert html.count(f"<b>{found.title}</b>") == 1
        assert found.sentence in html
    assert "<b>" not in SupervisedHSIC()._repr_html_().split("<style>")[0]


def clusters(converged=True, **agreement):
    found = {"resamples": 0.97, "is_stable": True, "rivals": (), "in_words": lambda: "Refitted."}
    return SimpleNamespace(
        n_clusters_=np.arange(3),
        converged_=converged,
        agreement_=SimpleNamespace(**found | agreement) if agreement is not None else None,
    )


@pytest.mark.parametrize(
    ("estimator", "kind", "title"),
    [
        (clusters(), "good", "Clusters come back on other rows: agreement 0.97"),
        (clusters(converged=False), "partial", "Clusters come back on other rows: agreement 0.97;"),
        (clusters(rivals=(0.3,)), "partial", "Clusters come back, but other starts found others"),
        (clusters(resamples=0.7, is_stable=False), "partial", "Clusters come back only in part"),
        (clusters(resamples=0.2, is_stable=False), "bad", "Clusters do not come back on other"),
        (clusters(resamples=None, is_stable=None), "neutral", "Settled; not tried on other rows"),
    ],
)
def test_clusters_are_judged_by_whether_they_come_back(estimator, kind, title):
    found = badge_of(estimator)
    assert found.kind == kind
    assert found.title.startswith(title)
    assert "Refitted." in found.sentence
