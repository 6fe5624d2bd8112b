"""Whether chunks stay in memory where they are, or are made anew in each pass."""

from __future__ import annotations

import os
from typing import Any

import dask
import dask.array as da
import numpy as np
from scipy import sparse

from .graph import active_client

_A_GUESS = 2**33
_SHARE = 0.4  # of the memory of all workers, that rows may take to be kept there


def kept(array: da.Array) -> tuple[da.Array, bool]:
    """The same in memory, where there is room for it, and whether there is."""
    if _is_in_memory(array):
        return array, True
    return (array.persist(), True) if _fits(array) else (dask.optimize(array)[0], False)


def _is_in_memory(array: da.Array) -> bool:
    """Whether chunks are there already: results, or handles to them."""
    tasks = dict(array.__dask_graph__())
    keys = ((array.name, i, *(0,) * (array.ndim - 1)) for i in range(array.numblocks[0]))
    is_result = _is_here if active_client() is None else _is_on_a_worker
    return all(is_result(tasks.get(key)) for key in keys)


def _is_here(task: Any) -> bool:
    if isinstance(task, np.ndarray) or sparse.issparse(task):
        return True
    return type(task).__name__ == "DataNode"  # what newer releases wrap them in


def _is_on_a_worker(task: Any) -> bool:
    """What is here would go there with every question."""
    from distributed import Future

    return isinstance(task, Future)


def _fits(array: da.Array) -> bool:
    """Whether there is room for all rows in the memory of those who compute."""
    client = active_client()
    if client is None:
        room = _memory_here()
    else:
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        # One without a limit has what its machine has, which may be as much as this one.
        room = sum(worker["memory_limit"] or _memory_here() for worker in workers)
    return bool(array.nbytes <= _SHARE * room)


def _memory_here() -> int:
    """Bytes of this machine; a guess where it does not say."""
    if not hasattr(os, "sysconf"):
        return _A_GUESS
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
