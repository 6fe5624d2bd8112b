"""The parts of the page, from the figures."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from .._names import plural
from .account import found_words, question_words, shown_words
from .html import Markup, element, paragraphs, picture, row_of, scrolling, section, table
from .words import (
    MINUS,
    Figures,
    engine_words,
    listed,
    local_words,
    number,
    percent,
    spread_notes,
    typeset,
    warnings_of,
)

_TOP = 20  # features without a script
_SAME = 1e-6  # two scales that agree to this share are shown as one
_FILLED = (
    "had no value in the table of the fit and were filled. Rows look more alike there than they "
    "may be."
)
_BLANK = "of text had no value and are a category of their own."


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


def certificate(figures: Figures) -> Markup:
    """Whether the answer was verified to be an optimum; not whether it is a good one."""
    is_clustering = figures["clusters"] is not None
    title = "Where did the search settle?" if is_clustering else "Was the optimum verified?"
    verdict, status = figures["certificate"]["verdict"], figures["solver"]["sentence"]
    words = [verdict, local_words(figures), status, engine_words(figures)]
    return section("certificate", title, *paragraphs(words))


def meaning(figures: Figures) -> Markup:
    """What was found: how well rows held out are known from the directions, or which clusters."""
    words = [*found_words(figures), *neighbour_words(figures)]
    return section("meaning", "What it means", *paragraphs(words), _neighbours(figures))


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
    # Of the difference of two figures; of shares p of rows, sqrt(sum of p (1 - p) / n).
    is_share, n = neighbours["measure"] == "accuracy", figures["selection"]["n_rows"]
    variance = sum(p * (1.0 - p) for p in (inside, everywhere)) if is_share else 1.0
    error = math.sqrt(variance / n)
    if inside - everywhere > 2.0 * error:
        return [f"{words} The directions tell more than all columns do: they leave noise out."]
    if everywhere - inside > 2.0 * error:
        return [f"{words} Some of what all columns tell is not in these directions."]
    return [f"{words} The two differ by no more than chance."]


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
    parts: list[Markup] = []
    for blank, what, told in ((False, "filled with", _FILLED), (True, "category", _BLANK)):
        columns = [column for column in figures["imputed"] if column["blank"] == blank]
        if columns:
            cells = plural(sum(column["n_cells"] for column in columns), "cell")
            words = f"{cells} in {plural(len(columns), 'column')} {told}"
            parts += [element("p", words), _cells_table(columns, what, figures["fitted_on"])]
    return section("imputed", "Imputed cells", *parts) if parts else None


def _cells_table(columns: list[Figures], what: str, fitted_on: Figures) -> Markup:
    """Cells of each column; as a share of the rows of the fit, where their number is known."""
    n_rows = fitted_on["n_rows"]
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


def loadings(figures: Figures, n_shown: int, still: str) -> Markup:
    """What the directions are made of, and how far the rows spread along them."""
    q = figures["components"]["n_components"]
    return section(
        "loadings",
        "What the directions are made of",
        element("p", _loadings_words(figures)),
        *paragraphs(_columns_words(figures)),
        *paragraphs(spread_notes(figures), "note narrow"),
        *paragraphs([f"The first {n_shown} of {q} components are shown."] * (n_shown < q), "note"),
        _loadings_controls(figures),
        _loadings_table(figures, n_shown),
        element("button", "Show all", type="button", id="loadings-all", class_="live", hidden=True),
        element("noscript", picture(still, "Bar chart of the largest loadings", wide=True)),
    )


def _columns_words(figures: Figures) -> list[str]:
    """Which columns were selected, and why so many."""
    columns, names = figures["columns"], figures["table"]["feature_names"]
    if columns is None:
        return []
    chosen = columns["selected"]
    many = plural(len(chosen), "column")
    words = f"All directions are made of {many} of {len(names)}, selected together by how much "
    words += f"they tell of the target: {listed([names[j] for j in chosen])}. The others are 0."
    if columns["counts"] is None:
        return [f"{words} How many was given."]
    shares = [f"{percent(1.0 - loss)} by {k}" for k, loss in _around(columns)]
    return [
        f"{words} How many was chosen on rows held out, where sets found without them explain "
        f"{', '.join(shares)}; of counts that are level the smallest was taken."
    ]


def _around(columns: Figures) -> list[tuple[int, float]]:
    """The count chosen between its neighbours, and the largest."""
    path = list(zip(columns["counts"], columns["held_out"], strict=True))
    at = columns["counts"].index(len(columns["selected"]))
    return [path[k] for k in sorted({0, max(0, at - 1), at, min(at + 1, len(path) - 1)})]


def _metric_words(figures: Figures) -> str:
    metric = figures["reproduce"]["fitted"].get("metric_")
    if metric == "relevance":
        return (
            " The columns were weighed by the part they had in a first fit (metric relevance): "
            "those of hardly any part count hardly at all, or not."
        )
    if metric != "covariance":
        return ""
    return (
        " The directions are orthonormal in the covariance of the columns (metric covariance): "
        "along each the rows of the fit have about unit variance, and hardly any correlation "
        "between two. Of columns that say much the same, loadings may have opposite signs."
    )


def _loadings_words(figures: Figures) -> str:
    of = "" if figures["fitted_on"]["same_rows"] else " in the rows shown"
    bandwidth = figures["reproduce"]["fitted"].get("bandwidth_")
    beside = ""
    if isinstance(bandwidth, float):
        beside = f", to be seen beside the bandwidth, {number(bandwidth, 3)}"
    return (
        "A loading says how much a column adds to a direction, and with which sign; here each is "
        f"multiplied by the standard deviation of its column{of}, so that columns of different "
        "units can be compared. The line “spread” is the standard deviation of the rows along each "
        f"direction{beside}. The importance of a column is its part in all directions together, in "
        "which directions count by their spread; importances sum to 100 %."
        f"{_metric_words(figures)}{_differs(figures)} The sign of a whole direction means "
        "nothing. Click a heading to sort by it; loadings are sorted by size, whatever their sign."
    )


def _differs(figures: Figures) -> str:
    """Why the order of importances is not that of the loadings, where it is not."""
    parts, names = figures["components"], figures["table"]["feature_names"]
    most = int(np.argmax(parts["importances"]))
    for k, row in enumerate(np.abs(parts["standardised"])):
        largest = int(np.argmax(row))
        if largest != most:
            return (
                f" So the largest loading of component {k + 1} is that of “{names[largest]}”, and "
                f"yet “{names[most]}” is more important: it counts in every direction, and most "
                "in those along which the rows spread widest."
            )
    return ""


def _loadings_controls(figures: Figures) -> Markup:
    scales = {"standardised": "loading, standardised scale", "shares": "share of each direction"}
    raw, scaled = (np.array(figures["components"][k]) for k in ("loadings", "standardised"))
    if np.abs(raw - scaled).max() > _SAME * np.abs(raw).max():
        scales["loadings"] = "loading, as the model sees the columns"
    options = [element("option", name, value=value) for value, name in scales.items()]
    return element(
        "div",
        element("label", "Show", element("select", *options, id="loadings-scale")),
        element("label", "Find", Markup('<input type="search" id="loadings-filter" size="14">')),
        element("span", id="loadings-count", class_="note", role="status"),
        class_="controls live",
        hidden=True,
    )


def _loadings_table(figures: Figures, n_shown: int) -> Markup:
    """The most important features; the script sorts, and shows all."""
    parts, names = figures["components"], figures["table"]["feature_names"]
    heads = [("name", "feature"), *((str(k), f"component {k + 1}") for k in range(n_shown))]
    heads.append(("importance", "importance"))
    head = element("tr", *(_sortable(key, name) for key, name in heads))
    top = np.argsort(-np.array(parts["importances"]), kind="stable")[:_TOP]
    values = parts["standardised"][:n_shown]
    rows = [
        row_of(
            names[j],
            [
                *(f"{row[j]:.3f}".replace("-", MINUS) for row in values),
                percent(parts["importances"][j]),
            ],
        )
        for j in top
    ]
    spread = row_of("spread", [*(number(sd, 3) for sd in parts["sd"][:n_shown]), ""], "spread")
    body = element("tbody", *rows, id="loadings-body")
    return scrolling("Table of loadings", element("thead", head, spread), body)


def _sortable(key: str, name: str) -> Markup:
    order = "descending" if key == "importance" else "none"
    button = element("button", name, type="button", data_key=key)
    return element("th", button, scope="col", aria_sort=order)
