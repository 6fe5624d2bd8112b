"""The only module of the command that imports Dask, when it is used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np

from ..._arrays import Array, FloatArray
from ..._rows import fold_parts
from ...exceptions import MissingExtraError

A = TypeVar("A")
_LONG = 2.0  # seconds from which on a pass is worth a bar
_PATIENCE = 10  # seconds for a cluster to answer


def require_dask(purpose: str) -> Any:
    """The module, or an error that says what to install."""
    try:
        import dask
        import dask.array
    except ModuleNotFoundError as error:
        raise MissingExtraError("dask", "dask", purpose) from error
    return dask


@contextmanager
def computing(address: str | None, is_verbose: bool) -> Iterator[None]:
    """Meanwhile a cluster computes, or else threads, which draw bars if they are to."""
    with ExitStack() as stack:
        if address is not None:
            stack.enter_context(_client(address))
        elif is_verbose:
            from dask.diagnostics import ProgressBar

            stack.enter_context(ProgressBar(minimum=_LONG, out=sys.stderr))
        yield


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise MissingExtraError("distributed", "dask", "--scheduler") from error
    try:
        # First one that Dask does not ask: it would go on asking a client that never connected.
        with Client(address, timeout=_PATIENCE, set_as_default=False):  # type: ignore[no-untyped-call]
            pass
        return Client(address, timeout=_PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise OSError(
            f"No scheduler of Dask answers at {address!r}. Start one, or leave --scheduler out."
        ) from error


def folded(task: Callable[[int], A], n_parts: int, merge: Callable[[A, A], A]) -> A:
    """``merge`` of what a task says of every part, in their order."""
    require_dask("Reading a folder")
    return fold_parts(task, n_parts, merge)


def array_of(
    make: Callable[[int], Array], lengths: Sequence[int], width: int | None, dtype: Any
) -> Any:
    """An array in chunks of rows, each of which is made anew whenever it is asked for.

    ``width`` is the number of columns; None for a vector.
    """
    da = require_dask("Fitting a folder").array
    chunks = (tuple(lengths), *(() if width is None else ((width,),)))
    shape = (0,) * len(chunks)
    return da.map_blocks(
        partial(_block, make),
        chunks=chunks,
        dtype=dtype,
        meta=np.empty(shape, dtype=dtype),
        name=f"hsic-folder-{uuid4().hex}",
    )


def _block(make: Callable[[int], Array], block_id: tuple[int, ...] = (0,)) -> Array:
    return make(block_id[0])


def mean_and_deviation(X: Any) -> tuple[FloatArray, FloatArray]:
    """Of each column, in one pass."""
    dask = require_dask("Reading a folder")
    mean, deviation = dask.compute(X.mean(axis=0), X.std(axis=0))
    return mean, deviation
