"""Pictures: scikit-learn ``Display`` classes. They need matplotlib, the extra ``plot``."""

from __future__ import annotations

from ._axes import require_matplotlib
from .biplot import BiplotDisplay
from .clustering import ClusteringDisplay
from .convergence import ConvergenceDisplay
from .curves import save_curves
from .kernel import KernelDisplay
from .loadings import LoadingsDisplay
from .page import report
from .picture import save_picture
from .projection import ProjectionDisplay
from .scaling import save_scaling
from .spectrum import SpectrumDisplay
from .stability import StabilityDisplay

__all__ = [
    "BiplotDisplay",
    "ClusteringDisplay",
    "ConvergenceDisplay",
    "KernelDisplay",
    "LoadingsDisplay",
    "ProjectionDisplay",
    "SpectrumDisplay",
    "StabilityDisplay",
    "report",
    "require_matplotlib",
    "save_curves",
    "save_picture",
    "save_scaling",
]
