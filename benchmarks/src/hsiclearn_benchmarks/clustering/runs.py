"""What the parts share: tables of the data folder, seconds, and figures as text."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._types import Figures

__all__ = ["mean_of", "number", "optional", "read", "share", "timed"]


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and the seconds it took."""
    start = time.perf_counter()
    value = function()
    return value, time.perf_counter() - start


def read(name: str) -> pd.DataFrame:
    """A file of the data folder."""
    path = Path(os.environ.get("HSICLEARN_DATA", "")) / f"{name}.csv.gz"
    if not path.exists():
        raise FileNotFoundError(f"no {path}; set HSICLEARN_DATA to the folder that holds it")
    return pd.read_csv(path)


def optional(module: str) -> Any:
    """A module, or None where it is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        return None


def mean_of(records: Sequence[Figures], key: str) -> float:
    """Mean of a figure; NaN where nobody has it."""
    values = [record[key] for record in records if record.get(key) is not None]
    return float(np.mean(values)) if values else float("nan")


def share(value: float) -> str:
    """A share in per cent, or that its method is not installed."""
    return "not installed" if np.isnan(value) else f"{100 * value:.0f} %"


def number(value: float | None, digits: int = 2) -> str:
    """With so many digits; a dash where there is none."""
    return "-" if value is None or np.isnan(value) else f"{value:.{digits}f}"
