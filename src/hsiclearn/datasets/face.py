"""The faces of Carnegie Mellon."""

from __future__ import annotations

import io
import re
import tarfile
from pathlib import PurePosixPath
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from .._arrays import FloatArray
from ._store import Folder, IntArray, Rows, Source, Table, read_source

__all__ = ["load_face"]

HEIGHT, WIDTH = 30, 32
PIXELS = tuple(f"p{row}_{column}" for row in range(HEIGHT) for column in range(WIDTH))

# In alphabetical order: a name's place is its code.
TARGETS = {
    "identity": (
        *("an2i", "at33", "boland", "bpm", "ch4f", "cheyer", "choon", "danieln", "glickman"),
        *("karyadi", "kawamura", "kk49", "megak", "mitchell", "night", "phoebe", "saavik"),
        *("steffi", "sz24", "tammo"),
    ),
    "pose": ("left", "right", "straight", "up"),
}

DESCRIPTION = (
    "Grey pictures of 20 people in 4 poses, with 4 expressions, with and without sunglasses, "
    "32 x 30 pixels, row by row. UCI CMU Face Images, T. Mitchell, free for research and teaching "
    "with attribution; the 16 of 640 pictures that are marked as bad are left out."
)

# The 16 bad pictures end in .bad; the archive may also hold other sizes.
_PICTURE = re.compile(r"([a-z0-9]+)_([a-z]+)_([a-z]+)_([a-z]+)_4\.pgm")
_HEADER = re.compile(rb"(P[25])" + 3 * rb"(?:\s|#[^\n]*\n)+(\d+)" + rb"\s")


def read_pgm(raw: bytes) -> list[int]:
    """Grey values of a 32 x 30 picture in the format PGM, binary (P5) or text (P2)."""
    header = _HEADER.match(raw)
    if header is None:
        raise ValueError(f"a picture must begin with a PGM header. Got {raw[:20]!r}")
    kind, width, height, highest = header.groups()
    body = raw[header.end() :]
    values = list(body) if kind == b"P5" else [int(word) for word in body.split()]
    if (int(width), int(height), len(values)) != (WIDTH, HEIGHT, len(PIXELS)) or int(highest) > 255:
        raise ValueError(
            f"a picture must have {WIDTH} x {HEIGHT} pixels of one byte. Got {int(width)} x "
            f"{int(height)} with {len(values)} values up to {int(highest)}"
        )
    return values


def parse(raw: bytes) -> Rows:
    """Pixels, person, pose, expression and eyes of the pictures in the published archive."""
    rows = []
    with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
        for member in archive:
            name = _PICTURE.fullmatch(PurePosixPath(member.name).name)
            file = archive.extractfile(member)
            if name and file:
                rows.append([*map(str, read_pgm(file.read())), *name.groups()])
    return rows


def decode(rows: npt.NDArray[np.str_]) -> tuple[FloatArray, IntArray]:
    """Pixels and codes of person and pose, in the order of the pictures' names."""
    names = rows[:, len(PIXELS) :]
    # The order of an archive, or of a folder, is nobody's promise.
    order = np.lexsort(names.T[::-1])
    codes = [
        [values.index(str(name)) for name in names[order, column]]
        for column, values in enumerate(TARGETS.values())
    ]
    X = rows[order, : len(PIXELS)].astype(np.float64)
    return X, np.array(codes, dtype=np.int64).T


SOURCE = Source(
    name="face",
    url="https://archive.ics.uci.edu/ml/machine-learning-databases/faces-mld/faces_4.tar.gz",
    columns=(*PIXELS, "identity_name", "pose_name", "expression", "eyes"),
    parse=parse,
    decode=decode,
    checksum="a488b29c05859659cba81fd1cba9d1f460d734078b1990f3fe16d85f0b7cbcf5",
)


@overload
def load_face(
    *,
    target: str = ...,
    paper: bool = ...,
    data_home: Folder | None = ...,
    return_X_y: Literal[False] = ...,
) -> Table: ...
@overload
def load_face(
    *,
    target: str = ...,
    paper: bool = ...,
    data_home: Folder | None = ...,
    return_X_y: Literal[True],
) -> tuple[FloatArray, IntArray]: ...
def load_face(
    *,
    target: str = "identity",
    paper: bool = False,
    data_home: Folder | None = None,
    return_X_y: bool = False,
) -> Table | tuple[FloatArray, IntArray]:
    """624 pictures of 20 people in 4 poses, 960 pixels each.

    Rows are sorted by person, pose, expression and eyes, and so are the same for both targets.

    Parameters
    ----------
    target : {"identity", "pose"}
        What ``y`` says: the person, 0 to 19, or the pose, 0 to 3 (left, right, straight, up).
    paper : bool
        The paper uses all rows; makes no difference.
    data_home : path, optional
        Folder of the cache. By default ``face.csv.gz`` is read from the folder that the environment
        variable ``HSICLEARN_DATA`` names; without it the cache is ``~/.cache/hsic-learn``.
    return_X_y : bool
        Return ``X, y`` alone.

    Returns
    -------
    Table, or ``X`` and ``y``
        ``X`` holds grey values from 0 to 153.

    Raises
    ------
    DataNotFoundError
        No folder, no cache and no network; or the folder lacks the file.
    DataCorruptError
        The file found is not the published one.

    Examples
    --------
    >>> from hsiclearn.datasets import load_face
    >>> load_face(target="pose").target_names  # doctest: +SKIP
    ('left', 'right', 'straight', 'up')
    """
    if target not in TARGETS:
        raise ValueError(f"`target` must be one of {list(TARGETS)}. Got {target!r}.")
    X, labels = read_source(SOURCE, data_home)
    y = labels[:, list(TARGETS).index(target)]
    if return_X_y:
        return X, y
    return Table(X, y, PIXELS, TARGETS[target], DESCRIPTION)
