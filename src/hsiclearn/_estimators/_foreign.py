"""Values beside the rows of a fit: which may come from where."""

from __future__ import annotations

from typing import Any

from sklearn import get_config

from .._devices import is_foreign
from .._rows import check_takes_no_gradients, in_words, name_of_dtype, place_of

_HOSTS = ("cpu", "host")  # in the name of a device


def check_beside(values: Any, X: Any, name: str) -> None:
    """Raise unless what is known of the rows of X is where X is, or on the host.

    It is small, so that of the host it may be always. With ``array_api_dispatch`` the rule of
    scikit-learn holds: everything follows X, wherever it is.
    """
    if not is_foreign(values):
        return
    check_takes_no_gradients(values, name)
    dtype = name_of_dtype(values)
    if dtype.startswith(("bfloat", "float8", "float4")):
        raise ValueError(f"`{name}` must be of numbers that numpy has. Got {dtype}: pass float32.")
    is_on_host = any(host in place_of(values)[1].lower() for host in _HOSTS)
    follows = get_config()["array_api_dispatch"]
    if is_on_host or follows or place_of(values) == place_of(X):
        return
    raise ValueError(
        f"X and `{name}` are on different devices: X is of {in_words(X)}, {name} of "
        f"{in_words(values)}. Pass {name} where X is, or on the host."
    )
