"""Engines: who computes the sums over pairs of rows, and by which schedule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._threads import single_threaded_blas
from ..gamma import AbstractGamma
from ..kernels import AbstractKernel
from ._base import AbstractEngine
from ._schedule import Block, Schedule, Sums
from ._tile import Factors, Group, group_by_pair
from ._workspace import Workspace
from .choice import EngineChoice, choose_engine, is_linear
from .dense import DenseEngine
from .exact import ExactEngine
from .graph import KernelGraph
from .linear import FeatureEngine, LinearEngine, NystromEngine
from .tiled import TiledEngine

__all__ = [
    "AbstractEngine",
    "Block",
    "DenseEngine",
    "EngineChoice",
    "EngineLike",
    "ExactEngine",
    "Factors",
    "FeatureEngine",
    "Group",
    "KernelGraph",
    "LinearEngine",
    "NystromEngine",
    "Schedule",
    "Sums",
    "TiledEngine",
    "Workspace",
    "build_engine",
    "choose_engine",
    "engine_names",
    "group_by_pair",
    "is_linear",
    "single_threaded_blas",
]

EngineLike = str | Callable[[Any, AbstractGamma, AbstractKernel], AbstractEngine]

_ENGINES: dict[str, Callable[..., AbstractEngine]] = {
    engine.name: engine for engine in (DenseEngine, TiledEngine, NystromEngine, FeatureEngine)
}


def engine_names() -> tuple[str, ...]:
    """The names an engine can be asked for by."""
    return ("auto", *_ENGINES)


def build_engine(
    engine: EngineLike,
    X: Any,
    gamma: AbstractGamma,
    kernel: AbstractKernel,
    rtol: float | None = None,
) -> AbstractEngine:
    """An engine by name or by a callable such as a class.

    X is an array for exact engines, rows for those in linear time; ``rtol`` is the accuracy asked
    of engines that have a choice.
    """
    if not isinstance(engine, str):
        return engine(X, gamma, kernel)
    if engine not in _ENGINES:
        raise ValueError(f"`engine` must be one of {list(engine_names())}. Got {engine!r}.")
    if engine == NystromEngine.name and rtol is not None:
        return NystromEngine(X, gamma, kernel, rtol=rtol)
    return _ENGINES[engine](X, gamma, kernel)
