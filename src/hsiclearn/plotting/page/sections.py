"""The parts of the page, from the figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .._names import plural
from .account import found_words, question_words, shown_words
from .html import Markup, element, table, text
from .words import engine_words, local_words, number, percent, typeset, warnings_of

Figures = dict[str, Any]


def summary(title: str, figures: Figures) -> Markup:
    """The title, the badge, what must not be overlooked, what was asked, and what is shown."""
    shown = " ".join(shown_words(figures))
    boxes = [
        element("div", element("strong", head), element("p", told), class_="warning", role="note")
        for head, told in warnings_of(figures)
    ]
    return element(
        "header",
        element("h1", title),
        _badge(figures["badge"]),
        *boxes,
        element("p", question_words(figures), id="summary"),
        element("p", shown, id="shown") if shown else None,
    )


def _badge(badge: Mapping[str, str]) -> Markup:
    sign = {"good": "✓", "neutral": "○", "partial": "≈", "bad": "✗"}[badge["kind"]]
    mark = element("strong", f"{sign} {typeset(badge['title'])}", class_=f"mark {badge['kind']}")
    return element("p", mark, element("span", typeset(badge["sentence"])), id="badge")


def section(identifier: str, title: str, *children: str | None) -> Markup:
    """A part of the page under its heading."""
    head = element("h2", title, id=f"{identifier}-title")
    return element("section", head, *children, id=identifier, aria_labelledby=f"{identifier}-title")


def certificate(figures: Figures) -> Markup:
    """Whether the answer was verified to be an optimum; not whether it is a good one."""
    is_clustering = figures["clusters"] is not None
    return section(
        "certificate",
        "Where did the search settle?" if is_clustering else "Was the optimum verified?",
        element("p", figures["certificate"]["verdict"]),
        element("p", local_words(figures)),
        element("p", figures["solver"]["sentence"]),
        element("p", engine_words(figures)),
    )


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


def imputed(figures: Figures) -> Markup | None:
    """Every column with cells that were empty; None where there are none."""
    filled = [column for column in figures["imputed"] if not column["blank"]]
    blank = [column for column in figures["imputed"] if column["blank"]]
    n_rows = figures["fitted_on"]["n_rows"]
    parts: list[Markup] = []
    if filled:
        words = (
            f"{_cells(filled)} had no value in the table of the fit and were filled. Rows look "
            "more alike there than they may be."
        )
        parts += [element("p", words), _cells_table(filled, "filled with", n_rows)]
    if blank:
        words = f"{_cells(blank)} of text had no value and are a category of their own."
        parts += [element("p", words), _cells_table(blank, "category", n_rows)]
    return section("imputed", "Imputed cells", *parts) if parts else None


def _cells(columns: list[Figures]) -> str:
    total = plural(sum(column["n_cells"] for column in columns), "cell")
    return f"{total} in {plural(len(columns), 'column')}"


def _cells_table(columns: list[Figures], what: str, n_rows: int | None) -> Markup:
    heads = ["column", "empty cells", *(["of its rows"] if n_rows else []), what]
    rows = [
        [
            column["name"],
            f"{column['n_cells']:,}",
            *([percent(column["n_cells"] / n_rows)] if n_rows else []),
            column["with"],
        ]
        for column in columns
    ]
    return table(heads, rows, caption="Columns with empty cells")


def picture(uri: str, alt: str, caption: str | None = None, *, wide: bool = False) -> Markup:
    """A still picture."""
    image = Markup(f'<img src="{text(uri)}" alt="{text(alt)}">')
    told = element("figcaption", caption) if caption else None
    return element("figure", image, told, class_="wide" if wide else None)
