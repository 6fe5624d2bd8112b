"""The container: a zip of JSON and ``.npy`` members, with the checksum of each in a manifest."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from .._arrays import Array
from .._stored import open_to_read, printable, read_array, read_json, read_members
from ..exceptions import ModelFileError

VERSION = 1
"""Of the format; a file of a later one is refused."""

_FORMAT = "hsiclearn model"
_MANIFEST = "manifest.json"
_TIMES_LENT = 50  # a fit names its arrays a few times; a union of equal fits does so for each
_LENT = 2**24  # bytes that may be asked for besides: of small arrays any number of times
_WHEN = (1980, 1, 1, 0, 0, 0)  # a constant: the same model makes the same bytes


class Arrays:
    """Arrays on their way into a file; equal ones are stored once."""

    def __init__(self) -> None:
        self.members: dict[str, bytes] = {}

    def keep(self, array: Array) -> str:
        """Take an array; the name of its member."""
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        content = buffer.getvalue()
        name = f"arrays/{_checksum(content)[:24]}.npy"
        self.members[name] = content
        return name


class Lent(dict[str, Array]):
    """Arrays on their way out of a file, by name.

    An object may ask for an array that another has asked for; but what is made of arrays takes time
    and memory for each, so that they may be asked for a limited number of bytes in all.
    """

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        super().__init__(arrays)
        self._left = _LENT + _TIMES_LENT * sum(array.nbytes for array in arrays.values())

    def __getitem__(self, name: str) -> Array:
        array = super().__getitem__(name)
        self._left -= array.nbytes
        if self._left < 0:
            raise ValueError(f"arrays are named more than {_TIMES_LENT} times each")
        return array


def write_archive(file: IO[bytes], documents: Mapping[str, Any], arrays: Arrays, by: str) -> None:
    """Write documents as ``NAME.json`` beside the arrays; not compressed, so bytes are stable."""
    members = {f"{name}.json": _dump(content) for name, content in documents.items()}
    members |= arrays.members
    manifest = {
        "format": _FORMAT,
        "version": VERSION,
        "written_by": by,
        "sha256": {name: _checksum(content) for name, content in members.items()},
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, content in {_MANIFEST: _dump(manifest), **members}.items():
            archive.writestr(zipfile.ZipInfo(name, _WHEN), content)


def read_archive(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """The documents and the arrays, once every checksum agrees."""
    with open_to_read(path) as file:
        return _read(file, path)


def _read(file: IO[bytes], path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    try:
        members = read_members(file)
        manifest = dict(read_json(members.pop(_MANIFEST)))
        is_ours, version = manifest["format"] == _FORMAT, manifest["version"]
        if type(version) is not int:
            raise TypeError("the version of the format must be a whole number")
        if is_ours and version > VERSION:
            raise ModelFileError(
                f"A model file must be of version {VERSION} of the format at most. {str(path)!r} "
                f"is of version {version:.6g}. Upgrade hsic-learn."
            )
        checksums = {name: _checksum(member) for name, member in members.items()}
        if not is_ours or version < 1 or manifest["sha256"] != checksums:
            raise ValueError("its contents do not agree with their checksums")
        documents: dict[str, Any] = {
            n[:-5]: read_json(c) for n, c in members.items() if n.endswith(".json")
        }
        documents["written_by"] = printable(manifest["written_by"], 80)
        arrays = {n: read_array(c) for n, c in members.items() if n.endswith(".npy")}
    except ModelFileError:
        raise
    except Exception as error:  # a damaged archive fails in as many ways as there are bytes
        raise ModelFileError(
            f"A model must be a file that hsiclearn.save wrote, whole. {str(path)!r} is damaged or "
            f"something else: {type(error).__name__}: {printable(error)}. Save the model again."
        ) from error
    return documents, arrays


def _dump(content: Any) -> bytes:
    return json.dumps(content, indent=1, allow_nan=False).encode()


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
