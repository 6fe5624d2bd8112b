"""Small tables for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

_CELL = "text-align: left; vertical-align: top; padding: 0.1em 0.8em 0.1em 0"


def table(caption: str, figures: Mapping[str, object]) -> str:
    """A line of text above a table of names and values; everything is escaped."""
    rows = "".join(
        f'<tr><th scope="row" style="{_CELL}">{escape(name)}</th>'
        f'<td style="{_CELL}">{escape(_shown(value))}</td></tr>'
        for name, value in figures.items()
    )
    return f"<p><b>{escape(caption)}</b></p><table><tbody>{rows}</tbody></table>"


def _shown(value: object) -> str:
    """A float in six digits; None is what was not judged."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return "not judged" if value is None else str(value)
