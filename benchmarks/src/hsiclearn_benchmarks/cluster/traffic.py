"""What travels in a fit: bytes of tasks and answers, whatever the number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from hsiclearn import Objective, SupervisedHSIC
from hsiclearn._rows import as_rows
from hsiclearn.gamma import ClassTable, GaussianColumn
from hsiclearn.kernels import Gaussian

from ..parts import Goal, Part, markdown
from .data import KINDS, in_chunks, planted
from .given import Given
from .trace import Fold, Trace, traced

__all__ = ["measure_traffic"]

_N, _TIMES = 1e5, 10
_D, _CHUNKS, _BANDWIDTH = 20, 8, 4.0
_PASSES = ("gather", "scatter")


def measure_traffic(given: Given) -> Part:
    """One evaluation of the same rows once and ten times, so that only their number differs."""
    passes, fits, goals = [], [], []
    for kind in KINDS:
        n = given.rows(_N)
        X, y = planted(n, _D, kind)
        each = []
        for times in (1, _TIMES):
            given.tell(f"{kind}, {times * n} rows")
            table = in_chunks(np.tile(X, (times, 1)), np.tile(y, times), _CHUNKS)
            folds = evaluation_of(*table, kind)
            passes += [_line(kind, times * n, fold.name, [fold]) for fold in folds]
            each.append(sum(map(_all, folds)))
            fits += _lines(kind, times * n, fit_of(*table))
        apart = 100.0 * abs(each[1] / each[0] - 1.0)
        goals.append(Goal(f"{kind}: an evaluation, few rows and many apart", apart, 1.0, unit=" %"))
    head = ["target", "rows", "pass", "how many", "task", "answer of a chunk", "what comes back"]
    head += ["in all"]
    return Part(
        f"Traffic: bytes, {_D} columns, q = 2, {_CHUNKS} chunks",
        f"One evaluation of the cost and Phi:\n\n{markdown(head, passes)}\n\n"
        f"A fit, in the mean over the passes of a name:\n\n{markdown(head, fits)}",
        goals,
        notes=[
            f"The many rows are the few ones, {_TIMES} times: a larger draw reaches further, which "
            "can ask for more features.",
            "In all: the task once, the answers of all chunks and of all merges.",
            "`take` fetches rows for samples and candidates. X and y themselves go to the workers "
            f"once if they are not there, and are not counted. The bandwidth is {_BANDWIDTH:g}.",
        ],
    )


def evaluation_of(X: Any, y: Any, kind: str) -> list[Fold]:
    """The passes that one cost and Phi take, once all is there that does not depend on W."""
    rows = as_rows(X)
    column = rows.beside(y, "y")
    make = ClassTable.centered if kind == "classes" else partial(GaussianColumn, bandwidth=1.0)
    objective = Objective(rows, make(column), Gaussian(_BANDWIDTH), "nystrom", n_components=2)
    objective.phi(np.eye(_D)[:, 2:4])
    with traced() as trace:
        objective.phi(np.eye(_D)[:, :2])
    return [fold for fold in trace.folds if fold.name in _PASSES]


def fit_of(X: Any, y: Any) -> Trace:
    """A fit, with all that was asked on the way."""
    with traced() as trace:
        SupervisedHSIC(2, engine="nystrom", bandwidth=_BANDWIDTH).fit(X, y)
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


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
