"""Fitted attributes in the library and on the device of the rows of a fit.

A fit stores what it finds as numpy arrays. At its end :func:`put_beside` takes them to where X is,
and it is :func:`on_host` that brings them back for whoever works in numpy. Records, such as
``result_``, are of numpy always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any, TypeVar

import numpy as np

from .._arrays import Array
from .._devices import beside, is_foreign, to_host
from .._rows import in_words, place_of

M = TypeVar("M")

_NUMBERS = "fiub"  # kinds of dtypes that other libraries have


def there(values: Array, X: Any) -> Array:
    """Numbers where X is, in the dtype they have; text, which no other library has, as it is."""
    is_known = isinstance(values, np.ndarray) and values.dtype.kind in _NUMBERS
    return beside(values, X, values.dtype) if is_known and is_foreign(X) else values


def put_beside(model: Any, X: Any, y: Any) -> None:
    """The arrays that a fit has found go to where X is; classes, if y is of that library."""
    for name, value in _arrays_of(model):
        if name != "classes_" or place_of(y)[0] == place_of(X)[0]:
            setattr(model, name, there(value, X))


def on_host(model: M) -> M:
    """The same model in numpy: itself, unless it has arrays of another library."""
    if any(is_foreign(value) for _, value in _arrays_of(model)):
        return converted(model, lambda array: array)
    return model


def converted(model: M, converter: Callable[[Array], Array]) -> M:
    """A copy with what a converter makes of its arrays of numbers, which come to it as numpy's."""
    twin = copy(model)
    for name, value in _arrays_of(model):
        setattr(twin, name, converter(to_host(value)))
    return twin


def _arrays_of(model: Any) -> Iterator[tuple[str, Array]]:
    """What a fit has added that is an array of numbers."""
    parameters = set(model._get_param_names())
    for name, value in list(vars(model).items()):
        is_array = isinstance(value, np.ndarray) and value.dtype.kind in _NUMBERS
        if name not in parameters and (is_array or is_foreign(value)):
            yield name, value


def check_same_namespace(model: Any, X: Any, method: str) -> None:
    """Raise unless X is of the library and on the device of the fit: scikit-learn's own rule.

    It holds with and without ``array_api_dispatch``.
    """
    ours = model.components_
    if place_of(X) == place_of(ours):
        return
    raise ValueError(
        f"Inputs passed to {type(model).__name__}.{method}() must use the same namespace and the "
        f"same device as those passed to fit(). The model was fitted on {in_words(ours)}, X is "
        f"{_kind_of(X)}. Pass X where the model is, or move the model: `from "
        "sklearn.utils._array_api import move_estimator_to; model = move_estimator_to(model, xp, "
        "device)`, with numpy and 'cpu' for the host; a model that was saved and loaded is of "
        "numpy, too."
    )


def _kind_of(X: Any) -> str:
    """What X is; of numpy's side its type, too, since it may be a list or a dataframe."""
    is_plain = is_foreign(X) or isinstance(X, np.ndarray)
    return f"of {in_words(X)}" if is_plain else f"a {type(X).__name__}, which goes with numpy"
