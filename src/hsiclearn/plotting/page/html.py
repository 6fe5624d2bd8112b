"""Small builders of HTML, which escape whatever comes from data; the style and the script.

A policy lets nothing else run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

_SCRIPTS = tuple(
    f"{name}.js" for name in ("data", "drawing", "view", "frame", "map", "controls", "report")
)


class Markup(str):
    """Text that is HTML already; anything else is escaped where it is put into an element."""

    __slots__ = ()


Child = str | None


def text(value: object) -> Markup:
    """A value as text of a page."""
    return value if isinstance(value, Markup) else Markup(escape(str(value), quote=True))


def attributes(values: Mapping[str, object]) -> str:
    """Attributes of an element; True writes a name alone, None and False write nothing."""
    parts = []
    for name, value in values.items():
        key = name.rstrip("_").replace("_", "-")
        if value is True:
            parts.append(f" {key}")
        elif value is not None and value is not False:
            parts.append(f' {key}="{escape(str(value), quote=True)}"')
    return "".join(parts)


def element(tag: str, *children: Child, **values: object) -> Markup:
    """An element with its children; ``class_`` and ``for_`` lose their underscore."""
    inside = "".join(text(child) for child in children if child is not None)
    return Markup(f"<{tag}{attributes(values)}>{inside}</{tag}>")


def table(
    headers: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    caption: str | None = None,
    marked: Iterable[int] = (),
) -> Markup:
    """A table whose first column heads its rows; ``marked`` rows stand out."""
    stand_out = set(marked)
    head = element("tr", *(element("th", name, scope="col") for name in headers))
    body = [
        element(
            "tr",
            element("th", text(first), scope="row"),
            *(element("td", text(cell)) for cell in rest),
            class_="chosen" if i in stand_out else None,
        )
        for i, (first, *rest) in enumerate(rows)
    ]
    parts = [element("caption", caption)] if caption else []
    whole = element("table", *parts, element("thead", head), element("tbody", *body))
    return element("div", whole, class_="scroll", tabindex="0", role="group", aria_label=caption)


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
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{text(_policy())}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(title)}</title>\n<style>{_style()}</style>\n</head>\n<body>\n"
        f"{''.join(body)}<script>{_script()}</script>\n</body>\n</html>\n"
    )


@cache
def _style() -> str:
    """The style sheet."""
    return _read("report.css")


@cache
def _script() -> str:
    """All scripts in one function: they share names among themselves and with nothing else."""
    body = "\n".join(_read(name) for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{body}}})();\n'


def _policy() -> str:
    """A Content-Security-Policy: this style, this script, pictures in the page, no network."""
    return (
        f"default-src 'none'; img-src data:; style-src '{_hash(_style())}'; "
        f"script-src '{_hash(_script())}'; base-uri 'none'; form-action 'none'"
    )


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
