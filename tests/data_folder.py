"""Where the tests find tables that are not part of the project."""

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"


def data_file(name):
    """The path of ``NAME.csv.gz`` in the folder ``HSICLEARN_DATA``, else in ``../shared/data``.

    Where it is missing the test is skipped, or fails on a continuous-integration machine, which
    sets the variable ``CI``.
    """
    path = Path(os.environ.get("HSICLEARN_DATA") or BESIDE) / f"{name}.csv.gz"
    if not path.is_file():
        reason = (
            f"{path.name} is not part of the project and not in the folder {path.parent}: "
            "set HSICLEARN_DATA to a folder that holds it"
        )
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path
