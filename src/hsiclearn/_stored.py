"""Zip archives of arrays and text from who knows where, read with suspicion.

What is read takes memory in proportion to the bytes of the file, whatever the file says of itself.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import stat
import struct
import zipfile
from collections.abc import Sequence
from typing import IO, Any

import numpy as np
import numpy.typing as npt

_LOCAL_HEADER = struct.Struct("<4s22xHH")  # ends with the lengths of the name and of the extra
_NAME = re.compile(r"(\w[\w.-]{0,99}/)?\w[\w.-]{0,99}", re.ASCII)
_HEADER = re.compile(
    rb"\{'descr': '[<>|][biufcSUmM]\d{0,9}(\[\d{0,9}[a-zA-Z]{1,2}\])?', "
    rb"'fortran_order': (True|False), 'shape': \((\d{1,18}, )*(\d{1,18},?)?\), \} *\n"
)
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_PREAMBLE = {(1, 0): 10, (2, 0): 12}  # bytes before a header
_EMPTY = 2**20  # bytes that an array would have if its axes of length 0 had length 1
_LAST_LETTER = 0x10FFFF


def open_to_read(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a file without waiting: a pipe that nobody writes to would never open otherwise."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))

    return open(path, "rb", opener=opener)


def read_members(file: IO[bytes]) -> dict[str, bytes]:
    """The members of a zip archive, none of them compressed, each in a place of its own.

    A compressed member could be of any size, and so could members that share their bytes. A device
    may have no end. Names that lead elsewhere, or that are one name where case does not count,
    would be written over each other by whoever unpacks the file. All that is refused before a
    member is read.
    """
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is a device or a pipe")
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        _check_names(entries)
        _check_places(file, entries, status.st_size)
        return {entry.filename: archive.read(entry) for entry in entries}


def _check_names(entries: Sequence[zipfile.ZipInfo]) -> None:
    for entry in entries:
        if not _NAME.fullmatch(entry.filename):
            raise zipfile.BadZipFile(f"{entry.filename[:100]!r} is no name of a member")
    if len({entry.filename.lower() for entry in entries}) < len(entries):
        raise zipfile.BadZipFile("two members have one name")


def _check_places(file: IO[bytes], entries: Sequence[zipfile.ZipInfo], size: int) -> None:
    """No member is compressed, reaches into the next one or over the end of the file."""
    entries = sorted(entries, key=lambda entry: entry.header_offset)
    ends = [entry.header_offset for entry in entries[1:]] + [size]
    for entry, end in zip(entries, ends, strict=True):
        if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
            raise zipfile.BadZipFile(f"{entry.filename} is compressed")
        file.seek(entry.header_offset)
        _, name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
        start = entry.header_offset + _LOCAL_HEADER.size + name + extra
        if start + entry.file_size > end:
            raise zipfile.BadZipFile(f"{entry.filename} overlaps what comes after it")


def read_array(content: bytes) -> npt.NDArray[Any]:
    """The array of an ``.npy`` member, once its header promises what is there and no objects.

    The header must be as numpy writes it, letter for letter: numpy itself evaluates it as a literal
    of Python, whatever that takes.
    """
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    if version not in _HEADERS or not _HEADER.match(content, _PREAMBLE[version]):
        raise ValueError("an array must be of numbers or text, with the header that numpy writes")
    shape, _, dtype = _HEADERS[version](stream)
    if dtype.itemsize == 0:
        raise ValueError(f"an array may not have type {dtype}")
    if math.prod(shape) * dtype.itemsize != len(content) - stream.tell():
        raise ValueError(f"an array of type {dtype} and shape {shape} has another size")
    if math.prod(max(n, 1) for n in shape) * dtype.itemsize > max(len(content), _EMPTY):
        raise ValueError(f"an array of shape {shape} is empty, but would be large in a sum")
    array = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    _check_values(array)
    return array


def _check_values(array: npt.NDArray[Any]) -> None:
    """Every bit pattern is a number, but not a truth or a letter: numpy takes it at its word."""
    letters = array.reshape(-1, order="A")
    if array.dtype.kind == "b" and np.any(letters.view(np.uint8) > 1):
        raise ValueError("a truth must be stored as 0 or 1")
    if array.dtype.kind == "U":
        code = np.dtype(np.uint32).newbyteorder(array.dtype.byteorder)
        if np.any(letters.view(code) > _LAST_LETTER):
            raise ValueError("text has letters that Unicode has not")


def read_json(text: str | bytes) -> Any:
    """What a document says; it may not say two things under one name."""
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("a document has two entries of one name")
    return document


def printable(value: object, most: int = 300) -> str:
    """What a file says of itself, for a message: short, and without power over a terminal."""
    text = " ".join(str(value)[:most].split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
