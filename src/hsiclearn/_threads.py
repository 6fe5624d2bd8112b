"""Threads for tiles, and a BLAS that keeps out of their way."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from typing import TypeVar

from threadpoolctl import LibController, ThreadpoolController

A = TypeVar("A")
R = TypeVar("R")

_here = threading.local()  # of a thread: is_one_of_many, is_over; of _BlasLimit: works, before
_Limits = list[tuple[LibController, int]]


class _BlasLimit:
    """One thread of BLAS from when the first work enters to when the last leaves.

    An OpenBLAS of pthreads has one limit for the whole process. Had each work its own, the first to
    leave would lift that of the others, whose sums would round otherwise from there on; and the
    last would put back the limit that it found. Where each thread has a limit, each sets its own.

    An interrupt may come between any two lines. So what was before is known before it is changed,
    works are told apart, and a work may leave twice, also where it never came in.
    """

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), set[object]()
        self._before: _Limits = []

    def enter(self, work: object) -> None:
        """Set it, unless somebody has."""
        with self._lock:
            if not self._inside:
                _set_to_one(self._before, is_of_thread=False)  # nothing is changed twice
            self._inside.add(work)
        works = _works_here()
        if not works:
            _here.before = []
            _set_to_one(_here.before, is_of_thread=True)
        works.add(work)

    def leave(self, work: object) -> None:
        """Lift it, unless others are inside."""
        works = _works_here()
        works.discard(work)
        if not works:
            _put_back(getattr(_here, "before", []))
            _here.before = []
        with self._lock:
            self._inside.discard(work)
            if not self._inside:
                _put_back(self._before)
                self._before = []

    def after_fork(self) -> None:
        """Only the thread that forked is in the child: the limit of others its next work lifts."""
        self._lock, self._inside = threading.Lock(), set(_works_here())


def _works_here() -> set[object]:
    """What this thread is inside of."""
    if not hasattr(_here, "works"):
        _here.works = set()
    works: set[object] = _here.works
    return works


def _set_to_one(before: _Limits, *, is_of_thread: bool) -> None:
    """Limit each BLAS of a kind that has more, and add what it had to what was before.

    To set what is set already takes a tenth of a small fit, in the processes of a search.
    """
    found = [(library, library.num_threads) for library in _blas().lib_controllers]
    more = [(each, n) for each, n in found if n != 1 and _is_of_thread(each) == is_of_thread]
    before += more
    _put([(library, 1) for library, _ in more])


def _put_back(limits: _Limits) -> None:
    """As it was found; whoever sets a limit next may be any thread."""
    _put(limits)
    _give_up_control(limits)


def _put(limits: _Limits) -> None:
    """Of an OpenBLAS threadpoolctl hears but the thread that has set it first, unless told to."""
    _give_up_control(limits)
    for library, n in limits:
        library.set_num_threads(n)


def _give_up_control(limits: _Limits) -> None:
    for library, _ in limits:
        if hasattr(library, "clear_controlling_thread"):  # from threadpoolctl 3.8 on
            library.clear_controlling_thread(force=True)


def _is_of_thread(library: LibController) -> bool:
    """Whether its limit is that of the calling thread, and not of the process."""
    return library.internal_api == "mkl" or getattr(library, "threading_layer", "") == "openmp"


_limit = _BlasLimit()


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Limit BLAS to one thread, and leave it as it was, however the work ends.

    A multi-threaded BLAS keeps its idle threads spinning for milliseconds after each product,
    on the cores our tiles need; and small products are faster without it anyway.
    """
    work = object()
    try:
        try:
            _limit.enter(work)
            yield
        finally:
            _limit.leave(work)
    finally:
        _limit.leave(work)  # once more, where an interrupt came just there


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
    return ThreadPoolExecutor(
        n_threads, "hsiclearn-tile", partial(_set_to_one, [], is_of_thread=True)
    )


def _after_fork() -> None:
    """A forked child inherits the pool without its threads, and the lock as it happened to be."""
    _limit.after_fork()
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
