"""Every reader of files that the command has, given bytes from a coverage-guided fuzzer.

A reader may answer, or refuse in the one error that is documented for it. Anything else is a
finding: another exception, a panic of a library, five seconds without an answer, a process that
dies or takes gigabytes.
"""

from __future__ import annotations

from .part import measure_fuzz
from .targets import TARGETS, Target

__all__ = ["TARGETS", "Target", "measure_fuzz"]
