"""The interactive map, and sentences about it: what it shows, and what it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._names import plural
from .html import Markup, element, paragraphs, picture, section
from .words import MINUS

_CONTROLS = Markup(
    '<div class="controls live" hidden><span class="axes">'
    '<label>Across<select id="axis-x"></select></label>'
    '<label>Upright<select id="axis-y"></select></label></span>'
    '<label>Rows<select id="positions"></select></label>'
    '<label>Colour by<select id="colour"></select></label><span>'
    '<button type="button" id="zoom-in" aria-label="zoom in">+</button> '
    f'<button type="button" id="zoom-out" aria-label="zoom out">{MINUS}</button> '
    '<button type="button" id="zoom-reset" aria-label="reset view">Reset view</button> '
    '<button type="button" id="zoom-all" aria-label="show all rows, or most">Show all</button>'
    "</span></div>"
)
_OVER_THE_CANVAS = Markup(
    '<div id="box" hidden></div><div id="ring" hidden></div>'
    '<div id="tip" role="status" hidden></div>'
)
_BELOW = Markup(
    '<p id="view-note" class="note live" role="status" hidden></p>'
    '<div id="legend" class="live" role="group" aria-label="Legend" hidden></div>'
    '<div id="pinned" aria-live="polite" hidden></div>'
)

Figures = dict[str, Any]


def map_of_rows(figures: Figures, points: Mapping[str, Any], still: str) -> Markup:
    """The interactive map, with a still picture for readers without scripts."""
    told = _held_out_words(figures, points)
    before, after = (told, []) if (points["held_out"] or {}).get("at_first") else ([], told)
    label = (
        f"Scatter plot of {plural(points['n_shown'], 'row')} along "
        f"{plural(len(points['axes']), 'component')}. Keys: arrows move, plus and minus zoom, 0 "
        "resets."
    )
    canvas = element("canvas", id="scatter", tabindex="0", role="img", aria_label=label)
    return section(
        "map",
        "The map",
        *paragraphs(before),
        _CONTROLS,
        element("div", canvas, _OVER_THE_CANVAS, class_="plot live", hidden=True),
        _BELOW,
        element("p", _map_words(figures, points)),
        *paragraphs(after),
        *paragraphs(_left_out_words(figures, points), "note"),
        element("noscript", picture(still, "Scatter plot of the rows along the directions found")),
    )


def _map_words(figures: Figures, points: Mapping[str, Any]) -> str:
    """What a dot is, and what can be done with it."""
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


def _held_out_words(figures: Figures, points: Mapping[str, Any]) -> list[str]:
    """What it means to see rows as held out, and why the map does so at first."""
    held_out = points["held_out"]
    if held_out is None:
        return []
    words = (
        "“As held out” puts each row where directions that were found without it put it: so new "
        "rows will lie. “As fitted” shows the rows that the directions were chosen on, and "
        "flatters."
    )
    if held_out["at_first"]:
        n, d = figures["table"]["n_rows"], figures["table"]["n_features"]
        words = (
            f"The map shows the rows as held out, for there are fewer of them ({n:,}) than "
            f"features ({d:,}): a fit can then part any classes on its own rows, even those of "
            f"pure noise. {words}"
        )
    return [words]


def _left_out_words(figures: Figures, points: Mapping[str, Any]) -> list[str]:
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
