"""Ways to forge the parts of a file: what its documents say, and its arrays."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from .forge_archive import Archive, as_bytes, npy, zipped
from .hostile import CLASSES, HEADERS, JSON, long_json

__all__ = [
    "arrays_exchanged",
    "hostile_text",
    "other_array",
    "other_header",
    "other_manifest",
    "other_values",
    "raw_bytes",
    "values_moved",
]

_HERE = "\x07here\x07"  # stands for text to be put in, which need not be JSON


def other_manifest(archive: Archive, rng: np.random.Generator) -> bytes:
    """Another version, format or author."""
    members = archive.members()
    name = next(iter(set(members) & {"manifest.json"}), None)
    if name is None:
        return hostile_text(archive, rng)
    document = json.loads(members[name])
    key = sorted(document)[rng.integers(len(document))]
    members[name] = _put(document, document, key, JSON[rng.integers(len(JSON))])
    return zipped(members)


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every key of every object and list, all the way down."""
    for key, value in document.items() if isinstance(document, dict) else enumerate(document):
        yield document, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _put(document: Any, holder: Any, key: Any, text: str) -> bytes:
    """The document as text with some other text in place of a value."""
    holder[key] = _HERE
    return as_bytes(json.dumps(document).replace(json.dumps(_HERE), text))


def _drawn(archive: Archive, rng: np.random.Generator) -> tuple[str, Any, list[tuple[Any, Any]]]:
    """A document, its name, and all its places."""
    names = [name for name in archive.documents if len(archive.documents[name]) > 2]
    name = names[rng.integers(len(names))]
    document = json.loads(archive.documents[name])
    return name, document, list(_places(document))


def _with(archive: Archive, name: str, text: str) -> bytes:
    return replace(archive, documents={**archive.documents, name: text}).packed()


def hostile_text(archive: Archive, rng: np.random.Generator) -> bytes:
    """A value replaced by hostile text."""
    name, document, places = _drawn(archive, rng)
    holder, key = places[rng.integers(len(places))]
    text = JSON[rng.integers(len(JSON))] if rng.random() < 0.97 else long_json(30_000)
    return _with(archive, name, _put(document, holder, key, text).decode("utf-8", "surrogatepass"))


def values_moved(archive: Archive, rng: np.random.Generator) -> bytes:
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


def other_values(archive: Archive, rng: np.random.Generator) -> bytes:
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


def _with_array(archive: Archive, name: str, content: bytes) -> bytes:
    return replace(archive, arrays={**archive.arrays, name: content}).packed()


def _array_drawn(archive: Archive, rng: np.random.Generator) -> tuple[str, Any]:
    names = sorted(archive.arrays)
    name = names[rng.integers(len(names))]
    return name, np.load(io.BytesIO(archive.arrays[name]))


def other_header(archive: Archive, rng: np.random.Generator) -> bytes:
    """A header that promises something else, or is no header."""
    name, array = _array_drawn(archive, rng)
    text = HEADERS[rng.integers(len(HEADERS))].encode() + b"\n"
    version = (b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x09\x09")[
        rng.choice(4, p=[0.6, 0.2, 0.1, 0.1])
    ]
    length = struct.pack("<H" if version == b"\x01\x00" else "<I", len(text))
    return _with_array(archive, name, b"\x93NUMPY" + version + length + text + array.tobytes())


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


def other_array(archive: Archive, rng: np.random.Generator) -> bytes:
    """Other values, another shape or type, in a form that is right; in every place it is used."""
    name, array = _array_drawn(archive, rng)
    try:
        changed = _CHANGES[rng.integers(len(_CHANGES))](array, rng)
    except (OverflowError, TypeError, ValueError):  # text is no number, a byte no million
        changed = array[:0] if array.ndim else array
    return _with_array(archive, name, npy(changed))


def raw_bytes(archive: Archive, rng: np.random.Generator) -> bytes:
    """Bytes that are no value of the type: letters beyond Unicode, truths besides 0 and 1."""
    name, array = _array_drawn(archive, rng)
    dtype = ("|b1", "<U4", ">U2", "<f8", "<i8", "<M8[s]", "|S8", "<c16", "<f2")[rng.integers(9)]
    size = array.size * np.dtype(dtype).itemsize
    noise = np.frombuffer(rng.bytes(size), dtype).reshape(array.shape)
    return _with_array(archive, name, npy(noise))


def arrays_exchanged(archive: Archive, rng: np.random.Generator) -> bytes:
    """Two arrays in each other's place; of one, another in its own."""
    if len(archive.arrays) < 2:
        return other_array(archive, rng)
    (one, _), (other, _) = _array_drawn(archive, rng), _array_drawn(archive, rng)
    swapped = {one: archive.arrays[other], other: archive.arrays[one]}
    return replace(archive, arrays={**archive.arrays, **swapped}).packed()
