"""Which engine for rows on a device, and how rows of the host come to one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._linalg import orthonormal_basis
from ..._rows import AbstractRows, ArrayRows, DeviceRows
from ...exceptions import MissingExtraError
from ...gamma import AbstractGamma
from ...kernels import AbstractKernel
from ..features import has_finite_features
from .fused import FusedPairs, bytes_kept, why_not
from .layout import can_lay_out
from .pairs import DevicePairs

_EXACT = 5000  # rows: few enough for double precision on any device
_FUSED = 131_072  # rows: 10 ms an evaluation; beyond, a fit in linear time is as fast
_TILED_ON_GPU = 20_000  # half a second in double precision
_TILED_ON_CPU = 5000
_LEAST_RTOL = 1e-6  # an accuracy that the fused kernel has
_SAMPLE = 1000  # rows
_REACH, _FEW = 30.0, 0.01  # units of the kernel, and the share of rows that may be farther out
_WIDEST = 80  # directions that its exponents have room for

ENGINES = {"tiled": DevicePairs, "fused": FusedPairs}
"""Engines of all pairs, where rows are on a device."""


class DeviceChoice(NamedTuple):
    """The name of an engine, and why it was chosen."""

    name: str
    reason: str


def choose_on_device(
    rows: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel, q: int, rtol: float
) -> DeviceChoice:
    """Fused, tiled, nystrom or features, by size, structure, accuracy and what the device has."""
    there, n = rows.on_device, rows.n_samples
    assert there is not None
    factor, at = gamma.row_factor(), f"X is on {there.where}"
    if factor is not None and all(has_finite_features(term, q) for _, term in kernel.terms):
        return DeviceChoice(
            "features", f"{at}; the kernel is a polynomial: exact sums in linear time."
        )
    if factor is not None and n <= _EXACT:
        return DeviceChoice("tiled", f"{at}; all pairs of {n} rows, in double precision.")
    hindrance = _hindrance(rows, gamma, kernel, q, rtol)
    if not hindrance and n <= _FUSED:
        return DeviceChoice("fused", f"{at}; all pairs of {n} rows, in one kernel of Triton's.")
    most = _TILED_ON_GPU if _is_gpu(there) else _TILED_ON_CPU
    if factor is None or n <= most:
        why = f" the fused kernel {hindrance}" if hindrance else ""
        return DeviceChoice("tiled", f"{at}; all pairs of {n} rows, in tiles:{why}")
    return DeviceChoice("nystrom", f"{at}; {n} rows: landmarks stand for them.")


def _hindrance(
    rows: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel, q: int, rtol: float
) -> str:
    """Why it is not the fused kernel; nothing if it may be."""
    assert rows.on_device is not None
    found = why_not(rows, kernel)
    if found or not _is_gpu(rows.on_device):  # where it is imitated, it is for tests
        return found or "needs a GPU."
    if rtol < _LEAST_RTOL:
        return f"is exact to some {_LEAST_RTOL:.0e}, and {rtol:.0e} is asked for."
    if bytes_kept(*rows.shape) > rows.on_device.budget:
        return "needs more memory than is free."
    if _are_far_apart(rows, kernel, q):
        return f"has no digits for rows {_REACH:.0f} bandwidths and more from their mean."
    if q > _WIDEST:
        return f"has room for {_WIDEST} directions."
    return "" if can_lay_out(gamma) else f"has no room for {gamma!r}."


_PAIR = {"fused": 1.2e-12, "tiled": 4e-11}  # seconds of a GPU, of one evaluation
_PAIR_ON_CPU = 2e-9
_EVALUATIONS = 10


def exact_on_device(
    rows: AbstractRows, gamma: AbstractGamma, kernel: AbstractKernel, q: int, patience: float
) -> str | None:
    """The engine of all pairs that takes no more than so many seconds for a fit that is near."""
    assert rows.on_device is not None
    name = "tiled" if _hindrance(rows, gamma, kernel, q, _LEAST_RTOL) else "fused"
    a_pair = _PAIR[name] if _is_gpu(rows.on_device) else _PAIR_ON_CPU
    return name if 0.5 * rows.n_samples**2 * a_pair * _EVALUATIONS <= patience else None


def _are_far_apart(rows: AbstractRows, kernel: AbstractKernel, q: int) -> bool:
    """Whether more than a few rows of a sample are, in a random subspace."""
    rng, (n, d) = np.random.default_rng(0), rows.shape
    units = [term.scale for _, term in kernel.terms if term.scale is not None]
    X = rows.take(np.sort(rng.choice(n, min(n, _SAMPLE), replace=False)))
    w = (X - X.mean(axis=0)) @ orthonormal_basis(rng.standard_normal((d, min(q, d))))
    far = np.linalg.norm(w, axis=1) > _REACH * min(units, default=np.inf)
    return bool(np.mean(far) > _FEW)


def _is_gpu(rows: DeviceRows) -> bool:
    return "cpu" not in str(rows.like.device).lower()


def moved_to_torch(rows: AbstractRows) -> AbstractRows:
    """The rows on a GPU of torch's, where it has one, else on its CPU; on a device as they are.

    They are copied once, in the precision they have.
    """
    if rows.on_device is not None:
        return rows
    if not isinstance(rows, ArrayRows):
        raise ValueError(
            f"engine='torch' moves a dense table in memory to a device. Got {rows!r}: pass it as "
            "an ndarray, or leave engine at 'auto'."
        )
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError("torch", "gpu", "engine='torch'") from error
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return DeviceRows(torch.tensor(np.ascontiguousarray(rows.whole_array()), device=device))
