"""Very many fits in one process: what they leave behind of memory, threads and open files."""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from hsiclearn import (
    AlternativeHSIC,
    SemiSupervisedHSIC,
    SupervisedHSIC,
    UnsupervisedHSIC,
    hsic_test,
    load,
    save,
)
from hsiclearn.datasets import make_two_views

from ..parts import Goal, Part, markdown
from ..processes import Pipe, start_process
from .given import Given

__all__ = ["measure_soak"]

_FITS, _WARM = 1000, 0.2  # the share before which everything is loaded and every cache is full
_EVERY = 10  # fits between two looks
_BYTES = 4.0  # megabytes that the memory may grow by
_INTERRUPT = 0.003  # seconds after which Ctrl-C is pressed, in the middle of a fit


def measure_soak(given: Given) -> Part:
    """The same few kinds of work again and again, in a process of its own."""
    n_fits = given.times(_FITS)
    process, pipe = start_process(_serve, n_fits, given.seed)
    try:
        while isinstance(said := pipe.recv(), int):
            given.tell(f"{said} of {n_fits} fits")
    finally:
        process.kill()
        process.join()
    return _part(n_fits, said)


def _part(n_fits: int, found: dict[str, Any]) -> Part:
    looks = np.array(found["looks"], dtype=float)  # (looks, [fit, bytes, threads, files])
    after = looks[looks[:, 0] > _WARM * n_fits]
    megabytes = after[:, 1] / 2**20
    fifth = max(len(after) // 5, 1)
    growth = float(np.median(megabytes[-fifth:]) - np.median(megabytes[:fifth]))
    slope = float(np.polyfit(after[:, 0], megabytes, 1)[0] * 100) if len(after) > 1 else 0.0
    threads, files = (float(after[-1, j] - after[0, j]) for j in (2, 3))
    head = ["fits", "errors", "interrupted", "MB after the first fifth", "MB in the end"]
    row = [n_fits, found["errors"], found["interrupted"]]
    row += [f"{np.median(megabytes[:fifth]):.1f}", f"{np.median(megabytes[-fifth:]):.1f}"]
    return Part(
        f"Soak: {n_fits:,} fits in one process",
        markdown(head, [row]),
        [
            Goal("memory: growth after the first fifth", growth, _BYTES, unit=" MB"),
            Goal("memory: trend a hundred fits", slope, _BYTES / 8, unit=" MB"),
            Goal("threads: growth", threads, 0),
            Goal("open files: growth", files, 0),
        ],
        notes=[
            "In turn: " + "; ".join(_WORK) + ".",
            f"Memory is what the system has given to the process, looked at every {_EVERY} fits "
            "after a search for garbage; growth is from the median of the first looks after the "
            "first fifth of all fits to that of the last ones.",
            "Data are new for each fit, rows from 60 to 139, so that what is kept for one table "
            "or for one size is seen.",
        ],
    )


def _serve(pipe: Pipe, n_fits: int, seed: int) -> None:
    """Send the number of fits now and then, in the end all looks."""
    import psutil

    me, looks, counts = psutil.Process(), [], {"errors": 0, "interrupted": 0}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of convergence: budgets are small
        for i in range(n_fits):
            name = list(_WORK)[i % len(_WORK)]
            outcome = _WORK[name](np.random.default_rng([seed, i]), Path(folder))
            if outcome:
                counts[outcome] += 1
            if (i + 1) % _EVERY == 0 or i + 1 == n_fits:
                gc.collect()
                looks.append((i + 1, me.memory_info().rss, me.num_threads(), _open_files(me)))
                pipe.send(i + 1)
    pipe.send({"looks": looks, **counts})


def _open_files(process: Any) -> int:
    return int(process.num_handles() if sys.platform == "win32" else process.num_fds())


def _table(rng: np.random.Generator) -> Any:
    """Rows, and two groupings of them."""
    n = int(rng.integers(60, 140))
    return make_two_views("blobs", n, random_state=int(rng.integers(2**31)))


def _supervised(**settings: Any) -> Callable[[np.random.Generator, Path], None]:
    def work(rng: np.random.Generator, folder: Path) -> None:
        X, y, _ = _table(rng)
        SupervisedHSIC(2, **settings).fit(X, y).transform(X)

    return work


def _clusters(estimator: Any, guided: bool) -> Callable[[np.random.Generator, Path], None]:
    def work(rng: np.random.Generator, folder: Path) -> None:
        X, y, _ = _table(rng)
        model = estimator(n_components=1, init="identity", max_iter=10)
        model.fit(X, y if guided else None).predict(X)

    return work


def _test(rng: np.random.Generator, folder: Path) -> None:
    X, y, _ = _table(rng)
    hsic_test(X, y, random_state=0)


def _through_a_file(rng: np.random.Generator, folder: Path) -> None:
    X, y, _ = _table(rng)
    model = SupervisedHSIC(1, bandwidth="median").fit(X, y)
    load(save(model, folder / "model.hsic", overwrite=True)).transform(X)


def _fails(rng: np.random.Generator, folder: Path) -> str:
    X, y, _ = _table(rng)
    X = np.where(np.arange(X.shape[1]) == 1, np.nan, X)
    with contextlib.suppress(ValueError):
        SupervisedHSIC(2).fit(X, y)
        return ""
    return "errors"


def _interrupted(rng: np.random.Generator, folder: Path) -> str:
    """Ctrl-C, from a clock; on a system that has none the fit is left alone."""
    X, y, _ = _table(rng)
    try:
        with _pressed():
            SupervisedHSIC(2).fit(X, y)
    except KeyboardInterrupt:
        return "interrupted"
    return ""


@contextlib.contextmanager
def _pressed() -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, _INTERRUPT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


_WORK: dict[str, Callable[[np.random.Generator, Path], str | None]] = {
    "a fit with everything chosen": _supervised(),
    "in tiles": _supervised(bandwidth="median", engine="tiled"),
    "in linear time": _supervised(bandwidth="median", engine="nystrom"),
    "clusters": _clusters(UnsupervisedHSIC, guided=False),
    "clusters from some labels": _clusters(SemiSupervisedHSIC, guided=True),
    "alternative clusters": _clusters(AlternativeHSIC, guided=True),
    "a test of dependence": _test,
    "saved and loaded": _through_a_file,
    "an input that is refused": _fails,
    "Ctrl-C": _interrupted,
}
