"""Pictures: scikit-learn ``Display`` classes. They need matplotlib, the extra ``plot``."""

from __future__ import annotations

from ._style import require_matplotlib
from .curves import save_curves
from .picture import save_picture
from .projection import ProjectionDisplay
from .scaling import save_scaling

__all__ = ["ProjectionDisplay", "require_matplotlib", "save_curves", "save_picture", "save_scaling"]
