"""What the automatic choices cost: a fit at its defaults beside one with nothing to choose."""

from __future__ import annotations

import time

import numpy as np
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC

from .._types import Array, Figures, FloatArray
from ..parts import Goal, Part, markdown
from ..scale.data import planted_rows
from ..units import Unit, problems
from .sets import SETS, load_rows
from .suite import Suite, our_code

__all__ = ["measure_cost", "time_many_rows", "time_set"]

_SETS = ("wine", "xor", "sine", "diabetes", "bc", "glass", "digits")
_ROWS, _D, _Q = (20_000, 100_000), 50, 4
_QUICK_ROWS = 2_000
_REPEATS = 5
_WARM = 150  # rows of a fit before the clock runs: what is loaded late is loaded then
_BOUND_FEW, _BOUND_MANY = 25.0, 3.0


def time_set(*, data: str, repeats: int) -> Figures:
    """Seconds of all fits on a set."""
    X, y = load_rows(data)
    return _times(StandardScaler().fit_transform(X), y, SETS[data].q, repeats)


def time_many_rows(*, n: int, repeats: int) -> Figures:
    """Seconds of all fits on planted classes."""
    return _times(*planted_rows(n, _D), _Q, repeats)


def _times(X: FloatArray, y: Array, q: int, repeats: int) -> Figures:
    """In turn, so that a noisy machine troubles all; ratios are medians over the rounds.

    *chosen* is one fit with the bandwidth that was chosen: the same problem, only without the
    choice. A fine bandwidth takes longer to fit than the median distance does, whoever chose it.
    """
    some = np.linspace(0, len(X) - 1, min(_WARM, len(X))).astype(int)  # rows of all classes
    models = {
        "default": SupervisedHSIC(n_components=q),
        "median": SupervisedHSIC(n_components=q, bandwidth="median"),
    }
    for model in models.values():
        model.fit(X[some], y[some])
    bandwidth = models["default"].fit(X, y).bandwidth_
    models["chosen"] = SupervisedHSIC(n_components=q, bandwidth=bandwidth)
    seconds: Figures = {key: [] for key in models}
    for _ in range(repeats):
        for key, model in models.items():
            began = time.perf_counter()
            model.fit(X, y)
            seconds[key].append(time.perf_counter() - began)
    ratios = {
        f"over {key}": float(np.median(np.divide(seconds["default"], seconds[key])))
        for key in ("chosen", "median")
    }
    return seconds | ratios


def measure_cost(suite: Suite) -> Part:
    """Sets of few rows, where the choice may take long, and many rows, where it must not."""
    repeats = 1 if suite.quick else _REPEATS
    few = [_set_unit(name, repeats) for name in suite.some(_SETS)]
    sizes = (_QUICK_ROWS,) if suite.quick else _ROWS
    many = [
        Unit(
            f"{n:,} rows, median of {repeats}",
            time_many_rows,
            {"n": n, "repeats": repeats},
            our_code(),
        )
        for n in sizes
    ]
    found = suite.run("cost", [*few, *many], alone=True)
    goals = [Goal("largest ratio, few rows", _largest(few, found), _BOUND_FEW)]
    goals += [
        Goal(f"ratio at {n:,} rows", _largest([unit], found), _BOUND_MANY)
        for n, unit in zip(sizes, many, strict=True)
    ]
    rows = [_row(unit.name, found[unit.name]) for unit in [*few, *many]]
    return Part(
        "Cost of the defaults, beside one fit with nothing to choose",
        markdown(
            ["data", "default, s", "chosen bandwidth, s", "median, s", "ratio", "to median"], rows
        ),
        goals,
        [
            "All are fitted in turn in one process, with all cores; seconds and ratios are "
            "medians. The goals are about the ratio to one fit with the bandwidth that was chosen. "
            f"Many rows are planted, {_D} columns, q = {_Q}.",
            *problems(found),
        ],
    )


def _set_unit(name: str, repeats: int) -> Unit:
    load_rows(name)  # here, so that a table that cannot be had is an error, not a failed unit
    return Unit(
        f"{name}, median of {repeats}", time_set, {"data": name, "repeats": repeats}, our_code()
    )


def _largest(units: list[Unit], found: dict[str, Figures]) -> float | None:
    """None unless all are there."""
    figures = [found[unit.name] for unit in units]
    return None if any("problem" in f for f in figures) else max(f["over chosen"] for f in figures)


def _row(name: str, figures: Figures) -> list[str]:
    if "problem" in figures:
        return [name, "failed", "", "", "", ""]
    seconds = (f"{np.median(figures[key]):.3g}" for key in ("default", "chosen", "median"))
    return [name, *seconds, *(f"{figures[f'over {key}']:.1f}" for key in ("chosen", "median"))]
