"""What a fit found, and how far that holds, in a mark, a title and a sentence.

A verified optimum is one of the rows of the fit, and pure noise has them, too: the mark is about
the answer, so what rows held out say of it comes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from .._result import Certificate
from .._selection import figure

LITTLE = 0.1
"""Share explained, and gain over chance, from which on something was found."""

_COLOURS = {"good": "#0b6b3a", "neutral": "#545b66", "partial": "#7a5200", "bad": "#a32a00"}
_TWO = 2.0  # standard errors above chance, from which on neighbours know something
_ENOUGH = 178  # rows from which on permuted targets had no share to speak of
_LOOSE = 0.5  # agreement of clusters below which they do not come back


@dataclass(frozen=True, slots=True)
class Badge:
    """The answer of a fit at a glance: a few words, and the figures behind them.

    ``kind`` says whether it holds, was not tried, holds in part, or does not hold: good, neutral,
    partial, bad.
    """

    kind: str
    title: str
    sentence: str


def badge_of(estimator: Any) -> Badge:
    """The badge of a fitted estimator: of a target by rows held out, of clusters by agreement."""
    if hasattr(estimator, "n_clusters_"):
        return _of_clusters(estimator)
    if getattr(estimator, "selection_", None) is None:
        return _of_what_was_not_tried(estimator.certificate_)
    return _of_target(estimator)


def _of_target(estimator: Any) -> Badge:
    selection, proof = estimator.selection_, _proof(estimator.certificate_)
    neighbours = selection.neighbours
    share = f"{selection.explained_share:.1%} of the target explained"
    sentence = f"On rows held out: {share}"
    if neighbours is not None:
        sentence += f"; {neighbours.in_words(estimator.n_components_, estimator.n_features_in_)}"
    standing, is_sure = _standing(selection, neighbours), proof in (_VERIFIED, _SETTLED)
    if standing == "nothing":
        optimum = " (verified optimum of the fit)" if proof == _VERIFIED else ""
        return Badge("bad", f"Found nothing that holds for other rows{optimum}", f"{sentence}.")
    by_share = neighbours is None or not _beats_chance(selection)
    figures = share if by_share else neighbours.headline
    kind = "good" if standing == "found" and is_sure else "partial"
    unsure = "" if is_sure else "; optimum not verified"
    return Badge(kind, f"{_LEADS[standing]}: {figures}{unsure}", f"{sentence}. {proof}")


_LEADS = {
    "found": "Holds for other rows",
    "in part": "Holds in part for other rows",
    "little": "Little holds for other rows",
}


def _standing(selection: Any, neighbours: Any) -> str:
    """``"found"``, ``"in part"``, ``"little"`` or ``"nothing"``, by what rows held out say.

    Of two figures, the share explained and what neighbours reach, both may be large, or one: then
    it is in part. Two values of y far off are enough for a large share; and of many classes
    neighbours may know some. Where neither is, a share that is not chance is little: of a rare
    class neighbours know nothing, since they outvote it. With few rows it may be chance.
    """
    is_small = selection.explained_share < LITTLE
    if not selection.found_dependence:
        return "nothing"
    if neighbours is None:
        return "little" if is_small else "found"
    if not _beats_chance(selection):
        is_chance = is_small and selection.n_held_out < _ENOUGH
        return "nothing" if is_chance else "little" if is_small else "in part"
    gain = (neighbours.in_subspace - neighbours.chance) / max(1.0 - neighbours.chance, 1e-12)
    if not is_small:
        return "found"
    return "little" if gain < LITTLE else "in part"


def _beats_chance(selection: Any) -> bool:
    return bool(selection.neighbours.errors_above_chance(selection.n_held_out) > _TWO)


def _of_what_was_not_tried(certificate: Certificate) -> Badge:
    proof = _proof(certificate)
    title, kind = {
        _VERIFIED: ("Optimum verified; not tried on other rows", "neutral"),
        _FIRST_ORDER: ("Optimum verified to first order; not tried on other rows", "partial"),
    }.get(proof, ("Optimum not verified; not tried on other rows", "bad"))
    return Badge(
        kind, title, f"{proof} No rows were held out: nothing tells this answer from chance."
    )


_VERIFIED = "The optimum of the fit is verified."
_FIRST_ORDER = "The optimum of the fit is verified to first order only."
_SETTLED = "The descent of the prediction error has settled."
_UNVERIFIED = "The optimum of the fit is not verified: the certificate says what is missing."


def _proof(certificate: Certificate) -> str:
    if certificate.verified:
        return _VERIFIED
    if certificate.ended == "creep":  # not one of clusters: these have a badge of their own
        return _SETTLED
    is_stationary = certificate.stationarity <= certificate.tol
    return _FIRST_ORDER if is_stationary and certificate.second_order is None else _UNVERIFIED


def _of_clusters(estimator: Any) -> Badge:
    """By whether other rows and other starts give the same clusters, and whether these settled."""
    agreement = getattr(estimator, "agreement_", None)
    unsettled = "" if estimator.converged_ else "; not settled"
    if agreement is None or agreement.resamples is None:
        kind, lead = ("bad", "Not settled") if unsettled else ("neutral", "Settled")
        told = "" if agreement is None else f" {agreement.in_words()}"
        words = f"Clusters are found in noise, too.{told}"
        return Badge(kind, f"{lead}; not tried on other rows", words)
    kind, lead = _coming_back(agreement)
    if getattr(estimator, "levels_", None) is not None:
        kind, lead = "partial", f"{lead}, but are only the levels of a column"
    if unsettled and kind == "good":
        kind = "partial"
    title = f"{lead}: agreement {figure(agreement.resamples)}{unsettled}"
    return Badge(kind, title, agreement.in_words())


def _coming_back(agreement: Any) -> tuple[str, str]:
    """Whether clusters come back on other rows, and whether other starts found others as good."""
    if agreement.resamples < _LOOSE:
        return "bad", "Clusters do not come back on other rows"
    if not agreement.is_stable:
        return "partial", "Clusters come back only in part on other rows"
    if agreement.rivals:
        return "partial", "Clusters come back, but other starts found others as good"
    return "good", "Clusters come back on other rows"


def badge_html(estimator: Any) -> str:
    """The badge for a notebook; nothing before the fit."""
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return ""
    badge = badge_of(estimator)
    look = f"border-left: 4px solid {_COLOURS[badge.kind]}; padding-left: 0.6em"
    return (
        f'<p style="{look}"><b>{escape(badge.title)}</b><br>'
        f"<small>{escape(badge.sentence)}</small></p>"
    )
