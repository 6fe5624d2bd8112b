"""Parts of one object that must fit each other: numbers that are places must be places there.

Compiled code that scikit-learn and scipy hand them to does not ask: a place beyond the end is then
memory of somebody else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.preprocessing import OneHotEncoder

from .._alternation import ByCentre, Extension, Labelling
from .._estimators import BaseHSIC
from ..kernels import NeighbourScales

_FARTHEST = 1e100  # of a row, and of a scale: those of a fit, 1e70 at most, end far before
_UNIT = 1.0 + 1e-6  # entries of a mean of rows of unit length, and rounding


def check_together(value: Any) -> None:
    """Raise a ValueError where parts of an object contradict each other."""
    for cls, check in TOGETHER.items():
        if isinstance(value, cls):
            check(value)


def _check_encoder(step: Any) -> None:
    """An encoder that was fitted writes a 1 into a column that is there, whatever the category."""
    if not hasattr(step, "categories_"):
        return
    known = [len(categories) for categories in step.categories_]
    for name, sizes in (("drop_idx_", known), ("_drop_idx_after_grouping", _grouped(step, known))):
        dropped = getattr(step, name)
        for j, place in enumerate(() if dropped is None else dropped):
            _check_places(name, None if place is None else np.array([place]), sizes[j])
    if step._n_features_outs != step._compute_n_features_outs():
        raise ValueError("_n_features_outs must be the numbers of categories")
    for categories in (c for c in step.categories_ if c.dtype.kind not in "OSU"):
        told = categories[categories == categories]  # noqa: PLR0124 - all but NaN, which is last
        if not np.all(told[1:] >= told[:-1]) or told.size < categories.size - 1:
            raise ValueError("categories_ must be in order")


def _grouped(step: Any, known: list[int]) -> list[int]:
    """How many categories there are in each column once those that are rare are one."""
    if not step._infrequent_enabled:
        return known
    grouped = list(known)
    for j, rare in enumerate(step._infrequent_indices):
        if rare is not None:
            _check_places("_infrequent_indices", rare, known[j])
            group_of = step._default_to_infrequent_mappings[j]
            if group_of is None or group_of.size != known[j] or not rare.size:
                raise ValueError("_default_to_infrequent_mappings must be of all categories")
            grouped[j] -= rare.size - 1
            _check_places("_default_to_infrequent_mappings", group_of, grouped[j])
    return grouped


def _check_places(name: str, places: Any, size: int) -> None:
    """Whether all are among so many; None is none."""
    if places is None or not places.size:
        return
    if places.dtype.kind not in "iu" or places.min() < 0 or places.max() >= size:
        raise ValueError(f"{name} must be places among {size}")


def _check_threads(step: Any) -> None:
    """A thread each would be started, and a system that has not so many ends the process."""
    if getattr(step, "_n_threads", 1) != 1:
        raise ValueError("_n_threads must be 1")


def _check_clusters(step: Any) -> None:
    """Labels are places among the names of clusters."""
    labelling = getattr(step, "_labelling", None)
    if labelling is not None:
        n_names = len(step._label_names)
        _check_places("labels", labelling.labels, n_names)
        _check_places("cluster_of", getattr(labelling, "cluster_of", None), n_names)
        if not labelling.labels.size or labelling.extension.rows.shape[1] != step.n_components_:
            raise ValueError(f"a labelling must have rows of {step.n_components_} components")


def _check_labelling(labelling: Labelling) -> None:
    if labelling.labels.size != labelling.extension.degree.size:
        raise ValueError("labels must be those of the rows of the extension")


def _check_centres(labelling: ByCentre) -> None:
    _check_labelling(labelling)
    centres = labelling.centres
    with_rows = (np.abs(centres) <= _UNIT).all(axis=1)
    if not with_rows.any() or not np.isnan(centres[~with_rows]).all():
        raise ValueError(
            "centres must be means of rows of unit length, or NaN of a cluster without rows"
        )


def _check_extension(extension: Extension) -> None:
    """No division by zero, and squares of rows are numbers."""
    if not np.all(np.abs(extension.rows) <= _FARTHEST):
        raise ValueError(f"rows of an extension must be {_FARTHEST:g} at most")
    if not np.all(extension.values != 0.0):
        raise ValueError("values of an extension must not be 0")
    if extension.normalize not in {"degree", "none"}:
        raise ValueError(f"normalize must be 'degree' or 'none', not {extension.normalize!r:.60}")
    if extension.normalize == "degree" and not np.all(extension.degree > 0.0):
        raise ValueError("degrees must be positive")
    if len(extension.scales) != len(extension.kernel.terms):
        raise ValueError("an extension needs scales, or None, for each term of its kernel")


def _check_scales(scales: NeighbourScales) -> None:
    n = scales.distance.size
    _check_places("neighbor", scales.neighbor, n)
    _check_places("reference", np.array([scales.reference]), n)
    distance, least = scales.distance, 1.0 / _FARTHEST
    if not np.all((distance >= 0.0) & (distance <= _FARTHEST)) or not scales.lowest >= least:
        raise ValueError(f"scales must be {least:g} to {_FARTHEST:g}")
    if scales.n_neighbors < 1:
        raise ValueError("n_neighbors must be positive")


TOGETHER: Mapping[type, Callable[[Any], None]] = {
    OneHotEncoder: _check_encoder,
    KMeans: _check_threads,
    BaseHSIC: _check_clusters,
    Labelling: _check_labelling,
    ByCentre: _check_centres,
    Extension: _check_extension,
    NeighbourScales: _check_scales,
}
"""What is asked of the parts of an object, by class."""
