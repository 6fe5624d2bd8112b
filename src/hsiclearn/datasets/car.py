"""The cars."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np

from .._arrays import FloatArray
from ._paper_rows import CAR
from ._store import Folder, IntArray, Rows, Source, Table, numbers, read_source

__all__ = ["load_car"]

# The code of a value is its place in its list.
VALUES = {
    "buying": ("low", "med", "high", "vhigh"),
    "maint": ("low", "med", "high", "vhigh"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
    "label": ("unacc", "acc", "good", "vgood"),
}

FEATURES = tuple(VALUES)[:-1]

DESCRIPTION = (
    "All 1728 combinations of six properties of a car, each judged by a decision model. UCI Car "
    "Evaluation, M. Bohanec, CC BY 4.0; every property is coded 0, 1, ... from least to most."
)


def parse(raw: bytes) -> Rows:
    """Rows of the published file, words replaced by codes."""
    lines = [line.split(",") for line in raw.decode("ascii").split()]
    return [
        [str(values.index(word)) for values, word in zip(VALUES.values(), line, strict=True)]
        for line in lines
    ]


SOURCE = Source(
    name="car",
    url="https://archive.ics.uci.edu/ml/machine-learning-databases/car/car.data",
    columns=tuple(VALUES),
    parse=parse,
    decode=numbers,
    checksum="32c17fee9d5316d373e5937c054eaa193d2386cff3a5cfb8cfb3c6de470c6fcd",
)


@overload
def load_car(
    *, paper: bool = ..., data_home: Folder | None = ..., return_X_y: Literal[False] = ...
) -> Table: ...
@overload
def load_car(
    *, paper: bool = ..., data_home: Folder | None = ..., return_X_y: Literal[True]
) -> tuple[FloatArray, IntArray]: ...
def load_car(
    *, paper: bool = False, data_home: Folder | None = None, return_X_y: bool = False
) -> Table | tuple[FloatArray, IntArray]:
    """1728 cars with 6 ordinal properties each, judged on a scale of 4.

    Parameters
    ----------
    paper : bool
        The 346 rows, in their order, that reproduce the paper's figures. Their label is not the
        judgement but **a copy of the column** ``safety``, which stays in ``X``: a single column
        tells the classes apart.
    data_home : path, optional
        Folder of the cache. By default ``car.csv.gz`` is read from the folder that the environment
        variable ``HSICLEARN_DATA`` names; without it the cache is ``~/.cache/hsic-learn``.
    return_X_y : bool
        Return ``X, y`` alone.

    Returns
    -------
    Table, or ``X`` and ``y``
        ``y`` is 0, 1, 2 or 3 (unacceptable to very good) in 1210, 384, 69 and 65 rows; with
        ``paper=True`` it is 0, 1 or 2 (low to high safety) in 121, 114 and 111.

    Raises
    ------
    DataNotFoundError
        No folder, no cache and no network; or the folder lacks the file.
    DataCorruptError
        The file found is not the published one.

    Examples
    --------
    >>> from hsiclearn.datasets import load_car
    >>> load_car(paper=True).target_names  # doctest: +SKIP
    ('low', 'med', 'high')
    """
    X, labels = read_source(SOURCE, data_home)
    y, target = labels[:, 0], "label"
    if paper:
        target = "safety"
        X = X[CAR]
        y = X[:, FEATURES.index(target)].astype(np.int64)
    if return_X_y:
        return X, y
    return Table(X, y, FEATURES, VALUES[target], DESCRIPTION)
