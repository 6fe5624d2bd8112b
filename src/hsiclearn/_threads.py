"""Threads for tiles, and a BLAS that keeps out of their way."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from threadpoolctl import ThreadpoolController

A = TypeVar("A")
R = TypeVar("R")

_owner = threading.Lock()


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Limit BLAS to one thread.

    A multi-threaded BLAS keeps its idle threads spinning for milliseconds after each product,
    on the cores our tiles need; and small products are faster without it anyway.

    The limit is the whole process's. Of several fits at once only the first sets and lifts it:
    if each restored what it found, the last to leave would leave the limit in place for good.
    """
    if not _owner.acquire(blocking=False):
        yield
        return
    try:
        with _controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _owner.release()


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
def thread_pool(n_threads: int) -> ThreadPoolExecutor:
    """Threads are kept: starting them anew costs as much as a small evaluation."""
    return ThreadPoolExecutor(n_threads, thread_name_prefix="hsiclearn-tile")


def _after_fork() -> None:
    """A forked child inherits the pool without its threads, and the lock as it happened to be."""
    global _owner  # noqa: PLW0603
    _owner = threading.Lock()
    thread_pool.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def usable_cores() -> int:
    """Cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
