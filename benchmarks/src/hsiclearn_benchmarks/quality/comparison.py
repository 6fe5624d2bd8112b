"""Errors on held-out rows beside the rivals' at the same dimension, on every part of the sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .._types import Figures
from ..parts import Goal, Part, markdown
from ..units import Unit, problems
from .errors import N_FOLDS, cross_validate
from .methods import METHODS, OURS, RAW, methods_for
from .sets import QualitySet, load_rows, sets_of
from .standing import Standing, mean_rank
from .suite import Suite

__all__ = ["measure_design", "measure_fresh", "measure_further", "measure_sets"]

_SEEDS = (0, 1, 2)
_RANK = 2.0  # of ours on the design sets, at most
_WORSE_DESIGN, _WORSE_FRESH = 0.0, 1.0  # sets, at most


def measure_sets(suite: Suite) -> Part:
    """The first of the sets the rules were designed on."""
    return _part("First design sets", suite, *_standings(suite, "sets"), [])


def measure_further(suite: Suite) -> Part:
    """The others, which nothing was chosen by at first."""
    return _part("Further design sets", suite, *_standings(suite, "further"), [])


def measure_design(suite: Suite) -> Part:
    """All sets the rules were designed on: the ranks, and what was asked for."""
    first, notes = _standings(suite, "sets")
    further, more = _standings(suite, "further")
    standings = [*first, *further]
    goals = [
        Goal(f"mean rank on {len(standings)} design sets", _our_rank(standings), _RANK),
        Goal("sets that are significantly worse", _worse(standings), _WORSE_DESIGN),
    ]
    return Part(
        f"All {len(standings)} design sets together",
        _ranks(standings, suite.some(_SEEDS)),
        goals,
        [_RANKS, *notes, *more],
    )


def measure_fresh(suite: Suite) -> Part:
    """The sets that nothing was chosen by."""
    standings, notes = _standings(suite, "fresh")
    ahead = None if _our_rank(standings) is None else len(_ahead(standings))
    goals = [
        Goal("reducers with a lower mean rank", ahead, 0.0),
        Goal("sets that are significantly worse", _worse(standings), _WORSE_FRESH),
    ]
    return _part("Fresh sets, which nothing was chosen by", suite, standings, notes, goals)


def _standings(suite: Suite, part: str) -> tuple[list[Standing], list[str]]:
    chosen = [s for s in sets_of(part, quick=suite.quick) if not suite.only or s.name in suite.only]
    for data in chosen:  # here, so that a table that cannot be had is an error, not a failed unit
        load_rows(data.name)
    seeds = suite.some(_SEEDS)
    units = [
        Unit(
            _name(data, method, seed),
            cross_validate,
            {"data": data.name, "method": method, "seed": seed},
            METHODS[method].code(),
        )
        for seed in seeds
        for data in chosen
        for method in methods_for(data)
    ]
    found = suite.run(part, units)
    return [_standing(data, seeds, found) for data in chosen], problems(found)


def _name(data: QualitySet, method: str, seed: int) -> str:
    return f"{data.name}, {method}, seed {seed}"


def _standing(data: QualitySet, seeds: Sequence[int], found: Mapping[str, Figures]) -> Standing:
    """A method that failed with one seed does not take part."""
    figures = {m: [found[_name(data, m, seed)] for seed in seeds] for m in methods_for(data)}
    figures = {m: some for m, some in figures.items() if not any("problem" in f for f in some)}
    return Standing(
        data,
        {m: [f["error"] for f in some] for m, some in figures.items()},
        {m: float(np.median([f["seconds"] for f in some])) for m, some in figures.items()},
    )


def _our_rank(standings: Sequence[Standing]) -> float | None:
    """None unless there is one on every set, with all rivals."""
    complete = all(s.is_complete for s in standings)
    return mean_rank(standings, OURS) if complete else None


def _worse(standings: Sequence[Standing]) -> int | None:
    """Sets on which ours is significantly worse than the best rival; None unless all are there."""
    if not all(s.is_complete for s in standings):
        return None
    return sum(s.comparison.verdict.endswith("worse") for s in standings)


def _ahead(standings: Sequence[Standing]) -> list[str]:
    """Rivals whose mean rank, on the sets they took part in, is lower than ours on all."""
    places = {key: mean_rank(standings, key) for key in METHODS if key != RAW}
    ours = places[OURS]
    if ours is None:
        return []
    return [key for key, place in places.items() if place is not None and place < ours]


_RANKS = (
    'Ranks are among the reducers; "all columns" is not one, and has its own ranks. "ours there" '
    "is the mean rank of SupervisedHSIC on the sets the method took part in."
)


def _part(
    title: str, suite: Suite, standings: Sequence[Standing], notes: list[str], goals: list[Goal]
) -> Part:
    """A choice of sets has no goals: they are for all."""
    folds = N_FOLDS * len(suite.some(_SEEDS))
    return Part(
        f"{title}: error in % on held-out rows, mean of {folds} folds",
        "\n\n".join(
            [_errors(standings), _ranks(standings, suite.some(_SEEDS)), _seconds(standings)]
        ),
        [] if suite.only else goals,
        notes=[
            "An error is the mean of a support vector machine's and of 5 nearest neighbours', both "
            "at scikit-learn's defaults, after the reduction to q dimensions; of a real target "
            "(q with an asterisk) the mean square over the variance.",
            _RANKS,
            "The gap is ours less the best rival's. The verdict is the corrected resampled t-test "
            "of Nadeau and Bengio, two-sided at 5 %.",
            *_limits(standings),
            *notes,
        ],
    )


def _limits(standings: Sequence[Standing]) -> list[str]:
    """The rules by size that left a cell empty."""
    shapes = [load_rows(s.data.name)[0].shape for s in standings]
    return [
        f"{m.title} is left out by size, by a rule fixed before its errors were seen: {m.limit}."
        for m in METHODS.values()
        if not all(m.takes(n, d) for n, d in shapes)
    ]


def _errors(standings: Sequence[Standing]) -> str:
    head = ["set", "rows", "columns", "q", *(m.title for m in METHODS.values())]
    head += ["our rank", "with all columns", "best rival", "gap", "p", "verdict"]
    return markdown(head, [_error_row(s) for s in standings])


def _error_row(standing: Standing) -> list[str]:
    data = standing.data
    n, d = load_rows(data.name)[0].shape
    row = [data.name, str(n), str(d), f"{data.q}{'' if data.has_classes else '*'}"]
    row += [f"{standing.error(m):.2f}" if m in standing.errors else "" for m in METHODS]
    if not standing.has_contest:
        return [*row, *[""] * 6]
    gap, p_value, verdict = standing.comparison
    row += [f"{standing.ranks(with_raw=raw)[OURS]:g}" for raw in (False, True)]
    return [*row, METHODS[standing.best_rival].title, f"{gap:+.2f}", f"{p_value:.3f}", verdict]


def _ranks(standings: Sequence[Standing], seeds: Sequence[int]) -> str:
    head = ["method", "sets", "mean rank", "ours there"]
    head += [*(f"seed {seed}" for seed in seeds), "with all columns"]
    rows = []
    for key, method in METHODS.items():
        entered = [s for s in standings if key in s.errors]
        places = [mean_rank(entered, key), mean_rank(entered, OURS)]
        places += [mean_rank(entered, key, seed=place) for place in range(len(seeds))]
        places += [mean_rank(entered, key, with_raw=True)]
        rows.append([method.title, str(len(entered)), *map(_text, places)])
    return markdown(head, rows)


def _seconds(standings: Sequence[Standing]) -> str:
    reducers = {key: m.title for key, m in METHODS.items() if key != RAW}
    rows = [
        [s.data.name, *(f"{s.seconds[k]:.2g}" if k in s.seconds else "" for k in reducers)]
        for s in standings
    ]
    return markdown(["seconds per fit, median", *reducers.values()], rows)


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
