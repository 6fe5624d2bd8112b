"""More columns than rows: sparse beyond what d x d could hold, and dense beside a full SVD."""

from __future__ import annotations

from ..tables import markdown
from .alone import Outcome
from .part import Bench, Goal, Part, cpu_seconds, megabytes, seconds
from .tasks import fit_sparse, fit_table

__all__ = ["measure_wide"]

_SPARSE = (2e4, 5e4)
_DENSE = (500, 2e4)
_Q = 2


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
