"""How much memory a process has made for itself, files that are mapped not counted."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import sys
from pathlib import Path

__all__ = ["anonymous_bytes", "give_back"]


def anonymous_bytes(pid: int | None = None) -> float:
    """``RssAnon`` of a process, by default this one.

    Where there is no ``/proc``: the most this process ever had, and 0 of others.
    """
    try:
        status = Path(f"/proc/{pid or 'self'}/status").read_text()
    except OSError:
        return _largest_ever() if pid in (None, os.getpid()) else 0.0
    for line in status.splitlines():
        if line.startswith("RssAnon:"):
            return 1024.0 * float(line.split()[1])
    return 0.0  # a process that has ended


def give_back() -> None:
    """Return what was freed to the system, so that it is not taken for memory in use."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _largest_ever() -> float:
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    unit = 1.0 if sys.platform == "darwin" else 1024.0
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
