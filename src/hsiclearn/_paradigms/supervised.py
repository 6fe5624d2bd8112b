"""The supervised paradigm: ``Gamma = H K_Y H``, structured after the kind of target."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from .._advice import Advice
from .._arrays import Array, FloatArray
from .._linalg import in_units_near_one, pivoted_cholesky, typical_distance
from ..exceptions import DegenerateDataError, DependenceWarning
from ..gamma import AbstractGamma, ClassTable, Dense, LowRank
from ..kernels import Gaussian
from .targets import class_codes, kind_of_target, most_classes, validate_target

__all__ = ["SupervisedGamma", "low_rank_gaussian", "supervised_gamma"]

_MAX_RANK = 1000  # of K_Y for real targets
_MOST_CLASSES = 5000  # whose table takes 200 MB


@dataclass(frozen=True)
class SupervisedGamma:
    """Gamma, the kind of target it was made for, and the classes if there are any.

    ``values`` is the target itself: classes as numbers, or a matrix; None where y is a kernel.
    """

    gamma: AbstractGamma
    target: str
    values: Array | None = None
    classes: Array | None = None

    @property
    def labels(self) -> Array | None:
        """The class of each row as a number, to stratify by; None for other targets."""
        return self.gamma.codes if isinstance(self.gamma, ClassTable) else None


def supervised_gamma(
    y: Any,
    target: str = "auto",
    class_weight: str | Mapping[Any, float] | None = None,
    rng: np.random.Generator | None = None,
) -> SupervisedGamma:
    """``H K_Y H`` for any kind of target.

    ============= =========================================== ==================
    target        K_Y                                         structure
    ============= =========================================== ==================
    classes       YY', Y one-hot, columns weighted on request :class:`ClassTable`
    real          Gaussian at the median distance of y        :class:`LowRank`
    multilabel    YY'                                         :class:`LowRank`
    precomputed   y itself                                    :class:`Dense`
    ============= =========================================== ==================

    Several real columns are standardised first, so that a unit of measurement does not decide
    which of them counts.
    """
    is_asked_for = target == "classes"
    if target == "auto":
        target, doubt = kind_of_target(y)
        _tell_doubt(target, doubt)
    y = validate_target(y, target)
    if target == "classes":
        few = most_classes(y.size)
        _check_classes_repeat(y, max(few, y.size - 1) if is_asked_for else few)
        return _classes(y, class_weight)
    if class_weight is not None:
        raise ValueError(
            f"`class_weight` is for classes only. Got class_weight={class_weight!r} with "
            f"target={target!r}. Leave it at None."
        )
    if target == "multilabel":
        return SupervisedGamma(LowRank.centered(y), target, y)
    if target == "precomputed":
        return SupervisedGamma(Dense.centered(y), target)
    return SupervisedGamma(_gaussian_gamma(y, rng or np.random.default_rng(0)), target, y)


def _tell_doubt(target: str, doubt: str) -> None:
    """Say what was decided where it could have been otherwise."""
    if doubt:
        taken, other, remedy, name = {
            "classes": ("classes", "a quantity", "pass floats or target='real'", "real"),
            "real": ("a quantity", "classes", "pass target='classes'", "classes"),
        }[target]
        end = "; naming the kind ends this warning."
        message = Advice(
            f"y holds {doubt}, taken as {taken}. If they are {other},",
            f"{remedy}{end}",
            f"use --target-kind {name}{end}",
        )
        warnings.warn(message, DependenceWarning, stacklevel=5)


def _check_classes_repeat(y: Array, most: float) -> None:
    """Labels of which most have one row are names of rows or quantities, unless somebody insists.

    A class for each row says nothing, whoever insists.
    """
    count = class_codes(y)[0].size
    if count <= most:
        return
    is_number = np.issubdtype(y.dtype, np.number)
    remedy = "pass floats or target='real'" if is_number else "pass y grouped, or as numbers"
    insist = "; target='classes' takes them as they are" if count < y.size else ""
    raise ValueError(
        f"y has {count} different labels in {y.size} rows: too many for classes, of which most "
        f"would have one row. If they are names of rows, pass another column; if they are "
        f"quantities, {remedy}{insist}."
    )


def _classes(y: Array, class_weight: str | Mapping[Any, float] | None) -> SupervisedGamma:
    classes, codes = class_codes(y)
    if classes.size < 2:
        raise DegenerateDataError(
            f"y must hold at least 2 classes. Got 1 class, {classes.tolist()!r}, in {y.size} rows: "
            "there is nothing to tell apart."
        )
    if classes.size > _MOST_CLASSES:
        raise ValueError(
            f"At most {_MOST_CLASSES} classes can be told apart: a table of classes by classes is "
            f"kept. Got {classes.size} in {y.size} rows. Group them, or leave rare ones out."
        )
    weights = None
    if class_weight is not None:
        weights = compute_class_weight(class_weight, classes=classes, y=y)
        if not (np.all(np.isfinite(weights)) and weights.min() >= 0 and weights.max() > 0):
            raise ValueError(
                "`class_weight` must hold finite weights >= 0, not all 0. Got "
                f"{dict(zip(classes.tolist(), np.asarray(weights).tolist(), strict=True))}."
            )
    return SupervisedGamma(ClassTable.centered(codes, weights), "classes", codes, classes)


def _gaussian_gamma(Y: FloatArray, rng: np.random.Generator) -> LowRank:
    """``H K_Y H`` for a Gaussian K_Y that is never formed: pivoted Cholesky, O(n r^2).

    At the median distance K_Y does not depend on the unit of y, which is therefore chosen so that
    no square overflows or vanishes.
    """
    Y = in_units_near_one(Y)
    if Y.shape[1] > 1:
        spread = Y.std(axis=0)
        Y = (Y - Y.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    L, missing = low_rank_gaussian(Y, typical_distance(Y, rng), _MAX_RANK)
    if missing > 1e-6:
        warnings.warn(
            Advice(
                f"The kernel of y has more structure than rank {_MAX_RANK} holds: {missing:.1e} "
                "of its trace is left out.",
                "Fewer output columns, or target='precomputed', keep it all.",
                "Fewer output columns keep it all.",
            ),
            DependenceWarning,
            stacklevel=4,
        )
    return LowRank.centered(L)


def low_rank_gaussian(Y: FloatArray, bandwidth: float, max_rank: int) -> tuple[FloatArray, float]:
    """``K_Y ~ L L'`` for a Gaussian kernel, and the share of its trace that is left out."""
    kernel = Gaussian(bandwidth)

    def column(i: int) -> FloatArray:
        return kernel.f(((Y - Y[i]) ** 2).sum(axis=1))

    return pivoted_cholesky(np.ones(Y.shape[0]), column, max_rank=max_rank)
