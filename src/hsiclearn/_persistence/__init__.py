"""Models in files: arrays and JSON, versioned and checksummed. Never a pickle."""

from __future__ import annotations

from .models import load, load_with_notes, save
from .trusted import trusted_types

__all__ = ["load", "load_with_notes", "save", "trusted_types"]
