"""The measure of dependence beside its peers: time, memory, calibration, power, exactness."""

from __future__ import annotations

from .run import DEPENDENCE_PARTS, run_dependence

__all__ = ["DEPENDENCE_PARTS", "run_dependence"]
