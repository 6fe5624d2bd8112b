"""How a file of text is written: its encoding, its separator, its decimal mark."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from .errors import TableError, shown

_LOOK_AT = 1 << 16  # bytes that tell text from something else
_LONGEST_CELL = 1 << 24
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars (|)"}
_LINES_OF_CELLS, _LINES_OF_NUMBERS = 50, 1000  # that tell the separator, and the decimal mark
# 45,123 may be a thousand: three digits after a mark prove nothing.
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d*,(\d{1,2}|\d{4,})\s*")
_DECIMAL_POINT = re.compile(r"\s*[-+]?\d*\.(\d{1,2}|\d{4,})\s*")


@dataclass(frozen=True)
class Dialect:
    """Encoding, separator and decimal mark of a file; ``notes`` say what is unusual about it."""

    encoding: str
    separator: str
    decimal_comma: bool
    notes: tuple[str, ...]


def dialect_of(path: Path, usual: str) -> Dialect:
    """Look at the beginning of a file; ``usual`` is the separator that its name promises."""
    encoding, note = _encoding(path)
    notes = [note] if note else []
    separator = _separator(path, encoding, usual)
    if separator != usual:
        notes.append(f"cells are separated by {_SEPARATORS[separator]}")
    decimal_comma = separator != "," and _has_decimal_commas(path, encoding, separator)
    if decimal_comma:
        notes.append("numbers have decimal commas")
    return Dialect(encoding, separator, decimal_comma, tuple(notes))


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked."""
    if path.suffix.lower() != ".gz":
        with open(path, "rb") as file:
            yield file
        return
    try:
        with gzip.open(path, "rb") as unpacked:
            yield unpacked  # type: ignore[misc]
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise TableError(f"{shown(path)} is not a whole gzip file.", "Copy it again.") from error


@contextmanager
def records(path: Path, encoding: str, separator: str) -> Iterator[Iterator[list[str]]]:
    """The lines as lists of cells, or an error that says where they are none."""
    csv.field_size_limit(_LONGEST_CELL)
    with opened(path) as file:
        text = io.TextIOWrapper(file, encoding=encoding, newline="")
        reader = csv.reader(text, delimiter=separator, strict=False)
        try:
            yield reader
        except csv.Error as error:
            raise TableError(
                f"{shown(path)} cannot be read as a table from line {reader.line_num} on: {error}."
            ) from error


def _encoding(path: Path) -> tuple[str, str]:
    """Its name for Python, and a note unless it is UTF-8; what is no text is an error."""
    with opened(path) as file:
        start = file.read(_LOOK_AT)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        if not _is_all(path, "utf-16"):
            raise TableError(
                f"{shown(path)} is damaged: it begins as UTF-16, but not all of it is.",
                "Copy it again.",
            )
        return "utf-16", "the file is in UTF-16"
    if b"\0" in start:
        raise TableError(f"{shown(path)} is no text file, in spite of its name.")
    if b"\r" in start and b"\n" not in start:
        raise TableError(
            f"The lines of {shown(path)} end with carriage returns alone.",
            "Save it with usual line ends.",
        )
    if _is_all(path, "utf-8"):
        return "utf-8-sig", ""
    with opened(path) as file:
        content = file.read()
    text = content.decode("utf-8", "replace")
    if sum(letter > "\x7f" for letter in text) > 2 * text.count("\ufffd"):
        raise _damaged(path, content)
    note = "the file is not in UTF-8 and is read as Windows-1252 (Latin-1)"
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1", note
    return "cp1252", note


def _is_all(path: Path, encoding: str) -> bool:
    try:
        with opened(path) as file:
            for _ in codecs.iterdecode(iter(lambda: file.read(1 << 20), b""), encoding):
                pass
    except UnicodeDecodeError:
        return False
    return True


def _damaged(path: Path, content: bytes) -> TableError:
    """An error for what is UTF-8 all the same; it says where the first byte is that is none."""
    try:
        content.decode("utf-8")
        where = ""
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        where = f" (line {line}, byte {content[error.start]:#04x})"
    return TableError(f"{shown(path)} is damaged: most of it is UTF-8, but not all{where}.")


def _separator(path: Path, encoding: str, usual: str) -> str:
    """The one that cuts all lines into as many cells, and most; else the header."""
    best, most = usual, (False, 1)
    for separator in (usual, *(other for other in _SEPARATORS if other != usual)):
        widths = _widths(path, encoding, separator)
        if not widths:
            continue
        found = (len(set(widths)) == 1 and widths[0] > 1, widths[0])
        if found > most:
            best, most = separator, found
    return best


def _widths(path: Path, encoding: str, separator: str) -> list[int]:
    """Numbers of cells of the first lines; none if they cannot be cut so."""
    try:
        with records(path, encoding, separator) as lines:
            return [len(line) for line in islice(lines, _LINES_OF_CELLS) if line]
    except TableError:  # with the wrong separator a line may be one endless cell
        return []


def _has_decimal_commas(path: Path, encoding: str, separator: str) -> bool:
    """Some cells must be numbers with a comma, and none with a point."""
    is_found = False
    with records(path, encoding, separator) as lines:
        for line in islice(lines, 1, _LINES_OF_NUMBERS):
            if any(_DECIMAL_POINT.fullmatch(cell) for cell in line):
                return False
            is_found = is_found or any(_DECIMAL_COMMA.fullmatch(cell) for cell in line)
    return is_found
