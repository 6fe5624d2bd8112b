"""Zip archives of arrays and text from who knows where, read with suspicion.

What is read takes no more memory than the file has bytes, whatever the file says of itself.
"""

from __future__ import annotations

import io
import math
import os
import stat
import struct
import zipfile
from collections.abc import Sequence
from typing import IO, Any

import numpy as np
import numpy.typing as npt

_LOCAL_HEADER = struct.Struct("<4s22xHH")  # ends with the lengths of the name and of the extra
_DTYPES = "biufcSUmM"  # kinds of numpy that hold no Python objects
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def open_to_read(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a file without waiting: a pipe that nobody writes to would never open otherwise."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))

    return open(path, "rb", opener=opener)


def read_members(file: IO[bytes]) -> dict[str, bytes]:
    """The members of a zip archive, none of them compressed, each in a place of its own.

    A compressed member could be of any size, and so could members that share their bytes. A device
    may have no end. All that is refused before a member is read.
    """
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is a device or a pipe")
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        _check_places(file, entries, status.st_size)
        members = {entry.filename: archive.read(entry) for entry in entries}
    if len(members) < len(entries):
        raise zipfile.BadZipFile("two members have one name")
    return members


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
    """The array of an ``.npy`` member, once its header promises what is there and no objects."""
    stream = io.BytesIO(content)
    shape, _, dtype = _HEADERS[np.lib.format.read_magic(stream)](stream)
    if dtype.kind not in _DTYPES or dtype.itemsize == 0 or min(shape, default=0) < 0:
        raise ValueError(f"an array may not have type {dtype} and shape {shape}")
    if math.prod(shape) * dtype.itemsize != len(content) - stream.tell():
        raise ValueError(f"an array of type {dtype} and shape {shape} has another size")
    return np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
