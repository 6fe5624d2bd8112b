"""Time and memory of one test: beside hyppo's, and at numbers of rows it cannot have."""

from __future__ import annotations

from typing import Any

from ..part import Goal, Part
from ..scale.alone import Outcome
from ..scale.part import Bench, megabytes, seconds
from ..tables import markdown
from .tasks import independence_test

__all__ = ["measure_rows", "measure_speed"]

_SIZES = (1000, 2000, 5000)
_D = 5
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
