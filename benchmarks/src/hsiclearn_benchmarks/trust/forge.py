"""Forge model files and checkpoints: the parts of a good one changed, and checksums made right again.

    archive = Archive.of(path.read_bytes())
    how, content = forge(archive, np.random.default_rng(0))

What comes out gets past every checksum, unless the archive itself was what was changed: so it is
for whoever reads it to notice. ``FORGERIES`` are the ways, by name; the same seed makes the same
bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .hostile import CLASSES, HEADERS, JSON, NAMES, long_json

__all__ = ["FORGERIES", "Archive", "forge", "npy", "zipped"]

_HERE = "\x07here\x07"  # stands for text to be put in, which need not be JSON
_WHEN = (1980, 1, 1, 0, 0, 0)
Members = dict[str, bytes]
Forgery = Callable[["Archive", np.random.Generator], bytes]


@dataclass(frozen=True)
class Archive:
    """A file taken apart: its documents as text of JSON, its arrays as ``.npy``.

    A checkpoint keeps its one document, ``header``, inside an array; a model file has a manifest
    with a checksum for each member, which :meth:`members` makes right.
    """

    documents: Mapping[str, str]
    arrays: Mapping[str, bytes]
    manifest: Mapping[str, Any] | None

    @classmethod
    def of(cls, content: bytes) -> Archive:
        """A model file or a checkpoint that is good."""
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        if "header.npy" in members:
            header = str(np.load(io.BytesIO(members.pop("header.npy"))))
            return cls({"header": header}, members, None)
        manifest = json.loads(members.pop("manifest.json"))
        documents = {name: members.pop(name).decode() for name in sorted(members) if ".json" in name}
        return cls(documents, members, manifest)

    def members(self) -> Members:
        """What goes into the archive, with checksums that agree."""
        if self.manifest is None:
            header = npy(np.array(self.documents["header"]))
            return {**self.arrays, "header.npy": header}
        members = {name: _bytes(text) for name, text in self.documents.items()} | dict(self.arrays)
        sums = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
        manifest = json.dumps({**self.manifest, "sha256": sums})
        return {"manifest.json": _bytes(manifest), **members}

    def packed(self) -> bytes:
        """The file again."""
        return zipped(self.members())


def forge(archive: Archive, rng: np.random.Generator, how: str = "") -> tuple[str, bytes]:
    """One forgery, in a way that is drawn if ``how`` does not say it: the way, and the file."""
    how = how or str(rng.choice(list(FORGERIES), p=_SHARES))
    return how, FORGERIES[how](archive, rng)


def npy(array: Any) -> bytes:
    """An array as ``numpy.save`` writes it."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def zipped(members: Mapping[str, bytes] | list[tuple[str, bytes]], compression: int = 0) -> bytes:
    """A zip archive; a list may have a name twice."""
    buffer = io.BytesIO()
    pairs = list(members.items()) if isinstance(members, Mapping) else members
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in pairs:
            info = zipfile.ZipInfo("x", _WHEN)
            info.filename, info.compress_type = name, compression
            # Past what writestr says of names: it would warn of one that is there twice.
            archive.NameToInfo.pop(name, None)
            archive.writestr(info, content)
    return buffer.getvalue()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


# Bytes of the file


def _truncated(archive: Archive, rng: np.random.Generator) -> bytes:
    whole = archive.packed()
    return whole[: rng.integers(len(whole))]


def _flipped(archive: Archive, rng: np.random.Generator) -> bytes:
    damaged = bytearray(archive.packed())
    for place in rng.integers(len(damaged), size=rng.integers(1, 9)):
        damaged[place] ^= 1 << int(rng.integers(8))
    return bytes(damaged)


def _directory(archive: Archive, rng: np.random.Generator) -> bytes:
    """A field of a header, of the directory or of its end says something else."""
    damaged = bytearray(archive.packed())
    sign = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06")[rng.integers(3)]
    starts = [i for i in range(len(damaged)) if damaged.startswith(sign, i)]
    start = starts[rng.integers(len(starts))]
    place = start + 4 + 2 * int(rng.integers(9 if sign == b"PK\x05\x06" else 13))
    value = (0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, int(rng.integers(2**32)))[rng.integers(6)]
    wide = struct.pack("<I", value)[: int(rng.choice([2, 4]))]
    damaged[place : place + len(wide)] = wide
    return bytes(damaged)


def _spliced(archive: Archive, rng: np.random.Generator) -> bytes:
    """A piece of the file put elsewhere, over what was there or between it."""
    whole = archive.packed()
    a, b, c = sorted(int(i) for i in rng.integers(len(whole), size=3))
    return whole[:c] + whole[a:b] + whole[c if rng.random() < 0.5 else min(c + b - a, len(whole)) :]


