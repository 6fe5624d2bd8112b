"""Parts of a benchmark in one file, where a part takes the place of what was there of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

__all__ = ["put_into", "written"]


def put_into(file: Path | None, report: str, order: Iterable[str]) -> None:
    """Write a part into the file of all; nothing without one."""
    if file is not None:
        there = file.read_text() if file.exists() else ""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(written(there, report, order))


def written(text: str, report: str, order: Iterable[str]) -> str:
    """A file of parts with one as it is now; they are known by the first word of their titles."""
    sections = [part for part in re.split(r"^(?=### )", text, flags=re.M) if part.strip()]
    by_word = {_word(section): section.strip() for section in sections} | {_word(report): report}
    places = {name: number for number, name in enumerate(order)}
    known = sorted(by_word, key=lambda word: places.get(word, len(places)))
    return "\n\n".join(by_word[word] for word in known) + "\n"


def _word(section: str) -> str:
    return section.removeprefix("### ").partition(":")[0].lower()
