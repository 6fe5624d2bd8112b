"""The answer of a fit at a glance: the same mark for page, command and notebook."""

from __future__ import annotations

from typing import Any

from .._estimators._badge import Badge, badge_of
from ._fitted import last_step

__all__ = ["Badge", "badge"]


def badge(model: Any) -> Badge:
    """What was found, and whether it holds for rows that took no part in the fit.

    Of a supervised fit it stands on rows held out first and on the certificate second: a verified
    optimum that tells nothing about other rows is no finding. Of a clustering it stands on whether
    the search settled and how far the clusters come back.

    Parameters
    ----------
    model : estimator of hsiclearn, or a pipeline that ends with one
        Fitted.

    Returns
    -------
    Badge

    Examples
    --------
    >>> from hsiclearn import SupervisedHSIC
    >>> from hsiclearn.datasets import make_planted
    >>> from hsiclearn.inspection import badge
    >>> X, y, _ = make_planted("sine", 150, 4)
    >>> badge(SupervisedHSIC(n_components=1).fit(X, y)).kind
    'good'
    """
    return badge_of(last_step(model))
