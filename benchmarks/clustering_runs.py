"""Independent runs over processes, their record, and tables in markdown."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Record = dict[str, Any]
DATA = Path(
    os.environ.get("HSICLEARN_DATA", Path(__file__).resolve().parents[2] / "shared" / "data")
)


@dataclass(frozen=True)
class Run:
    """One call of a function that returns a flat record of figures."""

    name: str
    function: Callable[..., Record]
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """What to run, and how to print it."""

    runs: Callable[[argparse.Namespace], list[Run]]
    table: Callable[[list[Record]], str]


class Store:
    """Figures of every run, by part and name; written after each run if there is a file."""

    def __init__(self, path: Path | None, resume: bool) -> None:
        self._path = path
        keep = resume and path is not None and path.exists()
        self._parts: dict[str, dict[str, Record]] = json.loads(path.read_text()) if keep else {}

    def get(self, part: str, name: str) -> Record | None:
        """The record of a run that was done without an error."""
        record = self._parts.get(part, {}).get(name)
        return None if record is None or "error" in record else record

    def put(self, part: str, record: Record) -> None:
        """Keep a record."""
        self._parts.setdefault(part, {})[record["name"]] = record
        if self._path is not None:
            self._path.write_text(json.dumps(self._parts, indent=1, default=float) + "\n")


def perform(part: str, runs: Sequence[Run], n_processes: int, store: Store) -> list[Record]:
    """Do all runs that the store lacks; the records, in the order of the runs."""
    records = {run.name: store.get(part, run.name) for run in runs}
    missing = [run for run in runs if records[run.name] is None]
    began = time.perf_counter()
    # Started anew rather than forked, so that they read how many threads to use.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, n_processes), mp_context=context) as pool:
        futures = [pool.submit(_one, run) for run in missing]
        for done, future in enumerate(as_completed(futures), 1):
            record = future.result()
            records[record["name"]] = record
            store.put(part, record)
            _progress(part, done, len(missing), time.perf_counter() - began)
    return [record for record in records.values() if record is not None]


def _one(run: Run) -> Record:
    """One run; a failure is a record too, so that hours of other runs are not lost."""
    warnings.simplefilter("ignore")
    try:
        record = run.function(**run.arguments)
    except Exception as error:
        record = {"error": f"{type(error).__name__}: {error}"}
    return {"name": run.name, **record}


def _progress(part: str, done: int, total: int, seconds: float) -> None:
    left = seconds / done * (total - done)
    end = "\n" if done == total else ""
    line = f"{part}: {done} of {total} runs, {seconds / 60:.1f} min, about {left / 60:.1f} left"
    print(f"\r{line:70}", end=end, file=sys.stderr, flush=True)


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and the seconds it took."""
    start = time.perf_counter()
    value = function()
    return value, time.perf_counter() - start


def read(name: str) -> pd.DataFrame:
    """A file of the data folder."""
    path = DATA / f"{name}.csv.gz"
    if not path.exists():
        raise FileNotFoundError(f"no {path.name} in the data folder; set HSICLEARN_DATA")
    return pd.read_csv(path)


def optional(module: str) -> Any:
    """A module, or None where it is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        return None


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; the first column to the left, the others to the right."""
    lines = [list(head), ["---", *["---:"] * (len(head) - 1)]]
    lines += [[cell if isinstance(cell, str) else str(cell) for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def mean_of(records: Sequence[Record], key: str) -> float:
    """Mean of a figure; NaN where nobody has it."""
    values = [record[key] for record in records if record.get(key) is not None]
    return float(np.mean(values)) if values else float("nan")


def share(value: float) -> str:
    """A share in per cent, or that its method is not installed."""
    return "not installed" if np.isnan(value) else f"{100 * value:.0f} %"


def number(value: float | None, digits: int = 2) -> str:
    """With so many digits; a dash where there is none."""
    return "-" if value is None or np.isnan(value) else f"{value:.{digits}f}"
