"""Models and checkpoints: whole files, and their JSON alone in archives right otherwise."""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

__all__ = [
    "as_checkpoint",
    "checkpoints",
    "documents",
    "headers",
    "models",
    "read_checkpoint",
    "read_model",
    "with_checksums",
]

_DOCUMENT, _MANIFEST, _HEADER = "model.json", "manifest.json", "header.npy"


def read_model(path: Path) -> Any:
    """As ``transform`` and ``report`` do."""
    from hsiclearn._persistence import load_with_notes

    return load_with_notes(path)


def read_checkpoint(path: Path) -> Any:
    """As a fit does that is resumed."""
    from hsiclearn._solvers.checkpoint import CheckpointFile

    return CheckpointFile(path, _fingerprint()).load()


@cache
def models() -> Mapping[str, bytes]:
    """A fit, clusters and a pipeline from a table, of few rows."""
    import pandas as pd
    from sklearn.pipeline import make_pipeline

    import hsiclearn
    from hsiclearn._cli.tables import TableEncoder
    from hsiclearn.datasets import make_two_views

    X, y, _ = make_two_views("blobs", 40)
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "town": np.where(y > 0, "Ulm", "Köln")})
    fit = hsiclearn.SupervisedHSIC(1, bandwidth="median")
    found = {
        "fit": hsiclearn.SupervisedHSIC(2, bandwidth="median").fit(X, y),
        "clusters": hsiclearn.UnsupervisedHSIC(2, 1, init="identity").fit(X),
        "table": make_pipeline(TableEncoder(), fit).fit(table, y),
    }
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder, f"{name}.hsic") for name in found}
        for name, model in found.items():
            hsiclearn.save(model, paths[name])
        return {name: path.read_bytes() for name, path in paths.items()}


@cache
def _members() -> dict[str, dict[str, bytes]]:
    made = {}
    for name, content in models().items():
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            made[name] = {entry: archive.read(entry) for entry in archive.namelist()}
    return made


def documents() -> Mapping[str, bytes]:
    """What a model says of itself, in JSON."""
    return {name: members[_DOCUMENT] for name, members in _members().items()}


def with_checksums(document: bytes) -> bytes:
    """A model with this document, beside all arrays there are; every checksum is right."""
    members = {
        name: content
        for model in _members().values()
        for name, content in model.items()
        if name not in (_DOCUMENT, _MANIFEST)
    }
    members[_DOCUMENT] = document
    manifest = json.loads(_members()["fit"][_MANIFEST])
    manifest["sha256"] = {n: hashlib.sha256(c).hexdigest() for n, c in members.items()}
    return _zipped({_MANIFEST: json.dumps(manifest).encode(), **members})


def _zipped(members: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


@cache
def checkpoints() -> Mapping[str, bytes]:
    """Of a fit that was stopped."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    from hsiclearn import SupervisedHSIC
    from hsiclearn.datasets import make_planted

    X, y, _ = make_planted("ring", 40, 3)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        path = Path(folder, "fit.npz")
        SupervisedHSIC(1, bandwidth="median", max_iter=2, checkpoint=path).fit(X, y)
        return {"fit": path.read_bytes()}


@cache
def _checkpoint_members() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(checkpoints()["fit"])) as archive:
        return {entry: archive.read(entry) for entry in archive.namelist()}


def headers() -> Mapping[str, bytes]:
    """What a checkpoint says of itself, in JSON."""
    return {"fit": str(np.load(io.BytesIO(_checkpoint_members()[_HEADER]))).encode()}


@cache
def _fingerprint() -> dict[str, str]:
    found: dict[str, str] = json.loads(headers()["fit"])["fingerprint"]
    return found


def as_checkpoint(header: bytes) -> bytes:
    """A checkpoint with this header, whatever it says."""
    buffer = io.BytesIO()
    text = np.array(header.decode("utf-8", "replace").replace("\0", " "))
    np.save(buffer, text, allow_pickle=False)
    return _zipped({**_checkpoint_members(), _HEADER: buffer.getvalue()})
