"""What rows can be coloured by: classes or quantities, one value per row, some unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._arrays import Array, FloatArray
from ..._paradigms import UNKNOWN, kind_of_target
from ..._paradigms import read_labels as read_classes

__all__ = [
    "Labelling",
    "columns_of",
    "labels_or_quantities",
    "quantities",
    "read_labels",
]


@dataclass(frozen=True)
class Labelling:
    """A class or a quantity for each row.

    ``codes`` number the ``names``, -1 where a class is unknown; a quantity has ``values`` instead.
    """

    name: str
    codes: Array | None = None
    names: tuple[str, ...] = ()
    values: FloatArray | None = None

    @property
    def is_classes(self) -> bool:
        """Whether rows fall into classes."""
        return self.codes is not None

    @property
    def counts(self) -> list[int]:
        """Rows in each class."""
        codes = np.asarray(self.codes)
        return [int(n) for n in np.bincount(codes[codes >= 0], minlength=len(self.names))]

    @property
    def n_unknown(self) -> int:
        """Rows whose class is unknown."""
        return int(np.count_nonzero(np.asarray(self.codes) == UNKNOWN))


def columns_of(y: Any, n_samples: int, default: str) -> list[tuple[str, Any]]:
    """The columns of y with their names; ``default`` names what has no name."""
    if isinstance(y, Mapping):
        return _checked([(str(name), column) for name, column in y.items()], n_samples)
    if hasattr(y, "columns"):
        found = [(str(name), y[name]) for name in y.columns]
    else:
        name = getattr(y, "name", None)
        array = np.asarray(y)
        if array.ndim == 2 and array.shape[1] == 1:
            y = array[:, 0]
        elif array.ndim == 2:
            found = [(f"{default} {j + 1}", array[:, j]) for j in range(array.shape[1])]
            return _checked(found, n_samples)
        found = [(default if name is None else str(name), y)]
    return _checked(found, n_samples)


def _checked(columns: list[tuple[str, Any]], n_samples: int) -> list[tuple[str, Any]]:
    for name, column in columns:
        if np.shape(column) != (n_samples,):
            raise ValueError(
                f"y must hold one entry for each of the {n_samples} rows of X. Its column {name!r} "
                f"has shape {np.shape(column)}."
            )
    return columns


def quantities(name: str, column: Any) -> Labelling:
    """A column of finite numbers."""
    try:
        values = np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name!r} must hold numbers, as in the fit. {error}.") from error
    if not np.isfinite(values).all():
        raise ValueError(f"{name!r} must be finite. Drop rows without a value.")
    return Labelling(name, values=values)


def read_labels(
    name: str, column: Any, class_names: Sequence[str] | None, *, partial: bool = False
) -> Labelling:
    """A column of labels; with ``partial``, -1 means that a row's class is unknown."""
    read = read_classes(column, name, partial=partial)
    return Labelling(name, codes=read.codes, names=_class_names(read.classes, class_names))


def _class_names(classes: Array, given: Sequence[str] | None) -> tuple[str, ...]:
    if given is None:
        return tuple(str(label) for label in classes.tolist())
    if len(given) != len(classes):
        raise ValueError(
            f"`class_names` must name each of the {len(classes)} classes in y. Got {len(given)}."
        )
    return tuple(str(name) for name in given)


def labels_or_quantities(name: str, column: Any, class_names: Sequence[str] | None) -> Labelling:
    """What a column is by its type, as a target would be read."""
    if kind_of_target(column).target == "real":
        return quantities(name, column)
    return read_labels(name, column, class_names)
