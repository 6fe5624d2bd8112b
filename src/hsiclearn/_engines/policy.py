"""Which engine, and up to how many rows: the one place where both are decided."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .._arrays import FloatArray
from .._linalg import orthonormal_basis
from .._rows import AbstractRows, ArrayRows
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from ._base import AbstractEngine
from .dense import DenseEngine
from .device.choice import ENGINES as DEVICE_ENGINES
from .device.choice import choose_on_device
from .device.fused import FusedPairs
from .elsewhere import PairsElsewhere
from .features import Candidates, NystromFeatures, has_finite_features
from .linear.engine import FeatureEngine, NystromEngine
from .tiled import TiledEngine

ENGINES: dict[str, Callable[..., AbstractEngine]] = {
    "dense": DenseEngine,
    "tiled": TiledEngine,
    "fused": FusedPairs,
    "nystrom": NystromEngine,
    "features": FeatureEngine,
}
"""Every engine that can be asked for by name. A new one is a file and a line here."""

TORCH = "torch"
"""Asks for rows of the host to be moved to a device of torch's, and there for what suits them."""

EngineLike = str | Callable[[Any, AbstractGamma, AbstractKernel], AbstractEngine]


class Limits(NamedTuple):
    """Numbers of rows: dense up to the first, all pairs up to the second; all of it measured."""

    dense: int
    pairs: int


FIT = Limits(400, 5000)
"""A fit: beyond the first, threads and the symmetric half pay; all pairs take a second or two."""
CLUSTERING = Limits(3000, 5000)
"""Products of an eigenproblem: one BLAS call beats any schedule of blocks; 4000 take a minute."""
MEASURE = Limits(400, 10_000)
"""One value of HSIC: two matrices are faster at 350, tiles at 500; a second of one core."""
PERMUTATIONS = Limits(1000, 1000)
"""Hundreds of values: beyond, features are 2 to 8 times as fast, but not exact."""
COMPARED = Limits(3000, 3000)
"""A fit that is only compared: 110 MB in single precision; beyond, exact tiles in threads."""
LANDMARK_ROWS = 4000
"""Of a clustering of more rows: two such samples label 100,000 rows alike, NMI 0.98."""

_ROWS_PER_LANDMARK = 10  # measured: below, a pass over all pairs is as fast as one at landmarks
_ROWS_PER_SLOT = 8  # below, sums for each class (and their products by pairs of classes) cost more
_SAMPLE = 1000  # rows that tell how many landmarks a kernel needs
_SMALLEST, _LARGEST = 1e-6, 1e4  # numbers whose squares and products single precision holds
_REACH = 300.0  # bandwidths: beyond, squared distances in single precision are off by their square


class EngineChoice(NamedTuple):
    """The name of an engine, and why it was chosen."""

    name: str
    reason: str


class EnginePlan(NamedTuple):
    """How to make an engine, whether it takes rows or an array, and why it was chosen."""

    make: Callable[[Any, AbstractGamma, AbstractKernel], AbstractEngine]
    is_linear: bool
    reason: str


def engine_names() -> tuple[str, ...]:
    """The names an engine can be asked for by."""
    return ("auto", *ENGINES, TORCH)


def plan_engine(
    engine: EngineLike,
    rows: AbstractRows,
    gamma: AbstractGamma,
    kernel: AbstractKernel,
    q: int,
    rtol: float,
) -> EnginePlan:
    """What to make of ``engine``, a name or a callable such as a class.

    ``rtol`` is the accuracy asked of engines that have a choice.
    """
    reason = "It was asked for."
    if engine == "auto" or (engine == TORCH and rows.on_device is not None):
        engine, reason = choose_engine(rows, gamma, kernel, q, rtol)
    if rows.elsewhere is not None:
        reason = f"{reason} {rows.elsewhere}."
    if not isinstance(engine, str):
        return EnginePlan(engine, getattr(engine, "is_linear", False), reason)
    if engine not in ENGINES:
        raise ValueError(f"`engine` must be one of {list(engine_names())}. Got {engine!r}.")
    make = ENGINES[engine]
    if rows.elsewhere is not None and not getattr(make, "is_linear", False):
        make = _pairs_elsewhere(engine)
    if rows.on_device is not None and not getattr(make, "is_linear", False):
        make = _pairs_on_device(engine)
    is_linear = getattr(make, "is_linear", False)
    return EnginePlan(
        partial(make, rtol=rtol) if make is NystromEngine else make, is_linear, reason
    )


