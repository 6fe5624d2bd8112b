"""The part of the page that says what the directions are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from .html import Markup, element
from .sections import picture, section
from .words import MINUS, number, percent, spread_notes

_TOP = 20  # features without a script
_SAME = 1e-6  # two scales that agree to this share are shown as one

Figures = dict[str, Any]


def loadings(figures: Figures, n_shown: int, still: str) -> Markup:
    """What the directions are made of, and how far the rows spread along them."""
    q = figures["components"]["n_components"]
    return section(
        "loadings",
        "What the directions are made of",
        element("p", _words(figures)),
        *(element("p", words, class_="note narrow") for words in spread_notes(figures)),
        element("p", f"The first {n_shown} of {q} components are shown.", class_="note")
        if n_shown < q
        else None,
        _controls(figures),
        _table(figures, n_shown),
        element("button", "Show all", type="button", id="loadings-all", class_="live", hidden=True),
        element("noscript", picture(still, "Bar chart of the largest loadings", wide=True)),
    )


def _words(figures: Figures) -> str:
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
        f"{_differs(figures)} The sign of a whole direction has no meaning. Click a heading to "
        "sort by it; loadings are sorted by size, whatever their sign."
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


def _controls(figures: Figures) -> Markup:
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


def _table(figures: Figures, n_shown: int) -> Markup:
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
    spread = element(
        "tr",
        element("th", "spread", scope="row"),
        *(element("td", number(sd, 3)) for sd in parts["sd"][:n_shown]),
        element("td"),
        class_="spread",
    )
    whole = element(
        "table", element("thead", head, spread), element("tbody", *rows, id="loadings-body")
    )
    return element(
        "div", whole, class_="scroll", tabindex="0", role="group", aria_label="Table of loadings"
    )


def _sortable(key: str, name: str) -> Markup:
    order = "descending" if key == "importance" else "none"
    button = element("button", name, type="button", data_key=key)
    return element("th", button, scope="col", aria_sort=order)
