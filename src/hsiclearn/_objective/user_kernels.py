"""Kernels written elsewhere: their derivatives, and whether they run where the rows are."""

from __future__ import annotations

import numpy as np

from .._devices import beside, is_foreign
from .._rows import AbstractRows, DeviceRows
from ..exceptions import InvalidKernelError
from ..kernels import AbstractKernel, check_derivatives, is_built_in
from .table import as_data


def check_user_kernels(kernel: AbstractKernel, rows: AbstractRows) -> None:
    """Compare derivatives with finite differences, once, for kernels written elsewhere."""
    own = [term for _, term in kernel.terms if not is_built_in(term)]
    X = as_data(rows.take(np.arange(min(20, rows.n_samples)))) if own else np.empty((0, 0))
    for term in own:
        w = X - X.mean(axis=0) if term.pair.is_difference else X
        check_derivatives(term, np.unique(term.pair.beta(*term.pair.beta_factors(w))))
        slope = term.df(np.zeros(1))
        if not np.all(np.isfinite(slope)):
            raise InvalidKernelError(
                f"f'(0) must be finite, but `df` of {term!r} returns {slope[0]} "
                "there. Smooth the kernel at 0, e.g. f(sqrt(b + c^2))."
            )
        if rows.on_device is not None:
            _check_runs_there(term, rows.on_device)


def _check_runs_there(kernel: AbstractKernel, rows: DeviceRows) -> None:
    """Raise unless a kernel written elsewhere takes arrays of the rows' library."""
    b = beside(np.array([0.0, 1.0]), rows.like)
    try:
        found = [is_foreign(g(b + 0.0)) for g in (kernel.f, kernel.df, kernel.d2f)]
    except Exception as error:
        raise InvalidKernelError(f"{_not_there(kernel, rows)} Got: {error}.") from error
    if not all(found):
        raise InvalidKernelError(_not_there(kernel, rows))


def _not_there(kernel: AbstractKernel, rows: DeviceRows) -> str:
    return (
        f"f, f' and f'' of {kernel!r} must take arrays of the library that X is of, on "
        f"{rows.where}, and return such: write them with operators, or with functions of "
        "array_api_compat.array_namespace(beta), not of numpy."
    )
