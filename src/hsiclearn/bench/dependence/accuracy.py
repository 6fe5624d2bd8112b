"""Linear time beside all pairs: how far off, and how far off it says it may be."""

from __future__ import annotations

from ..._measure import hsic_estimate
from ..part import Goal, Part
from ..scale.part import Bench
from ..tables import markdown
from .tasks import related_rows

__all__ = ["measure_accuracy"]

_ROWS = 20_000
_CASES = [(d, kernel) for kernel in ("gaussian", "distance") for d in (1, 2, 3, 5, 10, 50)]


def measure_accuracy(bench: Bench) -> Part:
    """The same value twice."""
    n, rows, outside = bench.size(_ROWS), [], 0
    for d, kernel in bench.some(_CASES, 2):
        X, y = related_rows(n, d)
        bench.tell(f"{kernel}, {d} columns")
        exact = hsic_estimate(X, y, kernel_x=kernel, kernel_y=kernel, engine="tiled").value
        found = hsic_estimate(X, y, kernel_x=kernel, kernel_y=kernel, engine="nystrom")
        outside += not found.value * (1 - 1e-10) <= exact <= found.value + found.error
        off, bound = (exact - found.value) / exact, found.error / exact
        features = f"{found.n_features_x} + {found.n_features_y}"
        rows.append([kernel, d, f"{exact:.4e}", features, f"{off:.1e}", f"{bound:.1e}"])
    head = ["kernel", "columns", "HSIC", "features", "missing", "error stated"]
    return Part(
        f"engine='nystrom' beside all pairs, {n:,} rows; errors as shares of the value",
        markdown(head, rows),
        goals=[Goal("values outside of what was stated", float(outside), 0.0)],
    )
