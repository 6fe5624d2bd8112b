"""What runs in a process of its own: make the data, test under the meter, hand back figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..._arrays import FloatArray
from ..._measure import HsicTestResult, hsic_test
from ..measure import Figures
from ..scale.alone import Meter

__all__ = ["independence_test", "related_rows"]

_SMALL = 50  # rows; whatever is compiled or cached is so before the clock runs


def related_rows(n: int, d: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """X, and a y that depends on its first column, weakly enough to need thousands of rows."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, 0.2 * np.sin(2.0 * X[:, :1]) + rng.standard_normal((n, 1))


def independence_test(
    meter: Meter, *, method: str, n: int, d: int, options: dict[str, Any] | None = None
) -> Figures:
    """One test; ``method`` is "hyppo", or "ours" with options of ``hsic_test``."""
    X, y = related_rows(n, d)
    test = _TESTS[method]
    test(X[:_SMALL], y[:_SMALL], {})
    with meter.running():
        figures = test(X, y, options or {})
    return figures


def _ours(X: FloatArray, y: FloatArray, options: dict[str, Any]) -> Figures:
    result: HsicTestResult = hsic_test(X, y, **options)
    estimate = result.estimate
    return {
        "statistic": result.statistic,
        "pvalue": result.pvalue,
        "error": result.error,
        "engine": result.engine,
        "n_features": (estimate.n_features_x, estimate.n_features_y),
    }


def _hyppo(X: FloatArray, y: FloatArray, options: dict[str, Any]) -> Figures:
    from hyppo.independence import Hsic

    found = Hsic().test(X, y)
    return {"statistic": float(found.stat), "pvalue": float(found.pvalue)}


_TESTS: dict[str, Callable[[FloatArray, FloatArray, dict[str, Any]], Figures]] = {
    "ours": _ours,
    "hyppo": _hyppo,
}
