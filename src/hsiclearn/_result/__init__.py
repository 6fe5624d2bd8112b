"""What a solve returns: the answer, why it stopped, how it got there, and the proof."""

from __future__ import annotations

from .certificate import Certificate
from .clustering import Agreement, Levels
from .fitted_on import PROBES, FittedOn, digest_of, digest_of_values
from .result import EngineError, Record, Result, Status

__all__ = [
    "PROBES",
    "Agreement",
    "Certificate",
    "EngineError",
    "FittedOn",
    "Levels",
    "Record",
    "Result",
    "Status",
    "digest_of",
    "digest_of_values",
]
