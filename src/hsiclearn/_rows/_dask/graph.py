"""One small graph for one question: a share of each chunk, and a tree of merges."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.metadata import PackageNotFoundError, version
from platform import python_version
from typing import Any
from uuid import uuid4

import dask
from dask.array import Array as DaskArray
from dask.base import get_scheduler

from ...exceptions import ClusterError

_PACKAGE = "hsic-learn"
_LARGE = {"distributed.admin.large-graph-warning-threshold": "1GB"}
_FAN_IN = 8  # parts of a merge: fewer are more levels, each a message there and back


class Graph:
    """Tasks by the name that a dashboard shows, and what is computed of them."""

    def __init__(self, name: str, client: Any, *collections: DaskArray) -> None:
        self._name, self._token, self._client = f"hsic-{name}", uuid4().hex, client
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
        """The values of keys, by the client that has the rows or else the default scheduler."""
        if self._client is None:
            return get_scheduler(cls=DaskArray)(self._tasks, keys)
        if self._client.status != "running":
            raise _lost(f"its client is {self._client.status}")
        with _in_words(), may_be_large(self._client):
            return self._client.get(self._tasks, keys)


def may_be_large(client: Any) -> AbstractContextManager[Any]:
    """Without Dask's warning of what has to travel: tasks with what they need, a target here."""
    return nullcontext() if client is None else dask.config.set(_LARGE)


@contextmanager
def _in_words() -> Iterator[None]:
    """What a lost cluster raises, as an error that says what to do."""
    try:
        yield
    except Exception as error:
        if not _is_loss(error):
            raise
        raise _lost(f"{type(error).__name__}: {error}" if str(error) else "") from error


def _lost(what: str) -> ClusterError:
    return ClusterError(
        f"The cluster no longer answers: {what or 'no reason was given'}. The fit ends here. A "
        "file named by `checkpoint` holds its last iterate: connect anew, and go on with "
        "resume=True."
    )


def _is_loss(error: Exception) -> bool:
    """Whether it is the cluster that failed, not the task."""
    if "distributed" not in sys.modules:
        return False
    from concurrent.futures import CancelledError

    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    return isinstance(error, CancelledError | KilledWorker | CommClosedError)


def active_client() -> Any:
    """The client of a cluster, if it is that which Dask would ask; its settings may say another."""
    if "distributed" not in sys.modules:
        return None
    from distributed import Client

    asked = getattr(get_scheduler(cls=DaskArray), "__self__", None)
    return asked if isinstance(asked, Client) else None


def check_workers() -> None:
    """Raise unless every worker has this version of the package, before anything is asked of it."""
    client = active_client()
    if client is None:
        return
    with _in_words():
        if not client.scheduler_info()["workers"]:  # a cluster that grows when there is work
            client.submit(python_version, pure=False).result()
        found = client.run(version, _PACKAGE, on_error="return")
        pythons = client.run(python_version)
    has = {
        worker: (f"{_PACKAGE} {one}" if isinstance(one, str) else f"no {_PACKAGE}", pythons[worker])
        for worker, one in found.items()
    }
    here = _installed_here()
    ours = f"{_PACKAGE} {here}" if here else f"no {_PACKAGE}", python_version()
    others = [worker for worker, seen in has.items() if _minor(seen) != _minor(ours)]
    if others:
        raise ClusterError(
            f"Workers must have {ours[0]} and Python {_minor(ours)[1]}, as here: tasks are of one "
            f"version. {len(others)} of {len(has)} have not, the first of them {others[0]}, with "
            f"{has[others[0]][0]} and Python {has[others[0]][1]}. Install the same on all."
        )


def _installed_here() -> str | None:
    """The version; None of a source tree that is not installed, as it is not on workers either."""
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:
        return None


def _minor(seen: tuple[str, str]) -> tuple[str, str]:
    """Tasks are understood by the same Python but for its last number."""
    return seen[0], seen[1].rpartition(".")[0]
