"""What a notebook shows of an estimator: its badge once it is fitted, then its parameters."""

from __future__ import annotations

from html import escape
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ._badge import badge_of

__all__ = ["NotebookMixin"]

_COLOURS = {"good": "#0b6b3a", "neutral": "#545b66", "partial": "#7a5200", "bad": "#a32a00"}


class NotebookMixin:
    """Puts the badge above scikit-learn's diagram, by whichever way a notebook asks for it."""

    def _repr_html_inner(self) -> str:
        return _badge_html(self) + str(super()._repr_html_inner())  # type: ignore[misc]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = _badge_html(self) + bundle["text/html"]
        return bundle


def _badge_html(estimator: Any) -> str:
    """Nothing before the fit."""
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
