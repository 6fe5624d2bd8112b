"""Tables out of the ordinary: ten million rows in a file, and more columns than rows."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ..alone import Outcome
from ..bench import Bench, cpu_seconds, megabytes, seconds
from ..parts import Goal, Part, markdown
from .data import write_rows
from .tasks import fit_mapped, fit_sparse, fit_table

__all__ = ["measure_memory", "measure_wide"]

_N, _D, _MAPPED_Q = 1e7, 50, 4
_SPARSE = (2e4, 5e4)  # beyond what d x d could hold
_DENSE = (500, 2e4)
_Q = 2


def measure_memory(bench: Bench) -> Part:
    """Whether a fit on a mapped file keeps its memory small."""
    n = bench.size(_N)
    with tempfile.TemporaryDirectory(prefix="hsiclearn-scale-") as folder:
        path = Path(folder) / "rows.f32"
        bench.tell(f"writing {n} rows")
        y = write_rows(path, n, _D)
        size = path.stat().st_size
        found = bench.run(f"{n} rows, mapped", fit_mapped, path=path, y=y, d=_D, q=_MAPPED_Q)
    f = found.figures
    head = ["rows", "file, MB", "seconds", "CPU seconds", "MB beyond the file", "iterations"]
    row = [f"{n:,}", f"{size / 1e6:.0f}", seconds(found)]
    row += [cpu_seconds(found), f"{megabytes(found):.0f}"]
    row += [str(f.get("iterations", ""))]
    memory = None if found.peak is None else megabytes(found)
    return Part(
        f"Memory: float32 rows in a `numpy.memmap`, {_D} columns, q = {_MAPPED_Q}",
        markdown([*head, "ended"], [[*row, f.get("status", found.status).lower()]]),
        [Goal("anonymous memory at its peak", memory, 1000.0, unit=" MB")],
    )


def measure_wide(bench: Bench) -> Part:
    """A sparse table, and a dense one beside PCA."""
    n, d = map(bench.size, _SPARSE)
    sparse = bench.run(f"sparse, {n} x {d}", fit_sparse, n=n, d=d, q=_Q)
    short, wide = round(_DENSE[0]), bench.size(_DENSE[1])
    table = {"n": short, "d": wide, "q": _Q, "wide": True}
    ours, pca = bench.pair(("ours", "pca-full"), fit_table, **table)
    rows = [
        _row(f"sparse, 0.2 %, {n:,} x {d:,}", "SupervisedHSIC", sparse),
        _row(f"dense, {short:,} x {wide:,}", "SupervisedHSIC", ours),
        _row(f"dense, {short:,} x {wide:,}", "PCA, full SVD", pca),
    ]
    head = ["table", "method", "seconds", "CPU seconds", "MB beyond X", "iterations", "ended"]
    memory = None if sparse.peak is None else megabytes(sparse)
    ratio = None
    if ours.seconds is not None and pca.seconds:
        ratio = ours.seconds / pca.seconds
    return Part(
        f"Wide tables, q = {_Q}",
        markdown(head, rows),
        [
            Goal("sparse: memory beyond X", memory, 1000.0, unit=" MB"),
            Goal("dense: time over that of a full PCA", ratio, 3.0),
        ],
    )


def _row(table: str, method: str, found: Outcome) -> list[str]:
    f = found.figures
    row = [table, method, seconds(found), cpu_seconds(found)]
    row += [f"{megabytes(found):.0f}", str(f.get("iterations", ""))]
    return [*row, f.get("status", found.status).lower()]
