"""Pictures: scikit-learn ``Display`` classes. They need matplotlib, the extra ``plot``."""

from __future__ import annotations

from .picture import save_picture
from .projection import ProjectionDisplay

__all__ = ["ProjectionDisplay", "save_picture"]
