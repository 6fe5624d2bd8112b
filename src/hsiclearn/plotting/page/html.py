"""Small builders of HTML, which escape whatever comes from data; the style and the script.

A policy lets nothing else run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

_SCRIPTS = ("data", "drawing", "view", "frame", "map", "controls", "report")


class Markup(str):
    """Text that is HTML already; anything else is escaped where it is put into an element."""

    __slots__ = ()


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """An element with its children, None being no child.

    In attributes ``class_`` loses its underscore and others become hyphens; True writes a name
    alone, None and False write nothing.
    """
    names = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    written = "".join(
        f" {name}" if value is True else f' {name}="{text(str(value))}"'
        for name, value in names.items()
        if value is not None and value is not False
    )
    inside = "".join(text(child) for child in children if child is not None)
    return Markup(f"<{tag}{written}>{inside}</{tag}>")


def text(value: object) -> Markup:
    """A value as text of a page."""
    return value if isinstance(value, Markup) else Markup(escape(str(value), quote=True))


def paragraphs(words: Iterable[str], class_: str | None = None) -> list[Markup]:
    """A paragraph for each text."""
    return [element("p", told, class_=class_) for told in words]


def section(identifier: str, title: str, *children: str | None) -> Markup:
    """A part of the page under its heading."""
    head = element("h2", title, id=f"{identifier}-title")
    return element("section", head, *children, id=identifier, aria_labelledby=f"{identifier}-title")


def picture(uri: str, alt: str, caption: str | None = None, *, wide: bool = False) -> Markup:
    """A still picture."""
    image = Markup(f'<img src="{text(uri)}" alt="{text(alt)}">')
    told = element("figcaption", caption) if caption else None
    return element("figure", image, told, class_="wide" if wide else None)


def table(
    heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str, marked: Sequence[int] = ()
) -> Markup:
    """A table whose first column heads its rows; ``marked`` rows stand out."""
    head = element("tr", *(element("th", name, scope="col") for name in heads))
    body = [
        row_of(first, rest, "chosen" if i in marked else None)
        for i, (first, *rest) in enumerate(rows)
    ]
    parts = element("caption", caption), element("thead", head), element("tbody", *body)
    return scrolling(caption, *parts)


def row_of(
    head: object, cells: Iterable[object], class_: str | None = None, cell_class: str | None = None
) -> Markup:
    """A row of a table."""
    inside = (element("td", text(cell), class_=cell_class) for cell in cells)
    return element("tr", element("th", text(head), scope="row"), *inside, class_=class_)


def scrolling(label: str, *parts: Markup) -> Markup:
    """A table in a frame of its own, which scrolls where the page is narrow."""
    whole = element("table", *parts)
    return element("div", whole, class_="scroll", tabindex="0", role="group", aria_label=label)


def json_script(value: Any, identifier: str) -> Markup:
    """JSON for a script to read. No letter in it can end the element, whatever the data say."""
    dumped = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        dumped = dumped.replace(letter, f"\\u{ord(letter):04x}")
    return script_data(dumped, identifier, "application/json")


def script_data(content: str, identifier: str, kind: str) -> Markup:
    """A block of data that is no script: browsers do not run it."""
    return Markup(f'<script type="{kind}" id="{escape(identifier)}">{content}</script>\n')


def document(title: str, body: list[Markup]) -> str:
    """The whole page. Data and script come last, so that the words are painted before them."""
    style, script = _style_and_script()
    policy = (  # this style, this script, pictures in the page, no network
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; "
        f"script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{text(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"{''.join(body)}<script>{script}</script>\n</body>\n</html>\n"
    )


@cache
def _style_and_script() -> tuple[str, str]:
    """The style, and all scripts in one function: they share names with nothing else."""
    folder = files(__package__)
    style, *scripts = (
        (folder / name).read_text(encoding="utf-8")
        for name in ("report.css", *(f"{name}.js" for name in _SCRIPTS))
    )
    body = "\n".join(scripts)
    return style, f'(() => {{\n"use strict";\n{body}}})();\n'


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