# The archive and its manifest


def _compressed(archive: Archive, rng: np.random.Generator) -> bytes:
    """A bomb: megabytes of one value in few bytes."""
    method = (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)[rng.integers(3)]
    bomb = npy(np.zeros(int(rng.integers(1, 300_000))))
    return zipped({**archive.members(), "arrays/bomb.npy": bomb}, method)


def _named(archive: Archive, rng: np.random.Generator) -> bytes:
    """A member of another name, beside the right ones or in place of one."""
    members = list(archive.members().items())
    place = int(rng.integers(len(members)))
    name = NAMES[rng.integers(len(NAMES))] if rng.random() < 0.8 else members[place][0]
    pair = (name, members[int(rng.integers(len(members)))][1])
    members[place : place + int(rng.integers(2))] = [pair]
    return zipped(members)


def _many_members(archive: Archive, rng: np.random.Generator) -> bytes:
    empty = {f"arrays/{k}.npy": b"" for k in range(int(rng.integers(1, 300)))}
    return replace(archive, arrays={**archive.arrays, **empty}).packed()


def _manifest(archive: Archive, rng: np.random.Generator) -> bytes:
    """Another version, format or author."""
    members = archive.members()
    name = next(iter(set(members) & {"manifest.json"}), None)
    if name is None:
        return _document(archive, rng)
    document = json.loads(members[name])
    key = sorted(document)[rng.integers(len(document))]
    members[name] = _put(document, document, key, JSON[rng.integers(len(JSON))])
    return zipped(members)


