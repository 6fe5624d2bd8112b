"""The parts of the page, from the figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .account import found_words, question_words, shown_words
from .html import Markup, element, text
from .words import (
    MINUS,
    certificate_mark,
    engine_words,
    local_words,
    plural,
    warnings_of,
)

__all__ = ["certificate", "map_of_rows", "picture", "section", "summary"]

Figures = dict[str, Any]


def summary(title: str, figures: Figures) -> Markup:
    """The title, what must not be overlooked, what was fitted and found, and what is shown."""
    words = " ".join([question_words(figures), *found_words(figures)])
    shown = " ".join(shown_words(figures))
    boxes = [
        element("div", element("strong", head), element("p", told), class_="warning", role="note")
        for head, told in warnings_of(figures)
    ]
    return element(
        "header",
        element("h1", title),
        *boxes,
        element("p", words, id="summary"),
        element("p", shown, id="shown") if shown else None,
    )


def section(identifier: str, title: str, *children: str | None) -> Markup:
    """A part of the page under its heading."""
    head = element("h2", title, id=f"{identifier}-title")
    return element("section", head, *children, id=identifier, aria_labelledby=f"{identifier}-title")


def certificate(figures: Figures) -> Markup:
    """Whether the answer was verified to be an optimum; not whether it is a good one."""
    mark, kind = certificate_mark(figures)
    sign = {"good": "✓", "neutral": "○", "partial": "≈", "bad": "✗"}[kind]
    return section(
        "certificate",
        "Was the optimum verified?",
        element("p", f"{sign} {mark}", class_=f"mark {kind}"),
        element("p", figures["certificate"]["verdict"]),
        element("p", local_words(figures)),
        element("p", figures["solver"]["sentence"]),
        element("p", engine_words(figures)),
    )


def map_of_rows(figures: Figures, points: Mapping[str, Any], still: str) -> Markup:
    """The interactive map, with a still picture for readers without scripts."""
    n_axes = len(points["axes"])
    return section(
        "map",
        "The map",
        element("p", _map_words(figures, points)),
        _map_controls(),
        element(
            "div",
            element(
                "canvas",
                id="scatter",
                tabindex="0",
                role="img",
                aria_label=f"Scatter plot of {plural(points['n_shown'], 'row')} along "
                f"{plural(n_axes, 'component')}. Keys: arrows move, plus and minus zoom, 0 resets.",
            ),
            element("div", id="box", hidden=True),
            element("div", id="ring", hidden=True),
            element("div", id="tip", role="status", hidden=True),
            class_="plot live",
            hidden=True,
        ),
        element("div", id="legend", class_="live", role="group", aria_label="Legend", hidden=True),
        element("div", id="pinned", aria_live="polite", hidden=True),
        *(element("p", words, class_="note") for words in _left_out(figures, points)),
        element("noscript", picture(still, "Scatter plot of the rows along the directions found")),
    )


def picture(uri: str, alt: str, caption: str | None = None, *, wide: bool = False) -> Markup:
    """A still picture."""
    image = Markup(f'<img src="{text(uri)}" alt="{text(alt)}">')
    told = element("figcaption", caption) if caption else None
    return element("figure", image, told, class_="wide" if wide else None)


def _map_controls() -> Markup:
    def select(identifier: str, name: str) -> Markup:
        return element("label", name, element("select", id=identifier))

    def button(identifier: str, name: str, label: str) -> Markup:
        return element("button", name, type="button", id=identifier, aria_label=label)

    axes = element("span", select("axis-x", "Across"), select("axis-y", "Upright"), class_="axes")
    return element(
        "div",
        axes,
        select("colour", "Colour by"),
        element(
            "span",
            button("zoom-in", "+", "zoom in"),
            Markup(" "),
            button("zoom-out", MINUS, "zoom out"),
            Markup(" "),
            button("zoom-reset", "Reset view", "reset view"),
        ),
        class_="controls live",
        hidden=True,
    )


def _map_words(figures: Figures, points: Mapping[str, Any]) -> str:
    kinds = [colouring["kind"] for colouring in points["colourings"]]
    words = "Each dot is a row of the table, placed along "
    if figures["components"]["n_components"] > 1:
        words += "two of the directions found."
    elif "real" in kinds[:1]:
        column = figures["target"][0]
        is_target = column["fitted_to"] and column["name"] == "target"
        height = "the target" if is_target else f"its value of “{column['name']}”"
        words += f"the one direction found; its height is {height}."
    else:
        words += f"the one direction found, under a histogram of {'its class' if kinds else 'all'}."
    words += (
        " Point at a dot to see the row, click it for all its values. Drag to zoom into a "
        "rectangle, use the wheel or the buttons to zoom, hold shift and drag to move."
    )
    if "classes" in kinds:
        words += " Click a name in the legend to hide or show its rows."
    return words


def _left_out(figures: Figures, points: Mapping[str, Any]) -> list[str]:
    """What the map does not show, said aloud."""
    found = []
    shown, rows = points["n_shown"], points["n_rows"]
    if shown < rows:
        classes = any(colouring["kind"] == "classes" for colouring in points["colourings"])
        share = " in which every class keeps its share" if classes else ""
        found.append(
            f"The map shows {shown:,} of {rows:,} rows, a random sample{share}. All figures are of "
            "all rows."
        )
    n_axes, q = len(points["axes"]), figures["components"]["n_components"]
    if n_axes < q:
        found.append(f"The map offers the first {n_axes} of {q} components.")
    kept, given = len(points["details"]), points["n_details"]
    if kept < given:
        found.append(
            f"To keep the page small it holds {kept:,} of {given:,} columns of each row, those of "
            "most weight in the directions."
        )
    offered, colourings = len(points["colourings"]), points["n_colourings"]
    if offered < colourings:
        found.append(f"Rows can be coloured by the first {offered} of {colourings} columns.")
    if points["row_names"] is None:
        too_long = "Their names would take too much room. " if points["row_names_left_out"] else ""
        found.append(f"{too_long}Rows are numbered from 1.")
    return found
