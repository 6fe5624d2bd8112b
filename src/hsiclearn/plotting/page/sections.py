"""The parts of the page, from the figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .account import question_words, shown_words
from .html import Markup, element, text
from .map_words import held_out_words, left_out_words, map_words
from .words import MINUS, engine_words, local_words, plural, typeset, warnings_of

__all__ = ["certificate", "map_of_rows", "picture", "section", "summary"]

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


def map_of_rows(figures: Figures, points: Mapping[str, Any], still: str) -> Markup:
    """The interactive map, with a still picture for readers without scripts."""
    n_axes = len(points["axes"])
    told = held_out_words(figures, points)
    before, after = (told, []) if (points["held_out"] or {}).get("at_first") else ([], told)
    return section(
        "map",
        "The map",
        *(element("p", words) for words in before),
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
        element("p", id="view-note", class_="note live", role="status", hidden=True),
        element("div", id="legend", class_="live", role="group", aria_label="Legend", hidden=True),
        element("div", id="pinned", aria_live="polite", hidden=True),
        element("p", map_words(figures, points)),
        *(element("p", words) for words in after),
        *(element("p", words, class_="note") for words in left_out_words(figures, points)),
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
        select("positions", "Rows"),
        select("colour", "Colour by"),
        element(
            "span",
            button("zoom-in", "+", "zoom in"),
            Markup(" "),
            button("zoom-out", MINUS, "zoom out"),
            Markup(" "),
            button("zoom-reset", "Reset view", "reset view"),
            Markup(" "),
            button("zoom-all", "Show all", "show all rows, or most"),
        ),
        class_="controls live",
        hidden=True,
    )
