"""A sequence of clusterings, each different from all before it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Array
from .alternative import AlternativeHSIC


def find_views(
    X: Array,
    n_views: int = 2,
    n_clusters: int = 2,
    n_components: int = 2,
    *,
    given: Array | None = None,
    **parameters: Any,
) -> list[AlternativeHSIC]:
    """Cluster X again and again, each time away from every clustering so far.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
    n_views : int, default=2
        Number of clusterings to find.
    n_clusters, n_components : int
        Of each view.
    given : array-like of shape (n_samples,) or (n_samples, n_labellings), optional
        Labellings already known, to stay away from as well.
    **parameters
        Further parameters of :class:`AlternativeHSIC`.

    Returns
    -------
    list of AlternativeHSIC
        Fitted, in the order they were found: ``view.labels_`` is a clustering,
        ``view.components_`` its subspace, ``view.assortativity_`` what it shows of the earlier
        ones. The first view, away from nothing, has a wider kernel than the others: compare
        ``cost_`` only between views of the same ``kernel_``.

    Examples
    --------
    >>> from hsiclearn import find_views
    >>> from hsiclearn.datasets import make_two_views
    >>> X, first, second = make_two_views("blobs", 80)
    >>> views = find_views(X, n_views=2)
    >>> [view.labels_.shape for view in views]
    [(80,), (80,)]
    """
    if n_views < 1:
        raise ValueError(f"Need n_views >= 1. Got n_views={n_views}.")
    known, n_samples = [], X.shape[0] if hasattr(X, "shape") else len(X)
    if given is not None:
        given = np.asarray(given)
        if given.ndim not in (1, 2) or given.shape[0] != n_samples:
            raise ValueError(
                f"`given` must have one row per row of X, {n_samples}: one labelling or several "
                f"columns. Got shape {given.shape}."
            )
        known = list(given.reshape(given.shape[0], -1).T)
    views: list[AlternativeHSIC] = []
    for _ in range(n_views):
        model = AlternativeHSIC(n_clusters, n_components, **parameters)
        views.append(model.fit(X, np.stack(known, axis=1) if known else None))
        known.append(views[-1].labels_)
    return views
