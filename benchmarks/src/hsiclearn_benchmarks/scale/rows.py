"""Time and memory against the number of rows, beside LDA; and who else gets how far."""

from __future__ import annotations

import numpy as np

from ..alone import Limits, Outcome
from ..bench import Bench, Curve, cpu_seconds, end_of, megabytes, seconds
from ..parts import Goal, Part, markdown
from .methods import METHODS
from .tasks import fit_table

__all__ = ["measure_rivals", "measure_rows"]

_SIZES = (1e4, 3e4, 1e5, 3e5, 1e6)
_RIVAL_SIZES = (1e4, 1e5, 1e6)
_RIVALS = ("ours", "lda", "pca", "pls", "kernel-pca", "nca", "lmnn", "mlkr")
_D, _Q = 50, 4


def measure_rows(bench: Bench) -> Part:
    """Full fits at the median bandwidth, all else at its default."""
    ours: Curve = []
    lda: Curve = []
    for n in map(bench.size, bench.some(_SIZES, 2)):
        pair = bench.pair(("ours", "lda"), fit_table, n=n, d=_D, q=_Q)
        for curve, outcome in zip((ours, lda), pair, strict=True):
            curve.append((n, outcome))
    head = [
        "rows",
        "seconds",
        "CPU seconds",
        "LDA, seconds",
        "its CPU",
        "ratio to LDA",
        "MB beyond X",
    ]
    head += ["iterations", "engine", "features", "bound on Phi", "bound on the angle"]
    body = [_row(n, mine, theirs) for (n, mine), (_, theirs) in zip(ours, lda, strict=True)]
    return Part(
        f'Rows: {_D} columns, 5 classes, q = {_Q}, SupervisedHSIC(bandwidth="median")',
        markdown(head, body),
        _goals(ours, lda),
        curves={"SupervisedHSIC": ours, "LDA": lda},
        notes=[
            "Every figure is that of the run of median time; each run is a fresh process.",
            f"The exponent of LDA is {_text(_exponent(lda)) or 'not known'} over all sizes.",
        ],
    )


def _row(n: int, mine: Outcome, theirs: Outcome) -> list[str]:
    row = [f"{n:,}", seconds(mine), cpu_seconds(mine), seconds(theirs), cpu_seconds(theirs)]
    row += [_text(_ratio(mine, theirs)), f"{megabytes(mine):.0f}"]
    if not mine.finished:
        return row + [""] * 5
    f = mine.figures
    row += [str(f["iterations"]), f["engine"], str(f["n_features"])]
    return [*row, f"{f['relative']:.1e}", f"{f['angle']:.1e}"]


def _goals(ours: Curve, lda: Curve) -> list[Goal]:
    (n, last), (_, theirs) = ours[-1], lda[-1]
    memory = None if last.peak is None else megabytes(last)
    return [
        Goal("exponent of time in the rows, all sizes", _exponent(ours), 1.05),
        Goal(f"the same, from {ours[-3:][0][0]:,} rows on", _exponent(ours[-3:]), 1.05),
        Goal(f"ratio to LDA at {n:,} rows", _ratio(last, theirs), 1.5),
        Goal(f"memory beyond X at {n:,} rows", memory, 150.0, unit=" MB"),
    ]


def _exponent(curve: Curve) -> float | None:
    """The slope of log time on log n, by least squares."""
    points = [(n, o.seconds) for n, o in curve if o.seconds is not None]
    if len(points) < 2:
        return None
    rows, times = np.log(np.array(points, dtype=float)).T
    return float(np.polyfit(rows, times, 1)[0])


def _ratio(mine: Outcome, theirs: Outcome) -> float | None:
    if mine.seconds is None or not theirs.seconds:
        return None
    return mine.seconds / theirs.seconds


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def measure_rivals(bench: Bench) -> Part:
    """Every method at every size; nothing but the limits ends one."""
    sizes = [bench.size(n) for n in bench.some(_RIVAL_SIZES)]
    curves: dict[str, Curve] = {}
    for key in _RIVALS:
        method = METHODS[key]
        curves[method.title] = [(n, _outcome(bench, key, n)) for n in sizes if method.is_installed]
    rows = [
        [title, *([_cell(o) for _, o in curve] or ["not installed"] * len(sizes))]
        for title, curve in curves.items()
    ]
    failed = {
        f"{title}: {end_of(o)}"
        for title, curve in curves.items()
        for _, o in curve
        if o.status == "failed"
    }
    limits = f"Limits of one fit: {bench.limit:g} s, {Limits().bytes / 1e9:g} GB beyond X."
    return Part(
        f"Rivals: {_D} columns, 5 classes, q = {_Q}, everyone at their defaults but our "
        'bandwidth="median"',
        markdown(["method", *(f"{n:,} rows" for n in sizes)], rows),
        curves={title: curve for title, curve in curves.items() if curve},
        notes=[limits, *sorted(failed)],
    )


def _outcome(bench: Bench, key: str, n: int) -> Outcome:
    name = f"{METHODS[key].title}, {n} rows"
    return bench.run(name, fit_table, limited=True, method=key, n=n, d=_D, q=_Q)


def _cell(outcome: Outcome) -> str:
    return f"{outcome.seconds:.3g} s" if outcome.finished else outcome.status
