"""Engines: who computes the sums over pairs of rows, and by which schedule."""

from __future__ import annotations

from .._threads import single_threaded_blas
from ._base import AbstractEngine
from ._schedule import Block, Schedule, Sums
from ._tile import Group, Workspace, group_by_pair
from .dense import DenseEngine
from .device.choice import exact_on_device, moved_to_torch
from .device.fused import FusedPairs
from .device.layout import can_lay_out
from .device.pairs import DevicePairs
from .elsewhere import PairsElsewhere
from .graph import KernelGraph
from .linear.engine import FeatureEngine, NystromEngine
from .policy import (
    CLUSTERING,
    FIT,
    LANDMARK_ROWS,
    MEASURE,
    PERMUTATIONS,
    TORCH,
    EngineChoice,
    EngineLike,
    Limits,
    choose_engine,
    engine_names,
    plan_engine,
    rough_engine,
)
from .tiled import TiledEngine

__all__ = [
    "CLUSTERING",
    "FIT",
    "LANDMARK_ROWS",
    "MEASURE",
    "PERMUTATIONS",
    "TORCH",
    "AbstractEngine",
    "Block",
    "DenseEngine",
    "DevicePairs",
    "EngineChoice",
    "EngineLike",
    "FeatureEngine",
    "FusedPairs",
    "Group",
    "KernelGraph",
    "Limits",
    "NystromEngine",
    "PairsElsewhere",
    "Schedule",
    "Sums",
    "TiledEngine",
    "Workspace",
    "can_lay_out",
    "choose_engine",
    "engine_names",
    "exact_on_device",
    "group_by_pair",
    "moved_to_torch",
    "plan_engine",
    "rough_engine",
    "single_threaded_blas",
]
