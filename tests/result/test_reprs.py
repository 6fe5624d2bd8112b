"""What a notebook shows of a result, and the verdict in words."""

from dataclasses import replace

import pytest

from hsiclearn import Status, SupervisedHSIC
from problems import standardised


@pytest.fixture(scope="module")
def fitted():
    X, y, _ = standardised("wine")
    return SupervisedHSIC(2, bandwidth="median").fit(X, y)


def test_the_verdict_says_what_was_verified(fitted):
    certificate = fitted.certificate_
    assert certificate.verified
    assert certificate.verdict.startswith("This is a verified local optimum")


def test_the_whole_space_is_called_so():
    X, y, _ = standardised("wine")
    certificate = SupervisedHSIC(13, bandwidth="median").fit(X, y).certificate_
    assert certificate.verified
    assert certificate.verdict.startswith("There was nothing to choose")


@pytest.mark.parametrize(
    ("changes", "beginning"),
    [
        ({"stationarity": 1e-3}, "NOT verified as a local optimum: the gradient is 1.0e-03"),
        ({"second_order": False, "curvature": -0.5}, "NOT a local optimum: a small turn"),
        ({"second_order": None}, "Stationary: the gradient is"),
        ({"stationarity": float("nan"), "second_order": None}, "Nothing can be verified"),
    ],
)
def test_the_verdict_says_what_was_not(fitted, changes, beginning):
    certificate = replace(fitted.certificate_, **changes)
    assert not certificate.verified
    assert certificate.verdict.startswith(beginning)


def test_a_notebook_shows_verdict_and_figures(fitted):
    html = fitted.certificate_._repr_html_()
    assert "This is a verified local optimum" in html
    assert "<td" in html
    assert f"{fitted.certificate_.curvature:.6g}" in html
    html = fitted.result_._repr_html_()
    assert "2 of 13 dimensions" in html
    assert f"{fitted.cost_:.6g}" in html
    assert "verified local optimum" in html


def test_what_is_shown_is_escaped(fitted):
    html = replace(fitted.result_, start="<script>")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_that_a_solver_settled_does_not_sound_as_if_something_were_found():
    assert "what the answer is worth it does not say: read agreement_" in Status.SETTLED.value
