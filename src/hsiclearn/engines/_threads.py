"""Threads for tiles, and a BLAS that keeps out of their way."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache, wraps
from typing import ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

__all__ = ["single_threaded_blas", "thread_pool", "usable_cores", "with_single_threaded_blas"]

P = ParamSpec("P")
R = TypeVar("R")


class _Limit:
    """The limit is the whole process's: the first to ask sets it, the last to leave lifts it.

    Were each caller to restore what it found, two fits in two threads that overlap would leave
    the limit in place for good.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.depth = 0
        self.stack = ExitStack()


_limit = _Limit()


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Limit BLAS to one thread.

    A multi-threaded BLAS keeps its idle threads spinning for milliseconds after each product,
    on the cores our tiles need; and small products are faster without it anyway.
    """
    with _limit.lock:
        if _limit.depth == 0:
            _limit.stack.enter_context(_controller().limit(limits=1, user_api="blas"))
        _limit.depth += 1
    try:
        yield
    finally:
        with _limit.lock:
            _limit.depth -= 1
            if _limit.depth == 0:
                _limit.stack.close()


def with_single_threaded_blas(method: Callable[P, R]) -> Callable[P, R]:
    """Run a whole method under :func:`single_threaded_blas`."""

    @wraps(method)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with single_threaded_blas():
            return method(*args, **kwargs)

    return limited


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@cache
def thread_pool(n_threads: int) -> ThreadPoolExecutor:
    """Threads are kept: starting them anew costs as much as a small evaluation."""
    return ThreadPoolExecutor(n_threads, thread_name_prefix="hsiclearn-tile")


def _after_fork() -> None:
    """A forked child inherits the pool but not its threads, and locks as they happened to be."""
    global _limit  # noqa: PLW0603
    thread_pool.cache_clear()
    _limit = _Limit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def usable_cores() -> int:
    """Cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
