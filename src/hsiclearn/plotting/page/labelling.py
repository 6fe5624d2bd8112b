"""What rows can be coloured by: classes or quantities, one value per row, some unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._paradigms import as_column, kind_of_target
from ..._paradigms import read_labels as read_classes
from .._targets import Colouring

__all__ = [
    "columns_of",
    "labels_or_quantities",
    "quantities",
    "read_labels",
]


def columns_of(y: Any, n_samples: int, default: str) -> list[tuple[str, Any]]:
    """The columns of y with their names; ``default`` names what has no name."""
    if isinstance(y, Mapping):
        found = [(str(name), column) for name, column in y.items()]
    elif hasattr(y, "columns"):
        found = [(str(name), y[name]) for name in y.columns]
    elif (array := as_column(y)).ndim == 2:
        found = [(f"{default} {j + 1}", array[:, j]) for j in range(array.shape[1])]
    else:
        name = getattr(y, "name", None)
        found = [(default if name is None else str(name), y if np.ndim(y) == 1 else array)]
    for name, column in found:
        if np.shape(column) != (n_samples,):
            raise ValueError(
                f"y must hold one entry for each of the {n_samples} rows of X. Its column {name!r} "
                f"has shape {np.shape(column)}."
            )
    return found


def quantities(name: str, column: Any) -> Colouring:
    """A column of finite numbers."""
    try:
        values = np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name!r} must hold numbers, as in the fit. {error}.") from error
    if not np.isfinite(values).all():
        raise ValueError(f"{name!r} must be finite. Drop rows without a value.")
    return Colouring(name, values=values)


def read_labels(
    name: str, column: Any, class_names: Sequence[str] | None, *, partial: bool = False
) -> Colouring:
    """A column of labels; with ``partial``, -1 means that a row's class is unknown."""
    read = read_classes(column, name, partial=partial)
    names = read.names if class_names is None else tuple(str(given) for given in class_names)
    if len(names) != len(read.names):
        raise ValueError(
            f"`class_names` must name each of the {len(read.names)} classes in y. Got {len(names)}."
        )
    return Colouring(name, codes=read.codes, names=names)


def labels_or_quantities(name: str, column: Any, class_names: Sequence[str] | None) -> Colouring:
    """What a column is by its type, as a target would be read."""
    if kind_of_target(column).target == "real":
        return quantities(name, column)
    return read_labels(name, column, class_names)
