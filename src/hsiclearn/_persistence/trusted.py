"""What others may trust of this library."""

from __future__ import annotations

from .._result import Status
from .registry import ours

__all__ = ["trusted_types"]


def trusted_types() -> list[str]:
    """The names of this library's classes that a fitted model may hold, as skops asks for them.

    They are the classes that :func:`load` may build: estimators, kernels and records. None of them
    runs anything as it is loaded. A kernel of your own functions (``Custom``) holds code, and is
    not among them.

    ``skops.io.load`` builds them without the checks of :func:`load`: parameters, shapes and claims
    are taken as they are in the file.

    Returns
    -------
    list of str
        In order, to be passed as ``trusted`` to ``skops.io.load``. It knows the classes of
        scikit-learn and numpy by itself.

    Examples
    --------
    >>> import hsiclearn
    >>> "hsiclearn._estimators.supervised.SupervisedHSIC" in hsiclearn.trusted_types()
    True
    """
    return sorted(f"{cls.__module__}.{cls.__qualname__}" for cls in (*ours(), Status))
