"""The cars."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np

from .._arrays import FloatArray
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

# Rows that reproduce the paper's figures, in the order of its own subset. Where rows of the table
# are equal, the first that is not yet taken stands for them.
_PAPER_ROWS = """
464 218 1419 1643 648 878 850 79 35 124 24 566 1155 1297 1512 1041 933 1003 1135 603 1468 817 1598
863 28 203 690 78 1687 163 42 1482 1142 1570 948 682 728 1084 315 429 800 1404 10 1188 227 316 269
1403 286 403 205 178 1044 590 529 654 135 195 901 994 969 89 1105 1618 1368 793 1580 983 919 75
379 295 589 1446 54 1617 126 1632 294 1111 1559 1024 1210 68 513 1211 1405 468 173 459 803 1678
720 532 1166 391 640 388 275 755 650 327 591 547 1203 206 1176 2 705 995 843 340 102 1310 1633 882
1245 751 187 453 893 151 1493 619 298 1624 741 293 1442 255 140 551 721 149 1382 771 1225 1145 597
394 607 199 359 1138 252 967 497 378 441 1299 1652 875 1014 320 471 219 965 1545 1157 570 204 727
890 1434 918 1325 799 192 638 1488 1500 1336 254 925 427 580 678 222 1629 1586 1626 389 1030 807
567 1389 245 876 309 706 123 556 347 1415 711 1498 349 849 1272 97 134 318 844 734 984 804 344
1147 828 198 1260 1121 384 23 1320 869 1636 1207 122 1343 1242 692 665 583 413 1001 253 191 1495
1023 1562 1149 1071 515 224 1170 356 796 511 1489 31 440 577 791 1497 1542 784 1112 1516 30 1118
910 503 1265 1049 485 896 132 1483 313 775 834 1074 842 524 1646 343 1394 506 773 917 223 1457 4
1407 1528 410 1053 12 964 1198 90 1175 1114 1539 1130 1165 537 716 596 696 675 202 387 1083 981
284 902 1093 879 766 811 966 676 120 36 244 329 924 552 937 258 839 439 1095 1551 241 990 1088
1204 816 1247 1184 490 1334 1174 1209 53 13 865 278 1100 1413 454 1293 1061 194 136 1257 1159 370
862 833 1051 455 781
"""
PAPER_ROWS = np.array(_PAPER_ROWS.split(), dtype=np.int64)


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
        X = X[PAPER_ROWS]
        y = X[:, FEATURES.index(target)].astype(np.int64)
    if return_X_y:
        return X, y
    return Table(X, y, FEATURES, VALUES[target], DESCRIPTION)
