"""The breast tumours of Wisconsin."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np

from .._arrays import FloatArray
from ._store import Folder, IntArray, Rows, Source, Table, numbers, read_source

__all__ = ["load_cancer"]

FEATURES = (
    *("clump_thickness", "cell_size", "cell_shape", "adhesion", "epithelial_size"),
    *("bare_nuclei", "bland_chromatin", "normal_nucleoli", "mitoses"),
)

DESCRIPTION = (
    "Nine grades from 1 to 10 of the cells of breast tumours. UCI Breast Cancer Wisconsin "
    "(Original), W. H. Wolberg, CC BY 4.0; 16 of its 699 rows have a missing value and are left "
    "out, and so is the column of patient numbers."
)

# Rows that reproduce the paper's figures, in the order of its own subset. Where rows of the table
# are equal, the first that is not yet taken stands for them.
_PAPER_ROWS = """
23 88 93 300 150 383 165 71 316 593 45 257 116 582 187 16 529 11 400 135 138 673 44 364 424 416
472 57 102 89 444 29 68 415 28 182 646 22 193 134 62 527 534 499 196 190 1 394 412 184 121 249 198
504 183 432 267 91 85 344 131 378 220 368 266 122 259 325 206 385 379 24 241 137 19 464 417 0 126
436 211 406 103 247 40 161 634 372 177 336 10 26 21 671 459 175 78 483 328 381 125 110 455 304 230
610 452 369 434 112 192 288 407 145 5 199 236 215 51 123 376 509 73 157 186 496 17 447 164 13 314
518 166 38 422 136 195
"""
PAPER_ROWS = np.array(_PAPER_ROWS.split(), dtype=np.int64)


def parse(raw: bytes) -> Rows:
    """Rows of the published file without the patient's number, where no value is missing."""
    rows = [line.split(",")[1:] for line in raw.decode("ascii").split()]
    return [row for row in rows if "?" not in row]


SOURCE = Source(
    name="cancer",
    url=(
        "https://archive.ics.uci.edu/ml/machine-learning-databases/"
        "breast-cancer-wisconsin/breast-cancer-wisconsin.data"
    ),
    columns=(*FEATURES, "label"),
    parse=parse,
    decode=numbers,
    checksum="0bfedd87f5f7ffde433b72578e59935d81e15df7cb0f6554ae6a3eda5b8b5e2b",
)


@overload
def load_cancer(
    *, paper: bool = ..., data_home: Folder | None = ..., return_X_y: Literal[False] = ...
) -> Table: ...
@overload
def load_cancer(
    *, paper: bool = ..., data_home: Folder | None = ..., return_X_y: Literal[True]
) -> tuple[FloatArray, IntArray]: ...
def load_cancer(
    *, paper: bool = False, data_home: Folder | None = None, return_X_y: bool = False
) -> Table | tuple[FloatArray, IntArray]:
    """683 breast tumours with 9 grades each, benign or malignant.

    Not the table of scikit-learn's ``load_breast_cancer``, which is a later one with 30 columns.

    Parameters
    ----------
    paper : bool
        The 137 rows, in their order, that reproduce the paper's figures.
    data_home : path, optional
        Folder of the cache. By default ``cancer.csv.gz`` is read from the folder that the
        environment variable ``HSICLEARN_DATA`` names; without it the cache is
        ``~/.cache/hsic-learn``.
    return_X_y : bool
        Return ``X, y`` alone.

    Returns
    -------
    Table, or ``X`` and ``y``
        ``y`` is 2 (benign) or 4 (malignant), as published, in 444 and 239 rows; with
        ``paper=True`` in 90 and 47.

    Raises
    ------
    DataNotFoundError
        No folder, no cache and no network; or the folder lacks the file.
    DataCorruptError
        The file found is not the published one.

    Examples
    --------
    >>> from hsiclearn.datasets import load_cancer
    >>> load_cancer(paper=True).X.shape  # doctest: +SKIP
    (137, 9)
    """
    X, labels = read_source(SOURCE, data_home)
    y = labels[:, 0]
    if paper:
        X, y = X[PAPER_ROWS], y[PAPER_ROWS]
    if return_X_y:
        return X, y
    return Table(X, y, FEATURES, ("benign", "malignant"), DESCRIPTION)