def _pairs_elsewhere(engine: str) -> Callable[..., AbstractEngine]:
    """All pairs in parts; what has them all in one array needs rows in memory."""
    if engine == "tiled":
        return PairsElsewhere
    raise ValueError(
        f"engine={engine!r} has all pairs of rows in one array, but the rows are chunks of Dask's. "
        "Use 'tiled' for all pairs, 'nystrom' or 'auto'; or pass the rows in memory."
    )


def _pairs_on_device(engine: str) -> Callable[..., AbstractEngine]:
    if engine in DEVICE_ENGINES:
        return DEVICE_ENGINES[engine]
    raise ValueError(
        f"engine={engine!r} is of rows on the host, but X is an array on a device. Use 'tiled' for "
        "all pairs, 'nystrom' or 'auto'."
    )


def choose_engine(
    rows: AbstractRows,
    gamma: AbstractGamma,
    kernel: AbstractKernel,
    q: int = 2,
    rtol: float = 1e-6,
) -> EngineChoice:
    """Dense, tiled, nystrom or features, by size, structure and the number of landmarks needed."""
    n = rows.n_samples
    if rows.on_device is not None:
        return EngineChoice(*choose_on_device(rows, gamma, kernel, q, rtol))
    if isinstance(rows, ArrayRows) and n <= FIT.dense:
        return EngineChoice("dense", f"{n} rows are at most {FIT.dense}: all pairs at once.")
    factor = gamma.row_factor()
    if factor is None:
        return EngineChoice("tiled", "Gamma is known pair by pair only, so all pairs are visited.")
    if all(has_finite_features(term, q) for _, term in kernel.terms):
        return EngineChoice("features", "the kernel is a polynomial: exact sums in linear time.")
    if isinstance(rows, ArrayRows) and _ROWS_PER_SLOT * factor.n_slots > n:
        few = f"{factor.n_slots} classes or columns of Gamma are many for {n} rows"
        return EngineChoice("tiled", f"{few}: pairs are cheaper than sums for each.")
    return _with_landmarks(rows, kernel, q)


def rough_engine(X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel) -> AbstractEngine:
    """For fits that are only compared: single precision where its range and memory allow it."""
    if X.shape[0] > COMPARED.dense:
        return TiledEngine(X, gamma, kernel)
    is_single = _is_moderate(X) and all(_is_resolved(X, k) for _, k in kernel.terms)
    return DenseEngine(X, gamma, kernel, dtype=np.float32 if is_single else np.float64)


def _is_moderate(X: FloatArray) -> bool:
    return _SMALLEST <= float(np.abs(X).max()) <= _LARGEST


def _is_resolved(X: FloatArray, kernel: AbstractKernel) -> bool:
    """Whether single precision tells ``|w_i - w_j|^2`` of rows far out from 0, beside the scale.

    It is a difference of numbers of the size of ``|x|^2``, so off by 6e-8 of that.
    """
    if kernel.scale is None or kernel.grows_with_distance or not kernel.pair.is_difference:
        return False
    farthest = float(np.sqrt(np.einsum("ij,ij->i", X, X).max()))
    return farthest <= _REACH * kernel.scale


def _with_landmarks(rows: AbstractRows, kernel: AbstractKernel, q: int) -> EngineChoice:
    """Pairs or landmarks, for a kernel and a Gamma that allow both."""
    n = rows.n_samples
    if not isinstance(rows, ArrayRows):
        is_far = rows.elsewhere is not None
        what = "The rows are elsewhere" if is_far else "X is sparse or a stream"
        return EngineChoice("nystrom", f"{what}: only sums over rows will do.")
    if n <= FIT.pairs:
        how = "all pairs in tiles, or a series of the kernel where that is as exact."
        return EngineChoice("tiled", f"{n} rows are at most {FIT.pairs}: {how}")
    m = _landmarks_needed(rows, kernel, q)
    if _ROWS_PER_LANDMARK * m <= n:
        return EngineChoice("nystrom", f"about {m} landmarks stand for {n} rows.")
    return EngineChoice("tiled", f"{n} rows would need some {m} landmarks: pairs are cheaper.")


def _landmarks_needed(rows: AbstractRows, kernel: AbstractKernel, q: int) -> int:
    """An estimate from a sample of rows in a random subspace."""
    rng = np.random.default_rng(0)
    n, d = rows.n_samples, rows.n_features
    X = rows.take(np.sort(rng.choice(n, min(n, _SAMPLE), replace=False)))
    w: FloatArray = (X - X.mean(axis=0)) @ orthonormal_basis(rng.standard_normal((d, min(q, d))))
    return max(
        NystromFeatures(term, 0, Candidates(w, term.row_scales(w)), 1e-6, _SAMPLE).size
        for _, term in kernel.terms
        if not has_finite_features(term, q)
    )
