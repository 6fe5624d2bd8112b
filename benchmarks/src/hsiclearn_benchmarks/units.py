"""Independent units of work over processes, and a record of them that survives a cut."""

from __future__ import annotations

import json
import multiprocessing
import os
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from hsiclearn.exceptions import DataCorruptError

from ._types import Figures, Progress
from .processes import leave_with_parent

__all__ = ["Store", "Unit", "perform", "problems", "start_pool"]


@dataclass(frozen=True)
class Unit:
    """A call of a function of a module, which returns numbers.

    ``code`` says what these depend on besides the settings: figures of other code are not kept.
    """

    name: str
    task: Callable[..., Figures]
    settings: dict[str, Any] = field(default_factory=dict)
    code: str = ""


class Store:
    """Figures by part and unit, written to a file, if there is one, as they come."""

    def __init__(self, path: Path | None = None, *, resume: bool = False) -> None:
        self._path = path
        self._parts: dict[str, dict[str, Figures]] = {}
        if resume and path is not None and path.is_file() and path.stat().st_size:
            self._parts = _read(path)

    def get(self, part: str, unit: Unit) -> Figures | None:
        """What is known of a unit; a failure is not, so that it is tried again."""
        figures = self._parts.get(part, {}).get(unit.name)
        if figures is None or "problem" in figures or figures.get("code") != unit.code:
            return None
        return figures

    def put(self, part: str, unit: Unit, figures: Figures) -> None:
        """Keep, and write the whole: a cut never leaves half a file."""
        self._parts.setdefault(part, {})[unit.name] = figures | {"code": unit.code}
        if self._path is not None:
            text = json.dumps(self._parts, indent=1, allow_nan=False) + "\n"
            draft = self._path.with_name(f".{self._path.name}")
            draft.write_text(text)
            draft.replace(self._path)


def perform(
    part: str,
    units: Sequence[Unit],
    store: Store,
    *,
    jobs: int,
    tell: Progress,
    alone: bool = False,
) -> dict[str, Figures]:
    """Do what the store lacks; the figures of all units, of a failed one its ``problem``.

    Every process has one core, or all of them where the units are to be timed ``alone``.
    """
    found = {unit.name: store.get(part, unit) for unit in units}
    missing = [unit for unit in units if found[unit.name] is None]
    if missing:
        with start_pool(1 if alone else min(jobs, len(missing)), alone) as pool:
            waiting = {pool.submit(_figures, unit): unit for unit in missing}
            tell(0, len(missing), part)
            try:
                for done, future in enumerate(as_completed(waiting), 1):
                    unit, figures = waiting[future], future.result()
                    found[unit.name] = figures
                    store.put(part, unit, figures)
                    tell(done, len(missing), f"{part}: {unit.name}")
            except BaseException:  # of a cut run, what has not begun is not to be waited for
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return {name: figures for name, figures in found.items() if figures is not None}


def start_pool(jobs: int, alone: bool) -> Executor:
    """Processes started anew: threads of the parent's BLAS do not survive a fork."""
    context = multiprocessing.get_context("spawn")
    cores = context.SimpleQueue()
    for i in range(jobs):
        cores.put(None if alone else i)
    return ProcessPoolExecutor(jobs, context, initializer=_enter, initargs=(cores,))


def _enter(cores: Any) -> None:
    """One thread and one core for this process, unless it is alone."""
    threading.Thread(target=leave_with_parent, daemon=True).start()
    place = cores.get()
    if place is None:
        return
    threadpool_limits(1)
    if hasattr(os, "sched_setaffinity"):  # a fit starts as many threads as there are cores
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[place % len(allowed)]})


def _figures(unit: Unit) -> Figures:
    """A failure has figures too: hours of other units are not lost to it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return unit.task(**unit.settings)
        except Exception as error:
            return {"problem": f"{type(error).__name__}: {error}"}


def _read(path: Path) -> dict[str, dict[str, Figures]]:
    try:
        return dict(json.loads(path.read_text()))
    except ValueError as error:
        raise DataCorruptError(
            f"{path} must hold figures of an earlier run as JSON. Reading it failed with {error}. "
            "Name another file, or leave out --resume to begin anew."
        ) from error


def problems(found: Mapping[str, Figures]) -> list[str]:
    """What failed and why, as notes."""
    return [f"Failed: {name}: {f['problem']}" for name, f in found.items() if "problem" in f]
