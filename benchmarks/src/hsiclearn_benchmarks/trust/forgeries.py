"""Forged model files and checkpoints: refused by the error documented, or of no consequence."""

from __future__ import annotations

import signal
import tempfile
import time
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import InconsistentVersionWarning

from hsiclearn.exceptions import CheckpointError, ModelFileError, NotConvergedWarning

from ..parts import Goal, Part, markdown
from .forge import FORGERIES, forge
from .forge_targets import Target, checkpoints, models
from .given import Given

__all__ = ["Verdict", "measure_forgeries", "verdict_on"]

_N = 100_000
_SHARE = 0.1  # of the files are checkpoints: a resumed fit takes longer
_WEIGHED = 50  # memory is measured of every so manieth file: it doubles the time
_LARGE = 50_000  # bytes of a file that is weighed every other time
_PATIENCE = 20.0  # seconds until a file is given up
_SECONDS, _TIMES, _CONSTANT = 1.0, 40.0, 2.0  # goals; MB
_SHOWN = 20  # findings


class _LateError(BaseException):
    """No Exception: what catches all of those would go on."""


@dataclass(frozen=True)
class Verdict:
    """What became of a file: ``refused`` or ``loaded``, or a finding; and what it took."""

    outcome: str
    seconds: float
    finding: str = ""
    peak: int | None = None


@dataclass
class _Tally:
    """Counts by way, the worst of what files took, and what was found."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    slowest: str = ""
    excess: float = 0.0  # bytes of memory for each byte of a file, less the constant
    largest: str = ""
    weighed: int = 0

    def add(self, where: str, how: str, verdict: Verdict, n_bytes: int) -> None:
        """Count one."""
        self.counts[how, verdict.outcome] += 1
        if verdict.finding:
            self.findings.append(f"{where}, {how}: {verdict.finding}")
        if verdict.seconds > self.seconds and verdict.peak is None:
            self.seconds, self.slowest = verdict.seconds, f"{where}, {how}"
        if verdict.peak is not None:
            self.weighed += 1
            times = (verdict.peak - _CONSTANT * 1e6) / max(n_bytes, 1)
            if times > self.excess:
                self.excess, self.largest = times, f"{where}, {how}, {n_bytes:,} bytes"


def measure_forgeries(given: Given) -> Part:
    """Forge and read, again and again; the seed and the number of a file say what was in it."""
    n, tally = given.times(_N), _Tally()
    n_checkpoints = max(round(_SHARE * n), 1)
    with tempfile.TemporaryDirectory() as folder:
        groups = (
            (models(Path(folder)), n - n_checkpoints),
            (checkpoints(Path(folder)), n_checkpoints),
        )
        for which, (targets, count) in enumerate(groups):
            for i in range(count):
                if i % 1000 == 0:
                    given.tell(f"{sum(tally.counts.values()):,} of {n:,} files")
                target = targets[i % len(targets)]
                rng = np.random.default_rng([given.seed, which, i])
                how, content = forge(target.archive, rng)
                target.path.write_bytes(content)
                often = _WEIGHED if len(content) < _LARGE else 2
                verdict = verdict_on(target, weigh=i % often == 0)
                tally.add(f"{target.name} {i}", how, verdict, len(content))
    return _part(given, n, tally)


def _part(given: Given, n: int, tally: _Tally) -> Part:
    outcomes = ("refused", "loaded", "finding")
    rows = [[how, *(f"{tally.counts[how, o]:,}" for o in outcomes)] for how in FORGERIES]
    rows.append(["all", *(f"{sum(tally.counts[how, o] for how in FORGERIES):,}" for o in outcomes)])
    return Part(
        f"Forgeries: {n:,} files, model files and checkpoints, seed {given.seed}",
        markdown(["what was forged", "refused", "loaded, and answers", "findings"], rows),
        [
            Goal("files", float(n), float(given.times(_N)), at_most=False),
            Goal("findings: another error, a warning, no answer", float(len(tally.findings)), 0.0),
            Goal("slowest file", tally.seconds, _SECONDS, unit=" s"),
            Goal(f"memory over the file's bytes, less {_CONSTANT:g} MB", tally.excess, _TIMES),
        ],
        notes=[
            "Refused: `load` raised ModelFileError, a resumed `solve` CheckpointError. Loaded: "
            "no more was hurt than the file can say, and `transform` and `predict` of rows gave "
            "finite numbers or a ValueError.",
            f"Memory is the peak of `tracemalloc`, of {tally.weighed:,} of the files.",
            f"Slowest: {tally.slowest}. Most memory: {tally.largest or 'within the constant'}.",
            *tally.findings[:_SHOWN],
        ],
    )


def verdict_on(target: Target, *, weigh: bool = False) -> Verdict:
    """Read the file of a target and use what comes out."""
    began = time.perf_counter()
    if weigh:
        tracemalloc.start()
    outcome, finding, peak = "finding", "", None
    try:
        with _patience(_PATIENCE), warnings.catch_warnings():
            warnings.simplefilter("error")
            for documented in (InconsistentVersionWarning, NotConvergedWarning):
                warnings.simplefilter("ignore", documented)
            outcome = _read_and_use(target)
    except _LateError:
        finding = f"no end after {_PATIENCE:g} s"
    except Exception as error:
        finding = f"{type(error).__name__}: {error!s:.200}"
    finally:
        if weigh:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    return Verdict(outcome, time.perf_counter() - began, finding, peak)


def _read_and_use(target: Target) -> str:
    try:
        read = target.read(target.path)
    except (ModelFileError, CheckpointError):
        return "refused"
    for answer in target.use(read):
        numbers = np.asarray(answer)
        if numbers.dtype.kind in "fc" and not np.isfinite(numbers).all():
            raise ArithmeticError("an answer is not finite")
    return "loaded"


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Give up after so long; where there are no such signals, never."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(*_: Any) -> None:
        raise _LateError

    before: Callable[..., Any] | int | None = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
