"""The breast tumours of Wisconsin."""

from __future__ import annotations

from typing import Literal, overload

from .._arrays import FloatArray
from ._paper_rows import CANCER
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
        X, y = X[CANCER], y[CANCER]
    if return_X_y:
        return X, y
    return Table(X, y, FEATURES, ("benign", "malignant"), DESCRIPTION)
