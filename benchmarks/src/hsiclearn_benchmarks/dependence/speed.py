"""Time, memory and error of one test: beside hyppo's, and at numbers of rows it cannot have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hsiclearn import HsicTestResult, hsic_estimate, hsic_test

from .._types import Figures, FloatArray
from ..alone import Meter, Outcome
from ..bench import Bench, megabytes, seconds
from ..parts import Goal, Part, markdown

__all__ = ["measure_accuracy", "measure_rows", "measure_speed"]

_SIZES = (1000, 2000, 5000)
_D = 5
_SMALL = 50  # rows; whatever is compiled or cached is so before the clock runs
_EXACT_ROWS = 20_000
_CASES = [(d, kernel) for kernel in ("gaussian", "distance") for d in (1, 2, 3, 5, 10, 50)]
_BIASED = {"estimator": "biased"}  # whose error is on one side only
_DRAWN = _BIASED | {"method": "permutation", "n_permutations": 100}
_MANY: tuple[tuple[str, float, int, dict[str, Any]], ...] = (
    ("gamma", 1e5, 1, _BIASED),
    ("gamma", 1e6, 1, _BIASED),
    ("gamma", 1e6, 3, _BIASED),
    ("gamma", 1e6, 10, _BIASED),
    ("gamma", 1e6, 50, _BIASED),
    ("permutation, 100 orders", 1e5, 3, _DRAWN),
    ("permutation, 100 orders", 1e6, 1, _DRAWN),
    ("normal", 1e6, 10, {"engine": "block"}),
)


def measure_speed(bench: Bench) -> Part:
    """Both in turn, each in its own process."""
    rows, goals = [], []
    for n in (bench.size(n) for n in _SIZES):
        ours, hyppo = bench.pair(("ours", "hyppo"), independence_test, n=n, d=_D)
        rows.append([f"{n:,}", *_cells(ours), *_cells(hyppo), _ratio(hyppo, ours)])
    ratio = hyppo.seconds / ours.seconds if hyppo.seconds and ours.seconds else None
    goals.append(Goal(f"times faster than hyppo at {n:,} rows", ratio, 20.0, at_most=False))
    goals.append(Goal(f"memory at {n:,} rows", megabytes(ours), 100.0, unit=" MB"))
    head = ["rows", "seconds", "MB", "hyppo, seconds", "hyppo, MB", "times faster"]
    return Part(
        f"One test of independence, {_D} columns against 1, defaults of both",
        markdown(head, rows),
        goals=goals,
        notes=["Memory is what is needed beyond the data. hyppo's test is its chi-square one."],
    )


def _cells(outcome: Outcome) -> list[str]:
    return [seconds(outcome), f"{megabytes(outcome):.0f}"]


def _ratio(slow: Outcome, fast: Outcome) -> str:
    return f"{slow.seconds / fast.seconds:.1f}" if slow.seconds and fast.seconds else ""


def measure_rows(bench: Bench) -> Part:
    """Tests in linear time."""
    rows, ended = [], []
    for name, size, d, options in bench.some(_MANY, 2):
        n = bench.size(size)
        what = f"{name}, {n} rows, {d} columns"
        outcome = bench.run(what, independence_test, method="ours", n=n, d=d, options=options)
        ended.append(outcome.finished)
        rows.append([name, f"{n:,}", d, *_described(outcome)])
    head = ["method", "rows", "columns", "engine", "features", "seconds", "MB"]
    return Part(
        "Many rows, biased statistic and engine='auto' but for the last line",
        markdown([*head, "error / statistic", "p-value"], rows),
        goals=[Goal("tests that finished", float(sum(ended)), float(len(ended)), at_most=False)],
        notes=[
            "The error is a guaranteed bound for nystrom, and the standard error for block. A "
            "bound above 1 says that landmarks ran out: the statistic is that of a coarser kernel, "
            "and the p-value is valid for it."
        ],
    )


def _described(outcome: Outcome) -> list[str]:
    """The engine, its features, time, memory, error and p-value; or how it ended."""
    if not outcome.finished:
        return ["", "", seconds(outcome), "", "", ""]
    found = outcome.figures
    features = [str(k) for k in found["n_features"] if k is not None]
    return [
        str(found["engine"]),
        " + ".join(features),
        *_cells(outcome),
        f"{found['error'] / found['statistic']:.1e}",
        f"{found['pvalue']:.1e}",
    ]


def measure_accuracy(bench: Bench) -> Part:
    """Linear time beside all pairs: how far off, and how far off it says it may be."""
    n, rows, outside = bench.size(_EXACT_ROWS), [], 0
    for d, kernel in bench.some(_CASES, 2):
        X, y = _related_rows(n, d)
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


def _related_rows(n: int, d: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """X, and a y that depends on its first column, weakly enough to need thousands of rows."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, 0.2 * np.sin(2.0 * X[:, :1]) + rng.standard_normal((n, 1))


def independence_test(
    meter: Meter, *, method: str, n: int, d: int, options: dict[str, Any] | None = None
) -> Figures:
    """One test; ``method`` is "hyppo", or "ours" with options of ``hsic_test``."""
    X, y = _related_rows(n, d)
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
