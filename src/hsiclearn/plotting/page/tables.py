"""The parts of the page that are tables: loadings, what was compared, what to reproduce."""

from __future__ import annotations

from typing import Any

import numpy as np

from .html import Markup, element, table
from .pictures import Pictures
from .sections import picture, section
from .words import MINUS, number, percent, plural

__all__ = ["evidence", "loadings", "reproduce"]

_TOP = 20  # features without a script
_MOST_CLASSES = 30  # rows or columns of a table of counts

Figures = dict[str, Any]


def loadings(figures: Figures, n_shown: int, still: str) -> Markup:
    """What the directions are made of."""
    q = figures["components"]["n_components"]
    words = (
        "A loading says how much a column adds to a direction, and with which sign; here each is "
        "multiplied by the standard deviation of its column, so that columns of different units "
        "can be compared. The importance of a column is its part in all directions together; "
        "importances sum to 100 %. The sign of a whole direction has no meaning. Click a heading "
        "to sort by it; loadings are sorted by size, whatever their sign."
    )
    return section(
        "loadings",
        "What the directions are made of",
        element("p", words),
        element("p", f"The first {n_shown} of {q} components are shown.", class_="note")
        if n_shown < q
        else None,
        _loadings_controls(),
        _loadings_table(figures, n_shown),
        element("button", "Show all", type="button", id="loadings-all", class_="live", hidden=True),
        element("noscript", picture(still, "Bar chart of the largest loadings", wide=True)),
    )


def _loadings_controls() -> Markup:
    scales = {
        "standardised": "loading, standardised scale",
        "shares": "share of each direction",
        "loadings": "raw loading, per unit of the column",
    }
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
    rows = [
        element(
            "tr",
            element("th", names[j], scope="row"),
            *(
                element("td", f"{parts['standardised'][k][j]:.3f}".replace("-", MINUS))
                for k in range(n_shown)
            ),
            element("td", percent(parts["importances"][j])),
        )
        for j in top
    ]
    whole = element("table", element("thead", head), element("tbody", *rows, id="loadings-body"))
    return element(
        "div", whole, class_="scroll", tabindex="0", role="group", aria_label="Table of loadings"
    )


def _sortable(key: str, name: str) -> Markup:
    order = "descending" if key == "importance" else "none"
    button = element("button", name, type="button", data_key=key)
    return element("th", button, scope="col", aria_sort=order)


def evidence(figures: Figures, pictures: Pictures) -> Markup:
    """What the answer rests on: spectrum, convergence, candidates, clusters, stability."""
    return section(
        "evidence",
        "What it rests on",
        element("div", *_still(pictures), class_="pictures"),
        *_candidates(figures),
        *_clusters(figures),
        *_stability(figures, pictures),
    )


def _still(pictures: Pictures) -> list[Markup]:
    found = []
    if pictures.spectrum:
        words = "Spectrum: a wide gap after the directions found says that they stand apart."
        found.append(picture(pictures.spectrum, "Eigenvalues of Phi in their order", words))
    if pictures.graph:
        words = "Spectrum of the graph: a wide gap after as many as there are clusters supports "
        found.append(
            picture(pictures.graph, "Eigenvalues of the graph", f"{words}that number of clusters.")
        )
    words = "Convergence: cost above the lowest, and size of the gradient, step by step."
    found.append(picture(pictures.convergence, "Cost and gradient of each step", words, wide=True))
    return found


def _candidates(figures: Figures) -> list[Markup]:
    selection = figures["selection"]
    if selection is None:
        return []
    words = (
        f"Compared on {plural(selection['n_rows'], 'row')}. The losses are shares of the target "
        "left unexplained: 0 is perfect, 1 is no better than guessing the mean. “Left out” "
        "predicts each row from all others and flatters; “held out” is honest and noisier. The "
        "chosen line stands out."
    )
    heads = ["bandwidth", "directions", "start", "loss, left out", "loss, held out", "chosen"]
    rows = [
        [
            number(c["bandwidth"]),
            c["n_components"],
            c["start"],
            number(c["leave_one_out"], 3),
            number(c["held_out"], 3),
            "yes" if c["chosen"] else "",
        ]
        for c in selection["candidates"]
    ]
    chosen = [i for i, c in enumerate(selection["candidates"]) if c["chosen"]]
    title = element("h3", "What was compared to choose the bandwidth")
    return [title, element("p", words), table(heads, rows, caption="Candidates", marked=chosen)]


def _clusters(figures: Figures) -> list[Markup]:
    if figures["clusters"] is None:
        return []
    found = []
    for given in figures["clusters"]["against"]:
        names, columns = given["given"][:_MOST_CLASSES], given["found"][:_MOST_CLASSES]
        rows = [
            [name, *(f"{count:,}" for count in counts[:_MOST_CLASSES])]
            for name, counts in zip(names, given["counts"], strict=False)
        ]
        found.append(element("h3", f"Clusters against “{given['name']}”"))
        found.append(table(["given", *columns], rows, caption="Number of rows"))
        left = max(len(given["given"]) - len(names), len(given["found"]) - len(columns))
        if left:
            found.append(
                element("p", f"{left:,} more rows or columns are left out.", class_="note")
            )
    return found


def _stability(figures: Figures, pictures: Pictures) -> list[Markup]:
    stability = figures["stability"]
    if stability is None or pictures.stability is None:
        return []
    words = (
        f"Fitted again on {plural(stability['n_resamples'], 'set')} of rows drawn anew, the "
        f"directions turn by {number(stability['typical_angle'], 3)} degrees in the median (0 is "
        "firm; at 90 two sets share nothing). Small angles do not prove that there is dependence."
    )
    still = picture(pictures.stability, "Angles of resamples, and loadings with spread", wide=True)
    return [element("h3", "How firm the directions are"), element("p", words), still]


def reproduce(figures: Figures) -> Markup:
    """Settings, choices, versions, and a button for all figures."""
    again = figures["reproduce"]
    parts = []
    if again["settings"]:
        parts.append(_pairs("Given", again["settings"]))
    for step in again["steps"]:
        parts.append(
            _pairs(f"Settings of {step['class']} (step “{step['name']}”)", step["parameters"])
        )
    fitted = {name: number(value, 6) for name, value in again["fitted"].items()}
    parts.append(_pairs("Chosen in the fit", fitted))
    parts.append(_pairs("Versions", again["versions"]))
    button = element(
        "button",
        "Download all figures (JSON)",
        type="button",
        id="download",
        class_="live",
        hidden=True,
    )
    return section(
        "reproduce", "To reproduce", element("div", *parts, class_="pairs"), element("p", button)
    )


def _pairs(title: str, values: dict[str, Any]) -> Markup:
    rows = [
        element(
            "tr", element("th", name, scope="row"), element("td", str(value), class_="words code")
        )
        for name, value in values.items()
    ]
    whole = element("table", element("caption", title), element("tbody", *rows))
    return element("div", whole, class_="scroll", tabindex="0", role="group", aria_label=title)
