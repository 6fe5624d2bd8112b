"""Ways to forge a file as a whole: its bytes, and the archive that its parts are in."""

from __future__ import annotations

import re
import struct
import zipfile
from dataclasses import replace

import numpy as np

from .forge_archive import Archive, npy, zipped
from .hostile import NAMES

__all__ = [
    "bits_flipped",
    "compressed",
    "many_members",
    "other_directory",
    "other_names",
    "spliced",
    "truncated",
]


def truncated(archive: Archive, rng: np.random.Generator) -> bytes:
    whole = archive.whole
    return whole[: rng.integers(len(whole))]


def bits_flipped(archive: Archive, rng: np.random.Generator) -> bytes:
    damaged = bytearray(archive.whole)
    for place in rng.integers(len(damaged), size=rng.integers(1, 9)):
        damaged[place] ^= 1 << int(rng.integers(8))
    return bytes(damaged)


def other_directory(archive: Archive, rng: np.random.Generator) -> bytes:
    """A field of a header, of the directory or of its end says something else."""
    damaged = bytearray(archive.whole)
    sign = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06")[rng.integers(3)]
    starts = [found.start() for found in re.finditer(re.escape(sign), damaged)]
    start = starts[rng.integers(len(starts))]
    place = start + 4 + 2 * int(rng.integers(9 if sign == b"PK\x05\x06" else 13))
    value = (0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, int(rng.integers(2**32)))[rng.integers(6)]
    wide = struct.pack("<I", value)[: int(rng.choice([2, 4]))]
    damaged[place : place + len(wide)] = wide
    return bytes(damaged)


def spliced(archive: Archive, rng: np.random.Generator) -> bytes:
    """A piece of the file put elsewhere, over what was there or between it."""
    whole = archive.whole
    a, b, c = sorted(int(i) for i in rng.integers(len(whole), size=3))
    return whole[:c] + whole[a:b] + whole[c if rng.random() < 0.5 else min(c + b - a, len(whole)) :]


def compressed(archive: Archive, rng: np.random.Generator) -> bytes:
    """A bomb: megabytes of one value in few bytes."""
    method = (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)[rng.integers(3)]
    bomb = npy(np.zeros(int(rng.integers(1, 300_000))))
    return zipped({**archive.members(), "arrays/bomb.npy": bomb}, method)


def other_names(archive: Archive, rng: np.random.Generator) -> bytes:
    """A member of another name, beside the right ones or in place of one."""
    members = list(archive.members().items())
    place = int(rng.integers(len(members)))
    name = NAMES[rng.integers(len(NAMES))] if rng.random() < 0.8 else members[place][0]
    pair = (name, members[int(rng.integers(len(members)))][1])
    members[place : place + int(rng.integers(2))] = [pair]
    return zipped(members)


def many_members(archive: Archive, rng: np.random.Generator) -> bytes:
    empty = {f"arrays/{k}.npy": b"" for k in range(int(rng.integers(1, 300)))}
    return replace(archive, arrays={**archive.arrays, **empty}).packed()
