"""Tables, and where they are read from: a folder of the user's, the cache, or the network.

The folder and the cache have the same layout, ``NAME.csv.gz`` with a header row, so a cache that
was filled on one machine serves as the folder of another.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import http.client
import os
import tarfile
import urllib.request
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._arrays import FloatArray
from .._files import replacing
from ..exceptions import DataCorruptError, DataNotFoundError

VARIABLE = "HSICLEARN_DATA"
TIMEOUT = 60.0  # seconds without an answer

IntArray = npt.NDArray[np.int64]
Folder = str | os.PathLike[str]
Rows = list[list[str]]
Content = tuple[FloatArray, IntArray]

_MALFORMED = (
    *(ValueError, IndexError, EOFError, csv.Error),
    *(gzip.BadGzipFile, zlib.error, tarfile.TarError),
)


class Table(NamedTuple):
    """Rows with one label each.

    Attributes
    ----------
    X : array of shape (n_samples, n_features), float64
    y : array of shape (n_samples,), int64
    feature_names : tuple of str
        One per column of ``X``.
    target_names : tuple of str
        One per value of ``np.unique(y)``, in that order.
    description : str
        The source, what was done to it, and its licence.
    """

    X: FloatArray
    y: IntArray
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    description: str


class Source(NamedTuple):
    """A table: its address, its columns, and how to read it.

    ``parse`` turns the file at ``url`` into rows of text, one entry per column; ``decode`` turns
    those into X and a matrix of labels, whose ``checksum`` is known.
    """

    name: str
    url: str
    columns: tuple[str, ...]
    parse: Callable[[bytes], Rows]
    decode: Callable[[npt.NDArray[np.str_]], Content]
    checksum: str


def read_source(source: Source, data_home: Folder | None) -> Content:
    """X and the labels: from the user's folder if there is one, the cache, or the network.

    A ``data_home`` is the cache to use, and then the folder is not asked.
    """
    file = f"{source.name}.csv.gz"
    folder = os.environ.get(VARIABLE)
    if folder and data_home is None:
        path = Path(folder).expanduser() / file
        if not path.is_file():
            raise DataNotFoundError(
                f"Where {VARIABLE} is set, tables are read from that folder alone. Got "
                f"{VARIABLE}={folder!r}, without a file {file}. Put {file} there, or unset "
                f"{VARIABLE} to use the cache and the network."
            )
        return _read(source, path, f"Replace the file, or unset {VARIABLE}.")
    cache = Path.home() / ".cache" / "hsic-learn" if data_home is None else Path(data_home)
    path = cache.expanduser() / file
    if path.is_file():
        return _read(source, path, "Delete the file to have it fetched again.")
    raw = _download(source, path)
    rows, content = _checked(
        source,
        lambda: source.parse(raw),
        source.url,
        f"Try again later, or set {VARIABLE} to a folder that holds {file}.",
    )
    try:
        _write(path, source.columns, rows)
    except OSError as error:
        warnings.warn(
            f"The table {source.name!r} was fetched but cannot be kept in {path.parent}: {error}. "
            "Pass a data_home that can be written to.",
            RuntimeWarning,
            stacklevel=4,
        )
    return content


def numbers(rows: npt.NDArray[np.str_]) -> Content:
    """Decode rows of numbers whose last entry is the label."""
    table = rows.astype(np.float64)
    return table[:, :-1], table[:, -1:].astype(np.int64)


def checksum(X: FloatArray, labels: IntArray) -> str:
    """SHA-256 of both, row by row and little-endian, so that every machine finds the same."""
    seen = hashlib.sha256(X.astype("<f8").tobytes())
    seen.update(labels.astype("<i8").tobytes())
    return seen.hexdigest()


def _checked(
    source: Source, rows_of: Callable[[], Rows], origin: Any, remedy: str
) -> tuple[Rows, Content]:
    try:
        rows = rows_of()
        content = source.decode(np.array(rows))
    except _MALFORMED as error:
        raise DataCorruptError(
            f"{origin} must hold the table {source.name!r} in its published format. "
            f"Reading it failed with {type(error).__name__}: {error}. {remedy}"
        ) from error
    seen = checksum(*content)
    if seen != source.checksum:
        raise DataCorruptError(
            f"The table {source.name!r} must have the SHA-256 checksum {source.checksum}. Got "
            f"{seen} for the {content[0].shape} table from {origin}. {remedy}"
        )
    return rows, content


def _read(source: Source, path: Path, remedy: str) -> Content:
    def rows() -> Rows:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            lines = csv.reader(file)
            header = next(lines, [])
            keep = [header.index(column) for column in source.columns]
            return [[line[i] for i in keep] for line in lines]

    return _checked(source, rows, path, remedy)[1]


def _download(source: Source, path: Path) -> bytes:
    try:
        # Addresses are constants of the package, all of them https.
        with urllib.request.urlopen(source.url, timeout=TIMEOUT) as response:  # nosec B310
            return bytes(response.read())
    except (OSError, http.client.HTTPException) as error:
        raise DataNotFoundError(
            f"The table {source.name!r} is not part of the package: it is read from the folder "
            f"{VARIABLE}, the cache, or the network. {VARIABLE} is not set, {path} does not exist, "
            f"and {source.url} failed with {type(error).__name__}: {error}. Connect to the "
            f"network, or set {VARIABLE} to a folder that holds {path.name} (a copy of another "
            "machine's cache will do)."
        ) from error


def _write(path: Path, columns: tuple[str, ...], rows: Rows) -> None:
    """Write under another name, then rename: a reader never meets half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        replacing(path) as file,
        gzip.open(file, "wt", encoding="utf-8", newline="") as text,
    ):
        csv.writer(text).writerows([columns, *rows])
