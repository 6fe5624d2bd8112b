"""Rows on a Dask cluster. Dask is an extra: nothing here imports it but for its own collections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..._arrays import Array
from ..._columns import A, AbstractColumn


def is_dask(X: Any) -> bool:
    """Whether X is a collection of Dask, without importing it."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr") and hasattr(X, "dask")


def columns_together(collections: Mapping[str, Any]) -> list[AbstractColumn]:
    """Collections of the same rows by name, at least one of them of Dask, in the same chunks."""
    from . import together

    return list(together.columns_together(collections))


def chunkwise(X: Any, method: Callable[[Array], Array], n_features: int) -> Any:
    """What a method makes of each chunk, when it is asked for: an array of Dask."""
    from .lazily import mapped_chunks

    return mapped_chunks(X, method, n_features)


def fold_parts(task: Callable[[int], A], n_parts: int, merge: Callable[[A, A], A]) -> A:
    """``merge`` of what a task answers for every number, in their order: as a tree, by Dask."""
    from .graph import Graph, active_client
    from .remote import merged
    from .shipping import packed

    graph = Graph("parts", active_client())
    keys = [graph.add(task, number) for number in range(n_parts)]
    return graph.compute(graph.tree(merged, packed(merge)[0], keys))
