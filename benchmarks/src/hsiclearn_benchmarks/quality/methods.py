"""Who is compared: reducers to q dimensions, each at its defaults, and all columns as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.cross_decomposition import PLSRegression
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.preprocessing import FunctionTransformer

from hsiclearn import SupervisedHSIC

from .._types import Array
from .sets import QualitySet
from .sir import SlicedInverseRegression

__all__ = ["METHODS", "OURS", "RAW", "Method", "methods_for"]

OURS, RAW = "ours", "raw"


@dataclass(frozen=True)
class Method:
    """A transformer: its title, what makes one for q dimensions and a number of classes.

    The number of classes is 0 for a real target. ``target`` is what the transformer is fitted to,
    of a target of classes.
    """

    title: str
    make: Callable[[int, int], Any]
    needs_classes: bool = False
    target: Callable[[Array], Array] = lambda codes: codes


def _one_hot(codes: Array) -> Array:
    return np.eye(codes.max() + 1)[codes]


METHODS: dict[str, Method] = {
    OURS: Method("SupervisedHSIC", lambda q, c: SupervisedHSIC(n_components=q)),
    "lda": Method("LDA", lambda q, c: LinearDiscriminantAnalysis(n_components=min(q, c - 1)), True),
    "pca": Method("PCA", lambda q, c: PCA(n_components=q)),
    "nca": Method(
        "NCA", lambda q, c: NeighborhoodComponentsAnalysis(n_components=q, random_state=0), True
    ),
    "pls": Method("PLS", lambda q, c: PLSRegression(n_components=q), target=_one_hot),
    "sir": Method("SIR", lambda q, c: SlicedInverseRegression(n_components=q)),
    RAW: Method("all columns", lambda q, c: FunctionTransformer()),
}


def methods_for(data: QualitySet) -> list[str]:
    """The methods that can take its target."""
    return [key for key, m in METHODS.items() if data.has_classes or not m.needs_classes]
