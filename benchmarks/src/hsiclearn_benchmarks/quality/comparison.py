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
from .suite import Suite, our_code, their_code

__all__ = ["measure_fresh", "measure_further", "measure_sets"]

_SEEDS = (0, 1, 2)
_RANK_DESIGN, _RANK_FURTHER, _GAP = 1.6, 1.9, 2.5


def measure_sets(suite: Suite) -> Part:
    """The sets the rules were designed on."""
    standings, notes = _standings(suite, "sets")
    done = [s for s in standings if s.is_complete]
    worse = sum(s.comparison.verdict.endswith("worse") for s in done)
    gap = max((s.comparison.gap for s in done), default=None)
    whole = len(done) == len(standings)
    goals = [
        Goal(f"mean rank on {len(standings)} sets", _our_rank(standings), _RANK_DESIGN),
        Goal("sets that are significantly worse", worse if whole else None, 0.0),
        Goal("largest gap to the best rival", gap if whole else None, _GAP, unit=" points"),
    ]
    return _part("Sets the rules were designed on", suite, standings, goals, notes)


def measure_further(suite: Suite) -> Part:
    """The sets that nothing was chosen by at first."""
    standings, notes = _standings(suite, "further")
    rank = _our_rank(standings)
    goals = [Goal(f"mean rank on {len(standings)} further sets", rank, _RANK_FURTHER)]
    return _part("Further sets", suite, standings, goals, notes)


def measure_fresh(suite: Suite) -> Part:
    """The sets that nothing was chosen by."""
    standings, notes = _standings(suite, "fresh")
    return _part("Fresh sets, which nothing was chosen by", suite, standings, [], notes)


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
            our_code() if method == OURS else their_code(),
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


def _part(
    title: str, suite: Suite, standings: Sequence[Standing], goals: list[Goal], notes: list[str]
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
            'Ranks are among the reducers; "all columns" is not one, and has its own ranks. The '
            "gap is ours less the best rival's. The verdict is the corrected resampled t-test of "
            "Nadeau and Bengio, two-sided at 5 %.",
            *notes,
        ],
    )


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
    head = ["method", "sets", "mean rank", *(f"seed {seed}" for seed in seeds), "with all columns"]
    rows = []
    for key, method in METHODS.items():
        count = sum(key in s.errors for s in standings)
        by_seed = [mean_rank(standings, key, seed=place) for place in range(len(seeds))]
        places = [mean_rank(standings, key), *by_seed, mean_rank(standings, key, with_raw=True)]
        rows.append([method.title, str(count), *map(_text, places)])
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
