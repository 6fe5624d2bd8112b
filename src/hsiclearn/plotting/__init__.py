"""Pictures: scikit-learn ``Display`` classes. They need matplotlib, the extra ``plot``."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

from ..exceptions import MissingExtraError
from ._axes import require_matplotlib
from .biplot import BiplotDisplay
from .clustering import ClusteringDisplay
from .convergence import ConvergenceDisplay
from .feature_path import FeaturePathDisplay
from .kernel import KernelDisplay
from .loadings import LoadingsDisplay
from .page import report
from .picture import save_picture
from .projection import ProjectionDisplay
from .spectrum import SpectrumDisplay
from .stability import StabilityDisplay

__all__ = [
    "BiplotDisplay",
    "ClusteringDisplay",
    "ConvergenceDisplay",
    "FeaturePathDisplay",
    "KernelDisplay",
    "LoadingsDisplay",
    "ProjectionDisplay",
    "SpectrumDisplay",
    "StabilityDisplay",
    "report",
    "require_matplotlib",
    "save_picture",
]

_MOVED = ("save_curves", "save_scaling")


def __getattr__(name: str) -> Any:
    """The pictures of the benchmarks, under their old name."""
    if name not in _MOVED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        pictures = import_module("hsiclearn_benchmarks.pictures")
    except ModuleNotFoundError as error:
        raise MissingExtraError("hsic-learn-benchmarks", "bench", f"{__name__}.{name}") from error
    warnings.warn(
        f"{__name__}.{name} has moved to hsiclearn_benchmarks.pictures and leaves these names in a "
        "later version.",
        FutureWarning,
        stacklevel=2,
    )
    return getattr(pictures, name)
