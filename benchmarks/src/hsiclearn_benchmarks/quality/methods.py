"""Who is compared: reducers to q dimensions, each at its defaults, and all columns as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.cross_decomposition import PLSRegression
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.preprocessing import FunctionTransformer

from hsiclearn import SupervisedHSIC

from .._types import Array
from .rivals import (
    GradientKernelReduction,
    KernelRegressionMetric,
    OuterProductOfGradients,
    RecursiveFeatureMachine,
    SlicedInverseRegression,
    WassersteinDiscriminant,
)
from .sets import QualitySet, load_rows
from .suite import our_code, rivals_code, their_code

__all__ = ["METHODS", "OURS", "RAW", "Method", "methods_for"]

OURS, RAW = "ours", "raw"
_MOST_OF_WDA = (1000, 100)


@dataclass(frozen=True)
class Method:
    """A transformer: its title, what makes one for q dimensions and a number of classes.

    The number of classes is 0 for a real target. ``target`` is what the transformer is fitted to,
    of a target of classes. ``only`` is the one kind of target it takes. ``takes`` says of rows and
    columns of a table whether it can be had there at all or in reasonable time; ``limit`` is that
    rule in words. It was fixed by seconds and by what a method needs, before any of its errors
    were seen. ``code`` is what its figures depend on.
    """

    title: str
    make: Callable[[int, int], Any]
    only: Literal["classes", "real"] | None = None
    target: Callable[[Array], Array] = lambda codes: codes
    takes: Callable[[int, int], bool] = lambda n, d: True
    limit: str = ""
    code: Callable[[], str] = their_code


def _one_hot(codes: Array) -> Array:
    return np.eye(codes.max() + 1)[codes]


def _lda(q: int, n_classes: int, **settings: Any) -> LinearDiscriminantAnalysis:
    return LinearDiscriminantAnalysis(n_components=min(q, n_classes - 1), **settings)


METHODS: dict[str, Method] = {
    OURS: Method("SupervisedHSIC", lambda q, c: SupervisedHSIC(n_components=q), code=our_code),
    "lda": Method("LDA", _lda, "classes"),
    "shrunk-lda": Method(
        "shrunk LDA", lambda q, c: _lda(q, c, solver="eigen", shrinkage="auto"), "classes"
    ),
    "pca": Method("PCA", lambda q, c: PCA(n_components=q)),
    "nca": Method(
        "NCA",
        lambda q, c: NeighborhoodComponentsAnalysis(n_components=q, random_state=0),
        "classes",
    ),
    "pls": Method("PLS", lambda q, c: PLSRegression(n_components=q), target=_one_hot),
    "sir": Method("SIR", lambda q, c: SlicedInverseRegression(n_components=q), code=rivals_code),
    "opg": Method(
        "rOPG",
        lambda q, c: OuterProductOfGradients(n_components=q),
        takes=lambda n, d: n > 2 * d,
        limit="needs more than two rows a column",
        code=rivals_code,
    ),
    "gkdr": Method("gKDR", lambda q, c: GradientKernelReduction(n_components=q), code=rivals_code),
    "rfm": Method("RFM", lambda q, c: RecursiveFeatureMachine(n_components=q), code=rivals_code),
    "wda": Method(
        "WDA",
        lambda q, c: WassersteinDiscriminant(n_components=q),
        "classes",
        takes=lambda n, d: n <= _MOST_OF_WDA[0] and d <= _MOST_OF_WDA[1],
        limit="at most {} rows and {} columns: beyond, a fit takes half a minute".format(
            *_MOST_OF_WDA
        ),
        code=lambda: rivals_code("POT"),
    ),
    "mlkr": Method(
        "MLKR", lambda q, c: KernelRegressionMetric(n_components=q), "real", code=rivals_code
    ),
    RAW: Method("all columns", lambda q, c: FunctionTransformer()),
}


def methods_for(data: QualitySet) -> list[str]:
    """The methods that can take its target, and its rows and columns."""
    n, d = load_rows(data.name)[0].shape
    return [k for k, m in METHODS.items() if m.only in (None, data.kind) and m.takes(n, d)]
