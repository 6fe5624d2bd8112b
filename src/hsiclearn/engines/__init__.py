"""Engines: who computes the sums over pairs of rows, and by which schedule."""

from __future__ import annotations

from collections.abc import Callable

from .._arrays import FloatArray
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from ._base import AbstractEngine, choose_engine
from ._threads import single_threaded_blas
from .dense import DenseEngine
from .graph import KernelGraph
from .tiled import TiledEngine

__all__ = [
    "AbstractEngine",
    "DenseEngine",
    "EngineLike",
    "KernelGraph",
    "TiledEngine",
    "build_engine",
    "choose_engine",
    "engine_names",
    "single_threaded_blas",
]

EngineLike = str | Callable[[FloatArray, AbstractGamma, AbstractKernel], AbstractEngine]

_ENGINES: dict[str, Callable[[FloatArray, AbstractGamma, AbstractKernel], AbstractEngine]] = {
    DenseEngine.name: DenseEngine,
    TiledEngine.name: TiledEngine,
}


def engine_names() -> tuple[str, ...]:
    """The names an engine can be asked for by."""
    return ("auto", *_ENGINES)


def build_engine(
    engine: EngineLike, X: FloatArray, gamma: AbstractGamma, kernel: AbstractKernel
) -> AbstractEngine:
    """An engine by name, by the rule of ``"auto"``, or by a callable such as a class."""
    if not isinstance(engine, str):
        return engine(X, gamma, kernel)
    if engine == "auto":
        engine = choose_engine(X.shape[0])
    if engine not in _ENGINES:
        raise ValueError(f"`engine` must be one of {list(engine_names())}. Got {engine!r}.")
    return _ENGINES[engine](X, gamma, kernel)
