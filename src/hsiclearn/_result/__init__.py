"""What a solve returns: the answer, why it stopped, how it got there, and the proof."""

from __future__ import annotations

from .agreement import Agreement
from .certificate import Certificate
from .fitted_on import PROBES, FittedOn, digest_of, digest_of_values
from .levels import Levels
from .result import EngineError, Record, Result
from .status import Status

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
