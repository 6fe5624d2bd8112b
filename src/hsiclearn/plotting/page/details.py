"""The columns that are shown for a row under the pointer, the most important ones first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..._arrays import Array, FloatArray
from .buffers import Packed, pack_column

__all__ = ["Details", "choose_details"]

BUDGET = 6_000_000  # characters in the page
_MOST = 200  # columns: nobody reads more about one row
_JOINS = ("=", "_", ":", " ")  # between a column and its category in the name of a feature

Column = Callable[[Array], Any]


@dataclass(frozen=True)
class Details:
    """Packed columns by name, and how many there were."""

    columns: list[tuple[str, Packed]]
    n_given: int


def choose_details(
    details: Mapping[str, Any] | None,
    X: Any,
    names: list[str],
    importances: FloatArray,
    n_samples: int,
    shown: Array,
    budget: int = BUDGET,
) -> Details:
    """The columns of highest importance that fit into ``budget`` characters."""
    columns = _from_table(X, names) if details is None else _from_mapping(details, n_samples)
    weights = _weights([name for name, _ in columns], names, importances)
    chosen: list[tuple[str, Packed]] = []
    for j in np.argsort(-weights, kind="stable")[:_MOST]:
        name, column = columns[j]
        packed = pack_column(column(shown))
        if packed.size <= budget:
            budget -= packed.size
            chosen.append((name, packed))
    return Details(chosen, len(columns))


def _from_mapping(details: Mapping[str, Any], n_samples: int) -> list[tuple[str, Column]]:
    for name, values in details.items():
        if np.shape(values) != (n_samples,):
            raise ValueError(
                f"`details` must hold {n_samples} values per column, one for each row of X. Column "
                f"{str(name)!r} has shape {np.shape(values)}."
            )
    return [(str(name), _taker(values)) for name, values in details.items()]


def _from_table(X: Any, names: list[str]) -> list[tuple[str, Column]]:
    """The columns of X: of a data frame or Table, of a sparse matrix, of an array."""
    if hasattr(X, "columns"):  # a column of a Table knows its name, that of a data frame is one
        keys = [getattr(column, "name", column) for column in X.columns]
        return [(str(key), _taker(X[key])) for key in keys]
    array = X.tocsc() if sparse.issparse(X) else np.asarray(X)
    if array.shape[1] != len(names):
        names = [f"column {j + 1}" for j in range(array.shape[1])]
    return [(name, _part(array, j)) for j, name in enumerate(names)]


def _taker(values: Any) -> Column:
    return lambda shown: np.asarray(values)[shown]


def _part(array: Any, j: int) -> Column:
    if sparse.issparse(array):
        return lambda shown: array[:, [j]].toarray()[shown, 0]
    return lambda shown: array[shown, j]


def _weights(columns: list[str], features: list[str], importances: FloatArray) -> FloatArray:
    """The importance of each column: that of its feature, or of its categories together."""
    place = {name: j for j, name in enumerate(columns)}
    weights = np.zeros(len(columns))
    for feature, importance in zip(features, importances, strict=True):
        name = feature if feature in place else _source(feature, place)
        if name is not None:
            weights[place[name]] += importance
    return weights


def _source(feature: str, columns: Mapping[str, int]) -> str | None:
    """The longest name of a column that a feature's name begins with."""
    ends = [i for i, letter in enumerate(feature) if letter in _JOINS]
    return next((feature[:i] for i in reversed(ends) if feature[:i] in columns), None)