# Documents


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every key of every object and list, all the way down."""
    for key, value in document.items() if isinstance(document, dict) else enumerate(document):
        yield document, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _put(document: Any, holder: Any, key: Any, text: str) -> bytes:
    """The document as text with some other text in place of a value."""
    holder[key] = _HERE
    return _bytes(json.dumps(document).replace(json.dumps(_HERE), text))


def _drawn(archive: Archive, rng: np.random.Generator) -> tuple[str, Any, list[tuple[Any, Any]]]:
    """A document, its name, and all its places."""
    names = [name for name in archive.documents if len(archive.documents[name]) > 2]
    name = names[rng.integers(len(names))]
    document = json.loads(archive.documents[name])
    return name, document, list(_places(document))


def _with(archive: Archive, name: str, text: str) -> bytes:
    return replace(archive, documents={**archive.documents, name: text}).packed()


def _document(archive: Archive, rng: np.random.Generator) -> bytes:
    """A value replaced by hostile text."""
    name, document, places = _drawn(archive, rng)
    holder, key = places[rng.integers(len(places))]
    text = JSON[rng.integers(len(JSON))] if rng.random() < 0.97 else long_json(30_000)
    return _with(archive, name, _put(document, holder, key, text).decode("utf-8", "surrogatepass"))


def _moved(archive: Archive, rng: np.random.Generator) -> bytes:
    """Values of the same document exchanged, removed, doubled or put under another name."""
    name, document, places = _drawn(archive, rng)
    (one, key), (other, place) = (places[i] for i in rng.integers(len(places), size=2))
    match rng.integers(4):
        case 0:  # of a copy: a value may hold the other
            copied = json.dumps(other[place])
            return _with(archive, name, _put(document, one, key, copied).decode())
        case 1:
            del one[key]
        case 2 if isinstance(one, dict):
            one[CLASSES[rng.integers(len(CLASSES))]] = one[key]
        case _ if isinstance(one, list):
            one += [one[key]] * int(rng.integers(1, 200))
    return _with(archive, name, json.dumps(document))


def _number(archive: Archive, rng: np.random.Generator) -> bytes:
    """A number a little, or much, larger; a word another."""
    name, document, places = _drawn(archive, rng)
    plain = [(h, k) for h, k in places if isinstance(h[k], int | float | str)]
    holder, key = plain[rng.integers(len(plain))]
    value = holder[key]
    if isinstance(value, str):
        words = sorted({h[k] for h, k in plain if isinstance(h[k], str)} | set(CLASSES))
        holder[key] = words[rng.integers(len(words))]
    else:
        factor = (-1.0, 0.0, 1.0 + 1e-6, 2.0, 1e3, 1e12, 1e300)[rng.integers(7)]
        changed = value * factor + int(rng.integers(-1, 2))
        whole = isinstance(value, int) and abs(changed) < 1e18
        holder[key] = int(changed) if whole else changed
    return _with(archive, name, json.dumps(document))


# Arrays


def _other_array(archive: Archive, name: str, content: bytes) -> bytes:
    return replace(archive, arrays={**archive.arrays, name: content}).packed()


def _array_drawn(archive: Archive, rng: np.random.Generator) -> tuple[str, Any]:
    names = sorted(archive.arrays)
    name = names[rng.integers(len(names))]
    return name, np.load(io.BytesIO(archive.arrays[name]))


def _header(archive: Archive, rng: np.random.Generator) -> bytes:
    """A header that promises something else, or is no header."""
    name, array = _array_drawn(archive, rng)
    text = HEADERS[rng.integers(len(HEADERS))].encode() + b"\n"
    version = (b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x09\x09")[rng.choice(4, p=[0.6, 0.2, 0.1, 0.1])]
    length = struct.pack("<H" if version == b"\x01\x00" else "<I", len(text))
    return _other_array(archive, name, b"\x93NUMPY" + version + length + text + array.tobytes())


_NUMBERS = (np.nan, np.inf, -np.inf, 0.0, -1.0, 1e-320, 1e-200, 1e150, 1e300, -1e308, 7.0, 1e6)


def _one_value(array: Any, rng: np.random.Generator) -> Any:
    """One entry replaced, or all of them."""
    kind = array.dtype.kind
    value = _NUMBERS[rng.integers(len(_NUMBERS))]
    array = np.array(array, order="C")
    if kind in "iub":
        value = int(rng.choice([-1, 0, 1, 7, 2**31, 2**62])) if kind == "i" else 1
    elif kind not in "fc":
        return array
    places = rng.integers(max(array.size, 1), size=1) if rng.random() < 0.7 else slice(None)
    if array.size:
        array.reshape(-1)[places] = value
    return array


_CHANGES: tuple[Callable[[Any, np.random.Generator], Any], ...] = (
    lambda a, rng: a[: len(a) // 2] if a.ndim else a,
    lambda a, rng: np.concatenate([a, a]) if a.ndim else a,
    lambda a, rng: a.ravel(),
    lambda a, rng: a.T,
    lambda a, rng: a[None],
    lambda a, rng: a[:0] if a.ndim else a,
    lambda a, rng: np.empty((0, *a.shape[1:])),
    lambda a, rng: a.astype(np.float32) if a.dtype.kind == "f" else a.astype("i2"),
    lambda a, rng: a.astype(a.dtype.newbyteorder(">")),
    lambda a, rng: a.astype("U8"),
    lambda a, rng: a.astype(bool),
    lambda a, rng: a * (1.0 + 1e-7) if a.dtype.kind == "f" else a,
    lambda a, rng: rng.permutation(a) if a.ndim else a,
    *([_one_value] * 8),
)


def _array(archive: Archive, rng: np.random.Generator) -> bytes:
    """Other values, another shape or type, in a form that is right; in every place it is used."""
    name, array = _array_drawn(archive, rng)
    try:
        changed = _CHANGES[rng.integers(len(_CHANGES))](array, rng)
    except (OverflowError, TypeError, ValueError):  # text is no number, a byte no million
        changed = array[:0] if array.ndim else array
    return _other_array(archive, name, npy(changed))


def _raw(archive: Archive, rng: np.random.Generator) -> bytes:
    """Bytes that are no value of the type: letters beyond Unicode, truths besides 0 and 1."""
    name, array = _array_drawn(archive, rng)
    dtype = ("|b1", "<U4", ">U2", "<f8", "<i8", "<M8[s]", "|S8", "<c16", "<f2")[rng.integers(9)]
    size = array.size * np.dtype(dtype).itemsize
    noise = np.frombuffer(rng.bytes(size), dtype).reshape(array.shape)
    return _other_array(archive, name, npy(noise))


def _exchanged(archive: Archive, rng: np.random.Generator) -> bytes:
    """Two arrays in each other's place."""
    (one, _), (other, _) = _array_drawn(archive, rng), _array_drawn(archive, rng)
    swapped = {one: archive.arrays[other], other: archive.arrays[one]}
    return replace(archive, arrays={**archive.arrays, **swapped}).packed()


FORGERIES: Mapping[str, Forgery] = {
    "truncated": _truncated,
    "bits flipped": _flipped,
    "spliced": _spliced,
    "directory": _directory,
    "compressed": _compressed,
    "names": _named,
    "many members": _many_members,
    "manifest": _manifest,
    "hostile JSON": _document,
    "values moved": _moved,
    "numbers and words": _number,
    "header of an array": _header,
    "values of an array": _array,
    "raw bytes of an array": _raw,
    "arrays exchanged": _exchanged,
}
"""The ways to forge a file, by name."""

_OFTEN = {"hostile JSON": 4, "values moved": 3, "numbers and words": 4, "values of an array": 4}
_TOTAL = sum(_OFTEN.get(name, 1) for name in FORGERIES)
_SHARES = [_OFTEN.get(name, 1) / _TOTAL for name in FORGERIES]
