"""Paradigms: each only builds Gamma."""

from __future__ import annotations

from .supervised import SupervisedGamma, supervised_gamma
from .targets import TARGETS

__all__ = ["TARGETS", "SupervisedGamma", "supervised_gamma"]
