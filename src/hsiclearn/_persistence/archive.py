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
from .._stored import open_to_read, read_array, read_members
from ..exceptions import ModelFileError

VERSION = 1
"""Of the format; a file of a later one is refused."""

_FORMAT = "hsiclearn model"
_MANIFEST = "manifest.json"
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
        manifest = dict(json.loads(members.pop(_MANIFEST)))
        is_ours, version = manifest["format"] == _FORMAT, int(manifest["version"])
        if is_ours and version > VERSION:
            raise ModelFileError(
                f"A model file must be of version {VERSION} of the format at most. {str(path)!r} "
                f"is of version {version}. Upgrade hsic-learn."
            )
        checksums = {name: _checksum(member) for name, member in members.items()}
        if not is_ours or version < 1 or manifest["sha256"] != checksums:
            raise ValueError("its contents do not agree with their checksums")
        documents: dict[str, Any] = {"written_by": str(manifest["written_by"])}
        documents |= {n[:-5]: json.loads(c) for n, c in members.items() if n.endswith(".json")}
        arrays = {n: read_array(c) for n, c in members.items() if n.endswith(".npy")}
    except ModelFileError:
        raise
    except Exception as error:  # a damaged archive fails in as many ways as there are bytes
        raise ModelFileError(
            f"A model must be a file that hsiclearn.save wrote, whole. {str(path)!r} is damaged or "
            f"something else: {type(error).__name__}: {error!s:.300}. Save the model again."
        ) from error
    return documents, arrays


def _dump(content: Any) -> bytes:
    return json.dumps(content, indent=1, allow_nan=False).encode()


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
