"""What a solve returns: the answer, why it stopped, how it got there, and the proof."""

from __future__ import annotations

from .certificate import Certificate, EngineError
from .clustering import Agreement, Levels
from .result import PROBES, FittedOn, Record, Result, Status, digest_of, digest_of_values

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
