"""The part of the page that says what was found, in figures people know."""

from __future__ import annotations

import math
from typing import Any

from .account import found_words
from .html import Markup, element, table
from .sections import section
from .words import number, percent

__all__ = ["meaning", "neighbour_words"]

Figures = dict[str, Any]


def meaning(figures: Figures) -> Markup:
    """What was found: how well rows held out are known from the directions, or which clusters."""
    words = [*found_words(figures), *neighbour_words(figures)]
    return section(
        "meaning",
        "What it means",
        *(element("p", told) for told in words),
        _neighbours(figures),
    )


def neighbour_words(figures: Figures) -> list[str]:
    """How a row is predicted from its neighbours, and how the two predictions compare."""
    neighbours = (figures["selection"] or {}).get("neighbours")
    if neighbours is None:
        return []
    k, inside, everywhere = (
        neighbours[key] for key in ("n_neighbors", "in_subspace", "on_all_columns")
    )
    how = "vote" if neighbours["measure"] == "accuracy" else "mean"
    words = (
        f"Each row held out is predicted by the {how} of the {k} rows nearest to it among the "
        "others: once by distances in these directions, once by distances on all columns."
    )
    error = _standard_error(neighbours, figures["selection"]["n_rows"])
    if inside - everywhere > 2.0 * error:
        return [f"{words} The directions tell more than all columns do: they leave noise out."]
    if everywhere - inside > 2.0 * error:
        return [f"{words} Some of what all columns tell is not in these directions."]
    return [f"{words} The two differ by no more than chance."]


def _standard_error(neighbours: Figures, n_rows: int) -> float:
    """Of the difference of two figures: of shares p of rows, ``sqrt(sum of p (1 - p) / n)``."""
    shares = [neighbours[key] for key in ("in_subspace", "on_all_columns")]
    if neighbours["measure"] != "accuracy":
        return 1.0 / math.sqrt(n_rows)
    return math.sqrt(sum(p * (1.0 - p) for p in shares) / n_rows)


def _neighbours(figures: Figures) -> Markup | None:
    neighbours = (figures["selection"] or {}).get("neighbours")
    if neighbours is None:
        return None
    is_accuracy = neighbours["measure"] == "accuracy"
    shown = percent if is_accuracy else (lambda value: number(round(value, 3), 3))
    q, d = figures["components"]["n_components"], figures["table"]["n_features"]
    where = "in this direction" if q == 1 else f"in these {q} directions"
    rows = [
        [where, shown(neighbours["in_subspace"])],
        [f"on all {d:,} columns", shown(neighbours["on_all_columns"])],
    ]
    if is_accuracy:
        rows.append(["by the most frequent class alone", shown(neighbours["chance"])])
    head = "rows predicted right" if is_accuracy else "R²"
    caption = f"{neighbours['n_neighbors']} nearest neighbours, on rows held out"
    return table(["neighbours", head], rows, caption=caption, marked=[0])
