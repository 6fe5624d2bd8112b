"""Who gets how far: methods of the same purpose on more and more rows, within limits."""

from __future__ import annotations

from ..tables import markdown
from .alone import Limits, Outcome
from .methods import METHODS
from .part import Bench, Curve, ScalePart, end_of
from .tasks import fit_table

__all__ = ["measure_rivals"]

_SIZES = (1e4, 1e5, 1e6)
_D, _Q = 50, 4
_KEYS = ("ours", "lda", "pca", "pls", "kernel-pca", "nca", "lmnn", "mlkr")


def measure_rivals(bench: Bench) -> ScalePart:
    """Every method at every size; nothing but the limits ends one."""
    sizes = [bench.size(n) for n in bench.some(_SIZES)]
    curves: dict[str, Curve] = {}
    for key in _KEYS:
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
    return ScalePart(
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
