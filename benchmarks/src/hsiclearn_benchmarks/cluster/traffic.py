"""What travels in a fit: bytes of tasks and answers, whatever the number of rows."""

from __future__ import annotations

from collections.abc import Sequence

from hsiclearn import SupervisedHSIC

from ..parts import Goal, Part, markdown
from .data import KINDS, in_chunks, planted
from .given import Given
from .trace import Fold, Trace, traced

__all__ = ["measure_traffic"]

_SIZES = (1e5, 1e6)
_D, _CHUNKS, _BANDWIDTH = 20, 8, 4.0
_PASSES = ("gather", "scatter")


def measure_traffic(given: Given) -> Part:
    """The same chunks of more rows each; the bandwidth is given, so that fits take one path."""
    rows, goals = [], []
    for kind in KINDS:
        found = {}
        for n in map(given.rows, _SIZES):
            given.tell(f"{kind}, {n} rows")
            found[n] = trace_of(n, kind)
            rows += _lines(kind, n, found[n])
        few, many = found.values()
        apart = max(abs(_each(many, p) / _each(few, p) - 1.0) for p in _PASSES)
        goals.append(
            Goal(f"{kind}: bytes of a pass, few rows and many apart", 100 * apart, 1, unit=" %")
        )
    head = ["target", "rows", "pass", "how many", "task", "answer of a chunk", "what comes back"]
    return Part(
        f"Traffic: bytes, {_D} columns, q = 2, {_CHUNKS} chunks",
        markdown([*head, "in all"], rows),
        goals,
        notes=[
            "In the mean over the passes of a name; in all: the task once, the answers of all "
            "chunks and of all merges, over the fit.",
            "`take` fetches rows: samples, which are as large for any number of rows beyond.",
            "Without the column y and without X, which go to the workers once if they are not "
            f"there. The bandwidth is {_BANDWIDTH:g}.",
        ],
    )


def trace_of(n: int, kind: str, d: int = _D, n_chunks: int = _CHUNKS) -> Trace:
    """A fit, with all that was asked on the way."""
    collections = in_chunks(*planted(n, d, kind), n_chunks)
    model = SupervisedHSIC(2, engine="nystrom", bandwidth=_BANDWIDTH)
    with traced() as trace:
        model.fit(*collections)
    return trace


def _lines(kind: str, n: int, trace: Trace) -> list[list[str]]:
    names = dict.fromkeys(fold.name for fold in trace.folds)
    others = [name for name in names if name not in (*_PASSES, "take")]
    lines = [_line(kind, n, name, trace.of(name)) for name in (*_PASSES, "take") if name in names]
    rest = [fold for name in others for fold in trace.of(name)]
    if rest:
        lines.append(_line(kind, n, "others", rest))
    return [*lines, _line(kind, n, "the whole fit", trace.folds, whole=True)]


def _line(kind: str, n: int, name: str, folds: Sequence[Fold], *, whole: bool = False) -> list[str]:
    means = [_mean([f.task_bytes for f in folds]), _mean([f.share_bytes for f in folds])]
    means.append(_mean([f.answer for f in folds]))
    cells = [""] * 3 if whole else [f"{mean:,.0f}" for mean in means]
    return [kind, f"{n:,}", name, str(len(folds)), *cells, f"{sum(map(_all, folds)):,}"]


def _all(fold: Fold) -> int:
    return fold.task_bytes + sum(call.bytes for call in [*fold.shares, *fold.merges])


def _each(trace: Trace, name: str) -> float:
    return _mean([_all(fold) for fold in trace.of(name)])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
