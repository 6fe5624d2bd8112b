"""Threads for tiles, and a BLAS that keeps out of their way."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from threadpoolctl import LibController, ThreadpoolController

A = TypeVar("A")
R = TypeVar("R")

_owner: dict[str, object] = {}  # who has limited the BLAS
_here = threading.local()  # of a thread that works beside others: is_one_of_many, is_over


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Limit BLAS to one thread.

    A multi-threaded BLAS keeps its idle threads spinning for milliseconds after each product,
    on the cores our tiles need; and small products are faster without it anyway.

    The limit is the whole process's. Of several fits at once only the first sets and lifts it:
    if each restored what it found, the last to leave would leave the limit in place for good.
    """
    limit = _Limit()
    try:
        try:
            limit.set()
            yield
        finally:
            limit.lift()
    finally:
        limit.lift()  # once more, where an interrupt came just there


class _Limit:
    """One thread for the BLAS, if nobody else has limited it.

    An interrupt may come between any two lines. So whose limit it is, and what was before, are
    known before anything is changed, and to lift it twice does no harm.
    """

    def __init__(self) -> None:
        self._before: list[tuple[LibController, int]] = []

    def set(self) -> None:
        if _owner.setdefault("blas", self) is self:
            found = [(library, library.num_threads) for library in _blas().lib_controllers]
            # In the processes of a search it is one: to set it again is a tenth of a small fit.
            self._before = [(library, n) for library, n in found if n != 1]
            for library, _ in self._before:
                library.set_num_threads(1)

    def lift(self) -> None:
        if _owner.get("blas") is self:
            for library, n in self._before:
                library.set_num_threads(n)
            del _owner["blas"]


with_single_threaded_blas = single_threaded_blas()
"""As a decorator: every call of the function is made under it."""


@contextmanager
def single_threaded_openmp() -> Iterator[None]:
    """Limit OpenMP, the threads of scikit-learn's neighbours and k-means, to one.

    On a few thousand rows they take longer to meet than to work, and spin on cores that others
    need: ten times the time where these are busy. The limit is that of the calling thread alone.
    """
    with _controller().limit(limits=1, user_api="openmp"):
        yield


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@cache
def _blas() -> ThreadpoolController:
    """The libraries of BLAS alone: a limit first asks each library for all it can tell."""
    return _controller().select(user_api="blas")


@cache
def thread_pool(n_threads: int) -> ThreadPoolExecutor:
    """Threads are kept: starting them anew costs as much as a small evaluation."""
    return ThreadPoolExecutor(n_threads, thread_name_prefix="hsiclearn-tile")


def _after_fork() -> None:
    """A forked child inherits the pool without its threads, and an owner that is not there."""
    _owner.clear()
    thread_pool.cache_clear()
    _wide_pool.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def usable_cores() -> int:
    """Cores this process may run on; one for work that is done side by side with other work."""
    if getattr(_here, "is_one_of_many", False):
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    # Whoever runs several processes, as joblib does, says so there.
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores or 1, int(asked)) if asked.isdigit() and int(asked) else cores or 1


def map_in_order(
    task: Callable[[A], R], items: Iterable[A], n_threads: int | None = None
) -> Iterator[R]:
    """Map in threads and yield the answers in order, reading only a few items ahead.

    The map of an executor would read all items first: a stream larger than memory must not be.
    """
    n_threads = n_threads or usable_cores()
    if n_threads == 1:
        yield from map(task, items)
        return
    pool, waiting = thread_pool(n_threads), deque[Future[R]]()
    try:
        for item in items:
            waiting.append(pool.submit(task, item))
            if len(waiting) > n_threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def one_of_many() -> Iterator[None]:
    """Work that is done side by side with other work, by whoever shares it out: on one core."""
    before = getattr(_here, "is_one_of_many", False)
    _here.is_one_of_many = True
    try:
        yield
    finally:
        _here.is_one_of_many = before


@cache
def _wide_pool(n_threads: int) -> ThreadPoolExecutor:
    """Threads for whole fits. Those of tiles are others: a fit that waits for tiles holds none."""
    return ThreadPoolExecutor(n_threads, thread_name_prefix="hsiclearn-fit")


_FEW_ROWS = 500  # measured: two fits of 200 rows in threads take 1.5 times as long as in turn


def side_by_side(tasks: Sequence[Callable[[], R]], n_rows: int | None = None) -> list[R]:
    """The answers of tasks that have nothing to do with each other, each on a core of its own.

    Two small fits on two cores are done sooner than one after the other with tiles in threads.
    A single task has all cores for its tiles. Tasks on very few rows, where it is told how many,
    take turns: they would hand the interpreter to each other more often than they compute. Answers
    do not depend on the number of cores.
    """
    n_threads = min(usable_cores(), len(tasks))
    if n_threads <= 1 or (n_rows is not None and n_rows < _FEW_ROWS):
        return [task() for task in tasks]
    is_over = threading.Event()

    def alone(task: Callable[[], R]) -> R:
        _here.is_one_of_many, _here.is_over = True, is_over
        return task()

    futures = [_wide_pool(usable_cores()).submit(alone, task) for task in tasks]
    try:
        return [future.result() for future in futures]
    finally:
        is_over.set()
        for future in futures:
            future.cancel()


class UnwantedError(RuntimeError):
    """Ends a task whose answer nobody waits for any more; nobody sees it."""


def end_if_unwanted() -> None:
    """Raise in a task whose companions failed, or were interrupted; called once a step."""
    is_over = getattr(_here, "is_over", None)
    if is_over is not None and is_over.is_set():
        raise UnwantedError("Another task beside this one has ended in an error.")
