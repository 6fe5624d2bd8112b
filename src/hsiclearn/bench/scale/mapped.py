"""Ten million rows in a file that is mapped: whether a fit keeps its memory small."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ..tables import markdown
from .data import write_rows
from .part import Bench, Goal, Part, cpu_seconds, megabytes, seconds
from .tasks import fit_mapped

__all__ = ["measure_memory"]

_N, _D, _Q = 1e7, 50, 4


def measure_memory(bench: Bench) -> Part:
    """Write the file, fit, remove the file."""
    n = bench.size(_N)
    with tempfile.TemporaryDirectory(prefix="hsiclearn-scale-") as folder:
        path = Path(folder) / "rows.f32"
        bench.tell(f"writing {n} rows")
        y = write_rows(path, n, _D)
        size = path.stat().st_size
        found = bench.run(f"{n} rows, mapped", fit_mapped, path=path, y=y, d=_D, q=_Q)
    f = found.figures
    head = ["rows", "file, MB", "seconds", "CPU seconds", "MB beyond the file", "iterations"]
    row = [f"{n:,}", f"{size / 1e6:.0f}", seconds(found)]
    row += [cpu_seconds(found), f"{megabytes(found):.0f}"]
    row += [str(f.get("iterations", ""))]
    memory = None if found.peak is None else megabytes(found)
    return Part(
        f"Memory: float32 rows in a `numpy.memmap`, {_D} columns, q = {_Q}",
        markdown([*head, "ended"], [[*row, f.get("status", found.status).lower()]]),
        [Goal("anonymous memory at its peak", memory, 1000.0, unit=" MB")],
    )
