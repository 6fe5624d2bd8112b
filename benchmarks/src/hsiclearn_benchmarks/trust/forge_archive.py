"""A model file or a checkpoint taken apart, and put together again with checksums that agree."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

__all__ = ["Archive", "as_bytes", "npy", "zipped"]

_WHEN = (1980, 1, 1, 0, 0, 0)


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
        documents = {
            name: members.pop(name).decode() for name in sorted(members) if ".json" in name
        }
        return cls(documents, members, manifest)

    def members(self) -> dict[str, bytes]:
        """What goes into the archive, with checksums that agree."""
        if self.manifest is None:
            header = npy(np.array(self.documents["header"]))
            return {**self.arrays, "header.npy": header}
        members = {name: as_bytes(text) for name, text in self.documents.items()} | dict(
            self.arrays
        )
        sums = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
        manifest = json.dumps({**self.manifest, "sha256": sums})
        return {"manifest.json": as_bytes(manifest), **members}

    @cached_property
    def whole(self) -> bytes:
        """The file that is good."""
        return self.packed()

    def packed(self) -> bytes:
        """The file again."""
        return zipped(self.members())


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


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
