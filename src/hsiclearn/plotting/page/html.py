"""Small builders of HTML; whatever comes from data goes through them and is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

__all__ = ["Markup", "attributes", "element", "json_script", "script_data", "table", "text"]


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
