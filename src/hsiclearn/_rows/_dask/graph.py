"""One small graph for one question: a share of each chunk, and a tree of merges."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import dask
from dask.array import Array as DaskArray
from dask.base import get_scheduler

from ...exceptions import ClusterError

_FAN_IN = 8  # parts of a merge: fewer are more levels, each a message there and back


class Graph:
    """Tasks by the name that a dashboard shows, and what is computed of them."""

    def __init__(self, name: str, *collections: DaskArray) -> None:
        self._name, self._token = f"hsic-{name}", uuid4().hex
        self._tasks: dict[Any, Any] = {}
        for collection in collections:
            self._tasks.update(collection.__dask_graph__())

    def add(self, *task: Any, of: str = "") -> Any:
        """A function and what it is called with; keys among that stand for their values."""
        key = (f"{self._name}{of}-{self._token}", len(self._tasks))
        self._tasks[key] = task
        return key

    def tree(self, merge: Callable[..., Any], data: bytes, keys: Sequence[Any]) -> Any:
        """The key of one value that all are merged into, in their order."""
        while len(keys) > 1:
            groups = (list(keys[i : i + _FAN_IN]) for i in range(0, len(keys), _FAN_IN))
            keys = [self.add(merge, data, group, of="-merge") for group in groups]
        return keys[0]

    def compute(self, keys: Any) -> Any:
        """The values of keys, by the active client or else the default scheduler."""
        get = get_scheduler(cls=DaskArray)
        with _in_words(), dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GB"}):
            return get(self._tasks, keys)


@contextmanager
def _in_words() -> Iterator[None]:
    """What a lost cluster raises, as an error that says what to do."""
    try:
        yield
    except Exception as error:
        if not _is_loss(error):
            raise
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise ClusterError(
            f"The cluster no longer answers: {what}. The fit ends here. A file named by "
            "`checkpoint` holds its last iterate: connect anew, and go on with resume=True."
        ) from error


def _is_loss(error: Exception) -> bool:
    """Whether it is the cluster that failed, not the task."""
    if "distributed" not in sys.modules:
        return False
    from concurrent.futures import CancelledError

    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    lost = (CancelledError, KilledWorker, CommClosedError, TimeoutError)
    return isinstance(error, lost)


def active_client() -> Any:
    """The client of a cluster, if there is one."""
    if "distributed" not in sys.modules:
        return None
    from distributed import get_client

    try:
        return get_client()
    except ValueError:
        return None


def check_workers() -> None:
    """Raise unless every worker has this version of the package, before anything is asked of it."""
    client = active_client()
    if client is None:
        return
    with _in_words():
        found = client.run(_version)
    ours = _version()
    others = {worker: version for worker, version in found.items() if version != ours}
    if others:
        worker, version = next(iter(others.items()))
        has = "no hsiclearn" if version is None else f"hsiclearn {version[0]}, Python {version[1]}"
        raise ClusterError(
            f"Workers must have hsiclearn {ours[0]} and Python {ours[1]}, as here. {len(others)} of "
            f"{len(found)} have not: {worker} has {has}. Install the same on all of them."
        )


def _version() -> Any:
    """Of the package and of Python, whose tasks are those of one minor version."""
    try:
        from hsiclearn import __version__
    except ImportError:
        return None
    return __version__, f"{sys.version_info[0]}.{sys.version_info[1]}"
