"""The journal of a solve: which stage and start it is in, and what came of those before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from .._arrays import FloatArray
from .._objective import Objective
from .._progress import tell
from .._result import Record, Status
from ..exceptions import CheckpointError
from ._base import AbstractJournal, AbstractSolver, Run, Snapshot, Step
from .checkpoint import CheckpointFile, Entry, ended_run
from .progress import tell_resumed

__all__ = ["Journal"]


class Journal(AbstractJournal):
    """Follows a solve through its stages and starts, in memory and, if asked to, in a file.

    A solve is a sequence of stages, each a sequence of runs, in an order that follows from the
    problem alone. A file lists the runs in that order, at most the last one under way; so to
    resume is to walk the same sequence, taking from the file what it holds.

    Parameters
    ----------
    file : CheckpointFile, default=None
        None keeps everything in memory.
    resume : bool, default=False
        Whether to begin with what the file holds.
    """

    def __init__(self, file: CheckpointFile | None = None, resume: bool = False) -> None:
        self._file = file
        self._known = file.load() if file is not None and resume else []
        self._finished: list[Entry] = []
        self._stage = self._start = ""
        self._latest: Snapshot | None = None
        self._outcomes: list[tuple[Run, str]] = []
        self._under_way: tuple[Run, str] | None = None

    def open_stage(self, title: str) -> None:
        """Begin with other rows or another engine: iterates from before no longer compare."""
        self._stage = title
        self._outcomes, self._under_way = [], None
        tell(title)

    def follow(
        self, start: str, solver: AbstractSolver, W: FloatArray, drive: Callable[[], Run]
    ) -> Run:
        """The outcome of one run from W: from the file if it ended before, else driven."""
        self._start, self._under_way = start, None
        entry = self._next_known(W.shape)
        self._latest = None if entry is None else entry.snapshot
        if entry is not None and entry.status is not None:
            tell(self._stage, f"start {start!r} was finished before")
            objective = cast(Objective, solver.objective)
            outcome = ended_run(entry, entry.status, objective, solver.tol)
        else:
            outcome = drive()
        snapshot = Snapshot({"W": outcome.point.W}, outcome.history)
        self._finished.append(Entry(self._stage, start, outcome.status, snapshot))
        if entry is None or entry.status is None:
            self._save(self._finished)
        self._outcomes.append((outcome, start))
        self._under_way = None
        return outcome

    def latest(self) -> Snapshot | None:
        """Where an earlier attempt at the present run stood."""
        if self._latest is not None:
            tell_resumed(self._stage, self._start, self._latest.history)
        return self._latest

    def write(self, solver: AbstractSolver, step: Step, history: list[Record]) -> None:
        """Keep the best iterate of the present run, and save where it stands."""
        best = solver.best(step)
        self._under_way = (Run(best, Status.INTERRUPTED, tuple(history)), self._start)
        if self._file is not None:
            snapshot = Snapshot(solver.state(), tuple(history))
            self._save([*self._finished, Entry(self._stage, self._start, None, snapshot)])

    def interrupted(self) -> list[tuple[Run, str]]:
        """What an interrupt leaves of this stage: its finished runs, and the one under way."""
        ended = [(replace(run, status=Status.INTERRUPTED), name) for run, name in self._outcomes]
        return ended if self._under_way is None else [*ended, self._under_way]

    def _save(self, entries: list[Entry]) -> None:
        if self._file is not None:
            self._file.save(entries)

    def _next_known(self, shape: tuple[int, ...]) -> Entry | None:
        """The file's word on the run that is due, from a start of that shape, if it has one."""
        position = len(self._finished)
        if position >= len(self._known):
            return None
        entry = self._known[position]
        if (entry.stage, entry.start) != (self._stage, self._start):
            raise CheckpointError(
                "A solve must be resumed by the version of hsiclearn that began it. Run "
                f"{position + 1} is start {self._start!r} on {self._stage}; the checkpoint has "
                f"start {entry.start!r} on {entry.stage}. Start afresh with resume=False."
            )
        if entry.snapshot.W.shape != shape:
            raise CheckpointError(
                f"The directions of a run must have shape {shape}, as at its start. The checkpoint "
                f"has shape {entry.snapshot.W.shape}. Start afresh with resume=False."
            )
        return entry
